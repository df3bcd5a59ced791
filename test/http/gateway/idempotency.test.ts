/** Idempotency-Key: a request that comes again is answered again, byte by byte, and done once. */
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeExpiredIdempotencyKeys } from '../../../src/gateway/models/idempotency.js';
import { cuttingProxy } from '../../support/cutting-proxy.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl } from '../../support/databases.js';
import { deferred } from '../../support/deferred.js';
import { execute } from '../../support/execute.js';
import { closeKeyedSites, type KeyedSite, prepareThings, startKeyedSite } from './keyed-site.js';

afterAll(closeKeyedSites);

const conflict = (detail: RegExp) => {
  return { status: 409, code: 'idempotency_conflict', detail: expect.stringMatching(detail) };
};
const otherBody = conflict(/was used with another body/);
const running = conflict(/is still being processed/);

/** The next request stands in its transaction from `entered` until `go`. */
function held(site: KeyedSite) {
  const [entered, go] = [deferred(), deferred()];
  site.points.afterEffect = () => {
    entered.resolve();
    return go.promise;
  };
  return { entered, go };
}

describeEachDatabase('a keyed request', (database) => {
  let url: string;
  let site: KeyedSite;
  let key: string;
  let keys = 0;

  beforeAll(async () => {
    url = await database.url();
    await prepareThings(url);
    site = await startKeyedSite(url);
  });

  beforeEach(async () => {
    keys += 1;
    key = `key-${keys}`;
    site.points.afterEffect = async () => undefined;
    site.points.beforeCommit = async () => undefined;
    await execute(site.store.own, 'DELETE FROM things', 'DELETE FROM hcd_idempotency_keys');
  });

  it('is answered with the same status, bytes, Location and ETag when it comes again', async () => {
    for (let count = 0; count < 10; count += 1) {
      const asked = { key: `${key}-${count}`, body: { name: `näme ${count} \u2028 😀` } };
      const first = await site.post(asked);
      const again = await site.post(asked);
      expect(first.status).toBe(201);
      expect(first.json()).toMatchObject({ data: { name: asked.body.name } });
      expect([again.status, again.text]).toEqual([201, first.text]);
      const { date: _d1, 'x-request-id': _r1, 'x-extra': extra, ...firstHeaders } = first.headers;
      const { date: _d2, 'x-request-id': _r2, 'idempotency-replayed': replayed, ...againHeaders } = again.headers;
      expect(againHeaders).toEqual(firstHeaders);
      expect(firstHeaders).toMatchObject({ location: expect.any(String), etag: expect.any(String) });
      expect(firstHeaders['idempotency-key']).toBe(asked.key);
      // Only headers that are part of the result are kept.
      expect([extra, replayed]).toEqual(['yes', 'true']);
    }
    expect((await site.things()).length).toBe(10);
    expect(await site.keys()).toEqual([10, 10]);
  });

  it('is refused with another body, and with another query', async () => {
    const first = await site.post({ key });
    for (const asked of [
      { body: { name: 'two' } },
      // The same value in other bytes.
      { body: '{ "name": "one" }' },
      { path: '/things?note=1' },
      { headers: { 'x-context': 'web' } },
    ]) {
      const other = await site.post({ key, ...asked });
      expect(other.status).toBe(409);
      expect(other.json()).toMatchObject(otherBody);
    }
    expect((await site.post({ key })).text).toBe(first.text);
    expect(await site.things()).toEqual(['one']);
  });

  it('is another one by another credential, on another route and with a key in other letters', async () => {
    const path = `/others/${'long/'.repeat(200)}end`;
    const asked = [
      { key: 'a' },
      { key: 'A' },
      { key: 'a', as: 'b' },
      { key: 'a', path: '/others/one' },
      { key: 'a', path },
      { key: 'a', path: `${path}s` },
    ];
    const firsts = [];
    for (const one of asked) firsts.push(await site.post(one));
    expect(firsts.map(({ status }) => status)).toEqual(asked.map(() => 201));
    expect(new Set(firsts.map(({ text }) => text)).size).toBe(asked.length);
    for (const [at, one] of asked.entries()) expect((await site.post(one)).text).toBe(firsts[at]?.text);
    expect((await site.things()).length).toBe(asked.length);
  });

  it('needs a key of 1 to 128 letters, digits and . _ : -, once', async () => {
    const bad = [...' !"#$%&\'()*+,/;<=>?@[\\]^`{|}~é'].map((letter) => `a${letter}b`);
    for (const one of ['x'.repeat(129), ...bad, ['one', 'two'], ['one', '']]) {
      const { status, json } = await site.post({ key: one });
      expect({ one, status }).toEqual({ one, status: 422 });
      expect(json()).toMatchObject({ code: 'validation_failed', errors: { 'Idempotency-Key': [expect.any(String)] } });
    }
    expect(await site.things()).toEqual([]);
    for (const one of ['x', 'X', 'Az09._:-', 'x'.repeat(128), '  around  ']) {
      expect((await site.post({ key: one })).status).toBe(201);
      expect((await site.post({ key: one })).headers['idempotency-replayed']).toBe('true');
    }
    expect((await site.things()).length).toBe(5);
  });

  it('ignores an absent or blank key, a key with another method, and any key while the setting is off', async () => {
    const off = async () => {
      site.settings.gateway_idempotency_enabled = false;
      return site.post({ key: 'not a key' }).finally(() => {
        site.settings.gateway_idempotency_enabled = true;
      });
    };
    for (const ask of [
      () => site.post(),
      () => site.post({ key: '' }),
      () => site.post({ key: '   ' }),
      () => site.post({ key, method: 'PUT' }),
      off,
    ]) {
      for (const answer of [await ask(), await ask()]) {
        expect([answer.status, answer.headers['idempotency-key']]).toEqual([201, undefined]);
        expect(answer.headers['idempotency-replayed']).toBeUndefined();
      }
    }
    expect((await site.things()).length).toBe(10);
    expect(await site.keys()).toEqual([0, 0]);
  });

  it('needs a credential and its scope each time', async () => {
    await site.post({ key });
    expect((await site.post({ key, as: 'nobody' })).status).toBe(401);
    const denied = await site.post({ key, as: 'reader' });
    expect([denied.status, denied.headers['idempotency-replayed']]).toEqual([403, undefined]);
  });

  it('succeeds with a corrected body after it was refused, in validation and in the transaction', async () => {
    expect((await site.post({ key, body: { nome: 'one' } })).status).toBe(422);
    expect((await site.post({ key, body: '{' })).status).toBe(422);
    expect((await site.post({ key, body: { name: 'refused' } })).status).toBe(409);
    expect(await site.keys()).toEqual([0, 0]);
    expect((await site.post({ key, body: { name: 'right' } })).status).toBe(201);
    expect(await site.things()).toEqual(['right']);
  });

  it('takes effect once when the first try fails after its effect and before COMMIT', async () => {
    for (let count = 0; count < 20; count += 1) {
      const asked = { key: `${key}-${count}`, body: { name: `thing ${count}` } };
      let faults = 0;
      const fault = async () => {
        faults += 1;
        if (faults === 1) throw new TypeError('a fault');
      };
      site.points[count % 2 === 0 ? 'afterEffect' : 'beforeCommit'] = fault;
      expect((await site.post(asked)).status).toBe(500);
      expect(await site.keys()).toEqual([count, count]);
      const second = await site.post(asked);
      expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, undefined]);
      expect((await site.post(asked)).text).toBe(second.text);
      site.points[count % 2 === 0 ? 'afterEffect' : 'beforeCommit'] = async () => undefined;
    }
    expect(await site.things()).toEqual(Array.from({ length: 20 }, (_, count) => `thing ${count}`));
  });

  it('is 413 without effect when its answer is too large to be kept', async () => {
    const refused = await site.post({ key, body: { name: 'huge' } });
    expect(refused.status).toBe(413);
    const detail = expect.stringMatching(/no Idempotency-Key/);
    expect(refused.json()).toMatchObject({ code: 'payload_too_large', detail });
    expect([await site.things(), await site.keys()]).toEqual([[], [0, 0]]);
    expect((await site.post({ body: { name: 'huge' } })).status).toBe(201);
  });

  it('runs afresh once its key has expired, also while expired keys are removed', async () => {
    const expire = (seconds: number) =>
      site.store.own.write((tx) =>
        tx.run({ sql: 'UPDATE hcd_idempotency_keys SET expires_on = created_on - ?', params: [seconds * 1000] }),
      );
    const other = await startKeyedSite(url);
    let remove = true;
    const removing = (async () => {
      while (remove) {
        await site.store.own.write((tx) => removeExpiredIdempotencyKeys(tx, 5));
        await new Promise((next) => setImmediate(next));
      }
    })();
    try {
      for (let count = 0; count < 15; count += 1) {
        const body = { name: `run ${count}` };
        const first = await site.post({ key, body });
        expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
        expect((await other.post({ key, body })).text).toBe(first.text);
        // Just over, or so long ago that it is removed at some moment around the next request.
        await expire(count % 2 === 0 ? 0 : 61);
      }
    } finally {
      remove = false;
      await removing;
    }
    expect((await site.things()).length).toBe(15);
    const [all, answered] = await site.keys();
    expect(answered).toBe(all);
  });

  it('lives as long as the setting says', async () => {
    site.settings.gateway_idempotency_ttl = 60;
    await site.post({ key });
    site.settings.gateway_idempotency_ttl = 86_400;
    await site.post({ key: `${key}-long` });
    const sql = 'SELECT expires_on - created_on FROM hcd_idempotency_keys ORDER BY expires_on';
    expect(await site.store.own.select({ sql, params: [] })).toEqual([[60_000], [86_400_000]]);
  });

  it('is removed, a limited number at once, when it expired more than a minute ago', async () => {
    for (let count = 0; count < 5; count += 1) await site.post({ key: `${key}-${count}` });
    const set = (sql: string) => site.store.own.write((tx) => tx.run({ sql, params: [] }));
    const remove = () => site.store.own.write((tx) => removeExpiredIdempotencyKeys(tx, 2));
    await set('UPDATE hcd_idempotency_keys SET expires_on = created_on - 30000');
    expect(await remove()).toBe(0);
    await set(`UPDATE hcd_idempotency_keys SET expires_on = created_on - 60001 WHERE idempotency_key <> '${key}-4'`);
    expect([await remove(), await remove(), await remove()]).toEqual([2, 2, 0]);
    expect(await site.keys()).toEqual([1, 1]);
  });

  it('is 409 at once while the first stands in its transaction, and its answer afterwards', async () => {
    const { entered, go } = held(site);
    const other = await startKeyedSite(url);
    const first = site.post({ key });
    await entered.promise;
    const sites = database.name === 'mariadb' ? [site, other] : [site];
    for (const { post } of sites) {
      const started = performance.now();
      const second = await post({ key });
      // A lock would be waited for during three seconds at least.
      expect(performance.now() - started).toBeLessThan(3000);
      expect([second.status, second.headers['retry-after']]).toEqual([409, '1']);
      expect(second.json()).toMatchObject(running);
      expect((await post({ key, body: { name: 'two' } })).status).toBe(409);
    }
    // On SQLite another process waits for its turn to write.
    const waiting = database.name === 'sqlite' ? other.post({ key }) : null;
    go.resolve();
    const { status, text } = await first;
    expect(status).toBe(201);
    for (const again of [await waiting, await site.post({ key }), await other.post({ key })]) {
      if (again === null) continue;
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([text, 'true']);
    }
    expect(await site.things()).toEqual(['one']);
  });

  it('is carried out although its client is gone, and found by the next', async () => {
    const { entered, go } = held(site);
    const agent = new Agent();
    const gone = httpRequest(`${site.server.url}/api/v1/things`, {
      method: 'POST',
      agent,
      headers: { authorization: 'Bearer a', 'content-type': 'application/json', 'idempotency-key': key },
    });
    gone.on('error', () => undefined);
    gone.end('{"name":"one"}');
    await entered.promise;
    gone.destroy();
    expect((await site.post({ key })).json()).toMatchObject(running);
    go.resolve();
    await expect.poll(async () => (await site.post({ key })).headers['idempotency-replayed']).toBe('true');
    expect(await site.things()).toEqual(['one']);
  });

  it('takes effect once when eight equal ones arrive at two servers at once', async () => {
    const other = await startKeyedSite(url);
    for (let round = 0; round < 8; round += 1) {
      const names = Array.from({ length: 8 }, (_, at) => `${round}-${at}`);
      const asked = names.map((name) => ({ key: `${key}-${name}`, body: { name } }));
      const post = async (one: (typeof asked)[number], { post: send }: KeyedSite) => ({ one, answer: await send(one) });
      const turns = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? site : other));
      const answers = await Promise.all(asked.flatMap((one) => turns.map((turn) => post(one, turn))));
      for (const one of asked) {
        const own = answers.filter((each) => each.one === one).map(({ answer }) => answer);
        const created = own.filter(({ status }) => status === 201);
        for (const { status } of own) expect([201, 409]).toContain(status);
        expect(created.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length).toBe(1);
        expect(new Set(created.map(({ text }) => text)).size).toBe(1);
        for (const { json } of own.filter(({ status }) => status === 409)) expect(json()).toMatchObject(running);
      }
    }
    expect(new Set(await site.things()).size).toBe(64);
    expect((await site.things()).length).toBe(64);
    expect(await site.keys()).toEqual([64, 64]);
  });
});

