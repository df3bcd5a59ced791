/** Answers to keys: kept until any process commits; each caller gets only what it may read. */
import { beforeAll, expect, it, vi } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { openStore } from '../../../src/store/open/open.js';
import { movableClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { patientLimits } from '../../support/patient-limits.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { userRow } from './session-visitor.js';

const scopes = {
  ...{ reader: 'resources.read', drafts: 'resources.read preview', fields: 'resources.read fields.content', all: '*' },
  ...{ nothing: 'contexts.read', member: 'resources.read' },
};
const identities: Readonly<Record<string, Identity>> = Object.fromEntries(
  Object.entries(scopes).map(([id, text]) => {
    const userId = id === 'member' ? 7 : null;
    return [id, { kind: 'api_key', id, scopes: new Set(text.split(' ')), userId }];
  }),
);

const rule = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 41, authority: 9999 };

describeEachDatabase('answers to keys', (database) => {
  let url: string;
  let site: TestSite;
  let uncached: TestSite;
  const clock = movableClock();

  beforeAll(async () => {
    url = await database.url();
    site = await startTestSite({ databaseUrl: url, identities, clock, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    uncached = await startTestSite({ databaseUrl: url, identities });
    await site.fill({
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 2, pagetitle: 'News', alias: 'news', uri: 'news.html', content: 'text '.repeat(1000) },
        { id: 3, pagetitle: 'Draft', alias: 'draft', uri: 'draft.html', published: 0 },
        { id: 4, pagetitle: 'Members', alias: 'members', uri: 'members.html' },
      ],
      documentgroup_names: [{ id: 1, name: 'Members only' }],
      document_groups: [{ document_group: 1, document: 4 }],
      access_resource_groups: [{ ...rule, target: '1', policy: 1, context_key: '' }],
      access_context: [{ ...rule, target: 'web', policy: 0 }],
      users: [userRow({ id: 7, username: 'member' })],
      membergroup_names: [{ id: 41, name: 'Members' }],
      member_groups: [{ user_group: 41, member: 7, role: 1 }],
    });
    await uncached.live.refresh();
  });

  it('reads nothing for an equal question while nothing is committed', async () => {
    const reads = async (): Promise<number> => {
      const select = vi.spyOn(site.store.content.primary, 'select');
      await site.get('/resources', { as: 'reader' });
      // The settings are read again several times a second.
      const found = select.mock.calls.filter(([{ sql }]) => sql.includes('site_content')).length;
      select.mockRestore();
      return found;
    };
    // The answer is kept when the question comes again.
    expect(await reads()).toBeGreaterThan(0);
    expect(await reads()).toBeGreaterThan(0);
    // A commit of the server itself makes one more necessary.
    await eventually(async () => expect(await reads()).toBe(0));
  });

  it.each([
    ['a plain read', []],
    ['gzip', ['Accept-Encoding: gzip']],
    ['any tag', ['If-None-Match: *']],
    ['HEAD', []],
  ])('sends the same bytes and log lines from memory: %s', async (name, more) => {
    const lines = ['X-Request-ID: request-0001', 'Authorization: Bearer fields', ...more];
    const asked = rawGet(`/api/v1/resources/2?form=${encodeURIComponent(name)}`, lines);
    const isHead = name === 'HEAD';
    const bytes = isHead ? asked.replace('GET', 'HEAD') : asked;
    const answers: string[] = [];
    const before = site.log.length;
    for (let at = 0; at < 4; at += 1) {
      const { text } = await sendRaw({ port: Number(new URL(site.url).port), bytes, head: isHead });
      answers.push(text.replace(/\r\nDate: [^\r]*/, ''));
    }
    const [first = '', second, third = '', fourth] = answers;
    expect(second).toBe(first);
    // What is kept may be compressed more, so its bytes differ.
    if (name !== 'gzip') expect(third).toBe(first);
    expect(fourth).toBe(third);
    expect(third).toContain('Cache-Control: private, no-store, no-transform');
    expect(third).not.toContain('Age:');
    const [one, ...others] = site.log.slice(before).map((fact) => ({ ...fact, durationMs: 0 }));
    expect(others).toEqual([one, one, one]);
    expect(one).toMatchObject({ identity: 'api_key', identityId: 'fields' });
  });

  it('shows what another process has committed to the next request', async () => {
    const other = await openStore({ databaseUrl: url, prefix: 'modx_', limits: patientLimits });
    for (const title of ['One', 'Two', 'Three']) {
      await site.get('/resources/1', { as: 'reader' });
      await site.get('/resources/1', { as: 'reader' });
      await other.content.write((tx) =>
        tx.run({ sql: 'UPDATE modx_site_content SET pagetitle = ? WHERE id = 1', params: [title] }),
      );
      const { body } = await site.get('/resources/1', { as: 'reader' });
      expect(body).toMatchObject({ data: { pagetitle: title } });
    }
    await other.close();
  });

  it('keeps no answer that was made with a group that the user has lost', async () => {
    const other = await openStore({ databaseUrl: url, prefix: 'modx_', limits: patientLimits });
    const ask = async () => (await site.get('/resources/4', { as: 'member' })).status;
    expect((await site.get('/resources/4', { as: 'reader' })).status).toBe(404);
    expect(await ask()).toBe(200);
    // The user is read for another question, and remembered for a moment.
    clock.forward(900);
    await site.get('/resources?limit=1', { as: 'member' });
    await other.content.write((tx) => tx.run({ sql: 'DELETE FROM modx_member_groups WHERE member = 7', params: [] }));
    for (let passed = 0; passed < 700; passed += 20, clock.forward(20)) await ask();
    clock.forward(500);
    expect(await ask()).toBe(403);
    await other.close();
  });

  it('gives no caller what another one may read', async () => {
    const lists = ['/resources', '/resources?preview=1', '/resources?fields=id,content'];
    const paths = [...lists, '/resources/2', '/resources/3'];
    const callers = [undefined, ...Object.keys(identities), 'unknown'];
    // Twice in turn, once backwards: each is the one that fills the memory for the next.
    for (const as of [...callers, ...callers, ...callers, ...callers.toReversed()]) {
      for (const path of paths) {
        const question = as === undefined ? {} : { as };
        const [found, right] = [await site.get(path, question), await uncached.get(path, question)];
        expect([as, path, shown(found)]).toEqual([as, path, shown(right)]);
      }
    }
  });
});

function shown({ status, body }: Got): unknown {
  return { status, ...{ ...body, request_id: undefined, meta: { ...Object(body['meta']), request_id: undefined } } };
}
