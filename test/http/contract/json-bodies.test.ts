/** What is a JSON body on every route that takes one: without Content-Type, empty, of another type, too large, not wanted. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import type { TestSite } from '../../support/site.js';
import { key } from '../banners/management-site.js';
import { startWritingSite } from '../gateway/writing-site.js';

const banners = '/banners/api.php';

/** Every route with a JSON body, and the field that an empty one lacks; null where it lacks none. */
const routes = [
  ['POST', '/api/v1/auth/session', 'username'],
  ['POST', '/api/v1/auth/token', 'grant_type'],
  ['POST', '/api/v1/auth/revoke', 'token'],
  ['POST', '/api/v1/auth/introspect', 'token'],
  ['POST', '/api/v1/resources', 'pagetitle'],
  ['PUT', '/api/v1/resources/1', 'pagetitle'],
  ['PATCH', '/api/v1/resources/99', null],
  ['POST', '/api/v1/objects/goods', 'title'],
  ['PUT', '/api/v1/objects/goods/1', 'title'],
  ['PATCH', '/api/v1/objects/goods/1', null],
  ['POST', `${banners}/ads`, 'name'],
  ['POST', `${banners}/ads/from-template`, 'template_id'],
  ['PATCH', `${banners}/ads/1`, null],
  ['POST', `${banners}/conversions`, 'click_id'],
] as const;

describeEachDatabase('JSON bodies', (database) => {
  let site: TestSite;

  /** A request with only the headers that are named. */
  async function send(method: string, path: string, body: string, type: string | null) {
    const isOpen = path.startsWith('/api/v1/auth/');
    const credential = path.startsWith(banners) ? `X-API-Key: ${key}` : 'Authorization: Bearer all';
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      ...(isOpen ? [] : [credential]),
      ...(type === null ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const bytes = `${lines.join('\r\n')}\r\n\r\n${body}`;
    return sendRaw({ port: Number(new URL(site.url).port), bytes });
  }

  beforeAll(async () => {
    site = await startWritingSite(database, {
      env: {
        HCD_GATEWAY_OAUTH_ENABLED: '1',
        HCD_BANNERS_API_ENABLED: '1',
        HCD_BANNERS_API_KEY: key,
        HCD_BANNERS_API_WRITE_ENABLED: '1',
      },
    });
  });

  it.each(routes)('%s %s reads an empty body as {} and names what is missing', async (method, path, missing) => {
    for (const type of [null, 'application/json']) {
      const empty = await send(method, path, '', type);
      const braces = await send(method, path, '{}', 'application/json');
      expect(empty.status).toBe(braces.status);
      const bodies = [empty, braces].map(({ body }) => JSON.parse(body));
      for (const body of bodies) delete body.request_id;
      expect(bodies[0]).toEqual(bodies[1]);
      expect(empty.status).not.toBe(415);
      if (missing !== null) expect(empty.body).toContain(missing);
    }
  });

  it.each(routes)('%s %s reads a body without Content-Type as JSON', async (method, path) => {
    const answers = [];
    for (const type of [null, 'application/json']) {
      const { status, body } = await send(method, path, '{"nonsense":1}', type);
      const parsed = JSON.parse(body);
      delete parsed.request_id;
      answers.push([status, parsed]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBeGreaterThanOrEqual(400);
    expect((await send(method, path, 'nonsense', null)).status).not.toBe(415);
  });

  it.each(routes)('%s %s refuses another Content-Type', async (method, path) => {
    expect((await send(method, path, '{}', 'text/plain')).status).toBe(415);
    expect((await send(method, path, '', 'text/plain')).status).toBe(415);
  });

  it('writes what a body without Content-Type says', async () => {
    const answer = await send('POST', '/api/v1/resources', '{"pagetitle":"No type"}', null);
    expect([answer.status, JSON.parse(answer.body).data.pagetitle]).toEqual([201, 'No type']);
  });

  it('takes at most 16 KiB where credentials are sent', async () => {
    for (const name of ['session', 'token', 'revoke', 'introspect']) {
      const body = (size: number) => JSON.stringify({ x: 'x'.repeat(size - 8) });
      expect((await send('POST', `/api/v1/auth/${name}`, body(16_385), null)).status).toBe(413);
      expect((await send('POST', `/api/v1/auth/${name}`, body(16_384), null)).status).not.toBe(413);
    }
  });

  it('names at most twenty fields and the number of the others', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x${at}`, 1])));
    for (const path of ['/api/v1/resources', `${banners}/ads`]) {
      const answer = await send('POST', path, body, null);
      const refusal = JSON.parse(answer.body);
      expect([answer.status, refusal.errors_omitted]).toEqual([422, 41]);
      expect(Object.keys(refusal.errors)).toEqual(Array.from({ length: 20 }, (_, at) => `x${at}`));
    }
  });

  it('takes more where the settings say so', async () => {
    const wide = JSON.stringify({
      title: 'Wide',
      data: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`m${at}`, at])),
    });
    const refused = await send('POST', '/api/v1/objects/goods', wide, null);
    expect([refused.status, JSON.parse(refused.body).detail]).toEqual([
      422,
      'The JSON has an object with more than 1000 members',
    ]);
    const wider = await startWritingSite(database, { env: { HCD_GATEWAY_MAX_JSON_MEMBERS: '2000' } });
    const taken = await wider.get('/objects/goods', { as: 'all', method: 'POST', body: JSON.parse(wide) });
    expect(taken.status).toBe(201);
  });
});

describeEachDatabase('switches', (database) => {
  const off = { HCD_BANNERS_API_KEY: key, HCD_BANNERS_API_ENABLED: '1' };

  it.each([
    ['OAuth', '/api/v1/auth/token', {}, 400],
    ['revoking while OAuth is off', '/api/v1/auth/revoke', {}, 404],
    ['the write switch', `${banners}/ads`, {}, 403],
    ['the banner API', `${banners}/ads`, { HCD_BANNERS_API_ENABLED: '0' }, 503],
    ['the gateway', '/api/v1/auth/session', { HCD_GATEWAY_ENABLED: '0' }, 503],
  ])('%s is looked at before a body is read', async (_name, path, env, status) => {
    const site = await startWritingSite(database, { env: { ...off, ...env } });
    // The body that is announced never comes.
    const lines = [`X-API-Key: ${path.startsWith(banners) ? key : 'all'}`, 'Content-Length: 900'];
    const bytes = rawGet(path, lines).replace('GET', 'POST');
    const answer = await sendRaw({ port: Number(new URL(site.url).port), bytes });
    expect(answer.status).toBe(status);
  });
});