describeWithMariadb('a keyed request whose connection is cut during COMMIT', () => {
  it.each([
    ['took effect', true],
    ['did not', false],
  ])('is done once whether the COMMIT %s', async (_name, forwarded) => {
    const direct = new URL(await freshMariadbUrl());
    await prepareThings(direct.href);
    const proxy = await cuttingProxy({ port: Number(direct.port), forwarded });
    const through = new URL(direct);
    through.port = String(proxy.port);
    const site = await startKeyedSite(through.href);
    const names: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const asked = { key: `key-${count}`, body: { name: `thing ${count}` } };
      names.push(asked.body.name);
      proxy.cutNextCommit();
      let first = await site.post(asked);
      // The server may not have noticed yet that the connection is gone, which looks like a request under way.
      for (let tries = 0; first.status === 409 && tries < 50; tries += 1) first = await site.post(asked);
      expect(first.status).toBe(201);
      const again = await site.post(asked);
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    }
    expect(await site.things()).toEqual(names);
    expect(await site.keys()).toEqual([20, 20]);
    await closeKeyedSites();
  });
});

describe('keys in a database of their own', () => {
  describeEachDatabase('a keyed request', (database) => {
    let urls: readonly [content: string, own: string];
    let site: KeyedSite;

    beforeAll(async () => {
      urls = [await database.url(), await database.url()];
      await prepareThings(...urls);
      site = await startKeyedSite(...urls);
    });

    beforeEach(async () => {
      site.points.afterEffect = async () => undefined;
      site.points.beforeCommit = async () => undefined;
      await site.store.content.write((tx) => tx.run({ sql: 'DELETE FROM things', params: [] }));
      await site.store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_idempotency_keys', params: [] }));
    });

    it('is done once and answered again', async () => {
      const first = await site.post({ key: 'one' });
      const again = await site.post({ key: 'one' });
      expect([first.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
      expect([await site.things(), await site.keys()]).toEqual([['one'], [1, 1]]);
    });

    it('may come again after it was refused or failed in the transaction', async () => {
      expect((await site.post({ key: 'one', body: { name: 'refused' } })).status).toBe(409);
      expect(await site.keys()).toEqual([0, 0]);
      site.points.afterEffect = () => Promise.reject(new TypeError('a fault'));
      expect((await site.post({ key: 'one' })).status).toBe(500);
      site.points.afterEffect = async () => undefined;
      expect((await site.post({ key: 'one' })).status).toBe(201);
      expect([await site.things(), await site.keys()]).toEqual([['one'], [1, 1]]);
    });

    it('is 409 in another process while it runs', async () => {
      const other = await startKeyedSite(...urls);
      const { entered, go } = held(site);
      const first = site.post({ key: 'one' });
      await entered.promise;
      expect((await other.post({ key: 'one' })).json()).toMatchObject(running);
      go.resolve();
      expect((await other.post({ key: 'one' })).status).toBeOneOf([201, 409]);
      expect((await first).status).toBe(201);
      expect((await other.post({ key: 'one' })).headers['idempotency-replayed']).toBe('true');
      expect(await site.things()).toEqual(['one']);
    });

    it('is never done twice when the first was cut off between the two commits', async () => {
      // The announcement fails after the change is committed, as a crash at that moment would.
      site.points.beforeCommit = () => Promise.reject(new TypeError('a fault'));
      expect((await site.post({ key: 'one' })).status).toBe(500);
      site.points.beforeCommit = async () => undefined;
      expect([await site.things(), await site.keys()]).toEqual([['one'], [1, 0]]);
      expect((await site.post({ key: 'one' })).json()).toMatchObject(running);
      await execute(site.store.own, 'UPDATE hcd_idempotency_keys SET created_on = created_on - 60000');
      const later = await site.post({ key: 'one' });
      expect(later.json()).toMatchObject(conflict(/was interrupted, and it is not known whether it took effect/));
      expect(await site.things()).toEqual(['one']);
    });
  });
});
