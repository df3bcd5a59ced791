/** Entity tags of the page delivery API: over the exact bytes, kept or not, and 304 without a body. */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { revokeToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { issue, start } from '../../identity/page-tokens/token-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { hero, type PublishedSite, richtext, startPublishedSite } from './published-site.js';
import { entry } from './token-site.js';

const routes = [
  '/pages/1',
  '/pages/1&include=html,sections',
  '/pages',
  '/pages&changed_since=0',
  '/catalog/sections',
  '/health',
];

const tagOf = (text: string) => `"${createHash('sha256').update(text).digest('hex')}"`;

describeEachDatabase('an answer of the page delivery API', (database) => {
  const open = async (): Promise<PublishedSite> => {
    const site = await startPublishedSite({ databaseUrl: await database.url() });
    await site.resources({ id: 1, alias: 'one' }, { id: 2 });
    // Longer than what is kept as text.
    await site.publish(1, [hero('Hello ☃'), richtext(`<p>${'ä long text '.repeat(3000)}</p>`)]);
    await site.publish(2);
    return site;
  };
  let unchanged: PublishedSite;

  beforeAll(async () => {
    unchanged = await open();
  });

  it('comes in the coding that the caller prefers, with a tag of its own, and as it is where that is forbidden', async () => {
    const site = unchanged;
    const route = '/pages/1&include=html,sections';
    const plain = await site.ask(route, { 'Accept-Encoding': 'identity' });
    for (const coding of ['gzip', 'br']) {
      const { status, headers, text } = await site.ask(route, { 'Accept-Encoding': coding });
      expect([status, headers.get('content-encoding'), text === plain.text]).toEqual([200, coding, true]);
      expect(headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, `-${coding}"`));
      expect(headers.get('vary')).toContain('Accept-Encoding');
    }
    const exact = await site.ask(route, { 'Accept-Encoding': 'gzip', 'Cache-Control': 'no-transform' });
    expect([exact.headers.get('content-encoding'), exact.text === plain.text]).toEqual([null, true]);
  });

  it('has the tag of its exact bytes, the first time and when it was kept', async () => {
    const site = unchanged;
    for (const route of routes) {
      const plain = { 'Accept-Encoding': 'identity' };
      const [first, second] = [await site.ask(route, plain), await site.ask(route, plain)];
      const length = String(Buffer.byteLength(first.text));
      const { status, headers } = first;
      expect([status, headers.get('etag'), headers.get('content-length')]).toEqual([200, tagOf(first.text), length]);
      expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('is 304 without a body for a matching If-None-Match, in each of its forms, with the headers of every answer', async () => {
    const site = unchanged;
    for (const route of routes) {
      const etag = (await site.ask(route)).headers.get('etag') ?? '';
      for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await site.ask(route, { 'If-None-Match': header });
        expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
        const names = ['cache-control', 'x-content-type-options', 'referrer-policy', 'content-security-policy'];
        expect(names.map((name) => answer.headers.get(name))).toEqual([
          'private, no-store, no-transform',
          'nosniff',
          'no-referrer',
          "default-src 'none'; frame-ancestors 'none'",
        ]);
      }
      expect((await site.ask(route, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
  });

  it('has a tag of its own for every representation', async () => {
    const site = unchanged;
    const tag = async (query: string) => (await site.ask(`/pages/1${query}`)).headers.get('etag');
    const parts = ['', 'include=document', 'include=values', 'include=html', 'include=sections', 'section_types=hero'];
    const different = parts.map((part) => (part === '' ? '' : `&${part}`));
    const tags = await Promise.all(different.map(tag));
    expect(new Set(tags).size).toBe(different.length);
    // The same representation however it is asked for.
    const same = ['&include=values,document', '&context=web', '&utm_source=x', '&section_types=hero,richtext'];
    expect(await Promise.all(same.map(tag))).toEqual(Array(4).fill(tags[0]));
  });

  it('changes with the page, with its resource and with the section types', async () => {
    const site = await open();
    const route = '/pages/1&include=document,values,html';
    const seen: (string | null)[] = [];
    const look = async () => seen.push((await site.ask(route)).headers.get('etag'));
    await look();
    await site.publish(1, [hero('Other')]);
    await look();
    await site.site.change(["UPDATE modx_site_content SET pagetitle = 'Renamed' WHERE id = 1"]);
    await look();
    const definition = JSON.stringify({
      ...{ key: 'hero', version: 2, label: 'Hero', category: 'hero', template: '<h2>{{ data.title }}</h2>' },
      fields: [{ name: 'title', type: 'text', label: 'Title' }],
    });
    await site.site.store.own.write(async (tx) => {
      const sql =
        "INSERT INTO hcd_section_types (`key`, definition, changed_on, changed_by) VALUES ('hero', ?, 1, 'test')";
      await tx.run({ sql, params: [definition] });
      const next = "INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('section_types_generation', '1', 1)";
      await tx.run({ sql: next, params: [] });
    });
    await site.clock.advance(1000);
    await look();
    expect(new Set(seen).size).toBe(4);
    expect((await site.get(route)).html).toBe('<h2>Other</h2>');
  });

  it('is refused from the next request on when the token is revoked, whatever was kept and whatever tag is sent', async () => {
    const site = await open();
    const { token, prefix } = await issue(site.site.store);
    const look = async (route: string, etag = '"x"') => {
      const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': etag };
      const answer = await fetch(`${site.site.url}${entry}?path=${route}`, { headers });
      await answer.text();
      return answer;
    };
    const etags: string[] = [];
    for (const route of routes) etags.push((await look(route)).headers.get('etag') ?? '');
    await revokeToken(site.site.store, { selector: { prefix }, env: {}, now: start });
    for (const [at, route] of routes.entries()) expect((await look(route, etags[at])).status).toBe(401);
  });

  it('is not 304 when the page was withdrawn, whatever tag is sent', async () => {
    const site = await open();
    const etag = (await site.ask('/pages/1')).headers.get('etag') ?? '';
    await site.withdraw(1);
    expect((await site.ask('/pages/1', { 'If-None-Match': etag })).status).toBe(404);
  });

  it('is the same by the rest of the path as by the parameter `path`', async () => {
    const site = unchanged;
    for (const [one, other] of [
      ['?path=/pages/1&include=html', '/pages/1?include=html'],
      ['?path=pages/one', '/pages/one'],
      ['?path=/pages&limit=1', '/pages?limit=1'],
    ] as const) {
      const answerTo = async (address: string) => {
        const headers = { Authorization: `Bearer ${site.token}` };
        const answer = await fetch(`${site.site.url}${entry}${address}`, { headers });
        return [answer.status, await answer.text()];
      };
      const texts = [await answerTo(one), await answerTo(other)];
      expect(texts[0]).toEqual(texts[1]);
      expect(texts[0]?.[0]).toBe(200);
    }
    // Filters are parameters of their own: a second `?` names nothing.
    const answer = await site.ask('/pages/1?include=html');
    expect([answer.status, answer.json()]).toEqual([404, { success: false, message: 'Not found', object: {} }]);
  });
});
