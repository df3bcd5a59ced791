/** Servers and workers write what they are and what they refused, in bounded memory and outside requests. */
import { expect, it, onTestFinished } from 'vitest';
import { AppError, invalidFields } from '../../../src/errors/app-error.js';
import type { Observation, RequestFinished } from '../../../src/log/observation.js';
import { processes, readAlive, readLastPass } from '../../../src/operations/models/processes.js';
import { refusals } from '../../../src/operations/models/refusals.js';
import { openRecorder } from '../../../src/operations/processes/recorder.js';
import type { Database } from '../../../src/store/base/database.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { movableClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite } from '../../support/site.js';

const place = { url: 'http://127.0.0.1:8080', cache: () => ({ hits: 3, misses: 2 }) };

function request(fact: Partial<RequestFinished> = {}): RequestFinished {
  return {
    kind: 'request_finished',
    requestId: 'request-1',
    api: 'gateway',
    method: 'GET',
    route: '/resources',
    status: 200,
    durationMs: 1,
    identity: 'anonymous',
    ...fact,
  };
}

/** A recorder whose timer the test calls, on a clock that the test moves. */
function recorderOf(own: Database, role: 'server' | 'worker' = 'server') {
  const clock = movableClock();
  const reported: Observation[] = [];
  let look: () => void | Promise<void> = () => undefined;
  const recorder = openRecorder({
    ...{ own, role, version: '1.2.3', apis: ['gateway', 'pages'] },
    log: (fact) => reported.push(fact),
    clock: {
      ...clock,
      every({ work }) {
        look = work;
        return { stop: () => undefined };
      },
    },
  });
  onTestFinished(() => recorder.close());
  return {
    recorder,
    reported,
    async pass(ms: number) {
      clock.forward(ms);
      await look();
    },
  };
}

describeEachDatabase('the row of a process', (database) => {
  it('says what a server is and what it counted, until the server ends', async () => {
    const { own } = await openHandle(await migrated(await database.url()));
    const { recorder, pass } = recorderOf(own);
    recorder.log(request());
    recorder.log(request({ status: 503, error: new Error('away') }));
    recorder.log(request({ api: 'banner clicks', status: 302 }));
    recorder.log(request({ api: 'none', status: 404 }));
    await recorder.started(place);
    const none = { requests: 0, errors: 0, limited: 0 };
    expect(await readAlive(own)).toMatchObject([
      {
        role: 'server',
        pid: process.pid,
        url: 'http://127.0.0.1:8080',
        apis: ['gateway', 'pages'],
        version: '1.2.3',
        rssBytes: expect.any(Number),
        counts: {
          requests: { gateway: { ...none, requests: 2, errors: 1 }, pages: none, banners: { ...none, requests: 1 } },
          cache: { hits: 3, misses: 2 },
        },
        lastPassOn: null,
      },
    ]);
    for (let minute = 0; minute < 6; minute += 1) await pass(60_000);
    expect((await readAlive(own))[0]?.counts.requests.gateway).toEqual(none);
    await recorder.close();
    expect(await processes.on(own).count()).toBe(0);
  });

  it('keeps the last pass of a worker that has ended', async () => {
    const { own } = await openHandle(await migrated(await database.url()));
    expect(await readLastPass(own)).toBeNull();
    for (let worker = 0; worker < 2; worker += 1) {
      const { recorder } = recorderOf(own, 'worker');
      await recorder.started();
      expect(await readAlive(own)).toMatchObject([{ role: 'worker', url: '' }]);
      recorder.passed();
      await recorder.close();
      expect(await readAlive(own)).toEqual([]);
    }
    const lastPass = await readLastPass(own);
    expect(Math.abs(Date.now() - Number(lastPass))).toBeLessThan(60_000);
    const { recorder } = recorderOf(own);
    await recorder.started(place);
    // Only the newest of them.
    expect(await processes.on(own).findAll({ attributes: ['lastPassOn'], where: { role: 'worker' } })).toEqual([
      { lastPassOn: lastPass },
    ]);
  });
});

describeEachDatabase('refused requests', (database) => {
  it('are kept with the check that refused them and what would have let them pass', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    const { recorder } = recorderOf(site.store.own);
    await site.get('/nowhere', { headers: { 'x-request-id': 'nowhere-1' } });
    await site.get('/resources', { headers: { 'x-request-id': 'method-01' }, method: 'DELETE' });
    await site.get('/resources', { headers: { 'x-request-id': 'token-001', authorization: 'Bearer gk_bad' } });
    await site.get('/tvs', { headers: { 'x-request-id': 'access-01' } });
    await site.get('/resources?limit=0', { headers: { 'x-request-id': 'limit-001' } });
    await site.get('/resources', { headers: { 'x-request-id': 'accept-01', accept: 'image/png' } });
    await fetch(`${site.url}/elsewhere`, { headers: { 'x-request-id': 'outside-1' } });
    for (const fact of site.log) recorder.log(fact);
    await recorder.started(place);
    const rows = await refusals.on(site.store.own).findAll({ order: ['id'] });
    expect(
      rows.map(({ requestId, api, route, status, checkName, code }) => [
        requestId,
        api,
        route,
        status,
        checkName,
        code,
      ]),
    ).toEqual([
      ['nowhere-1', 'gateway', null, 404, 'route', 'not_found'],
      ['method-01', 'gateway', null, 405, 'route', 'method_not_allowed'],
      ['token-001', 'gateway', '/resources', 401, 'credential', 'invalid_token'],
      ['access-01', 'gateway', '/tvs', 401, 'access', 'token_required'],
      ['limit-001', 'gateway', '/resources', 422, 'handler', 'validation_failed'],
      ['accept-01', 'gateway', '/resources', 406, 'handler', 'not_acceptable'],
      ['outside-1', 'none', null, 404, 'route', 'not_found'],
    ]);
    expect(rows[1]?.wouldPass).toContain('GET');
    expect(rows[4]?.wouldPass).toMatch(/^limit: /);
  });

  it('hold no credential that a caller sent as a value', async () => {
    const { own } = await openHandle(await migrated(await database.url()));
    const { recorder } = recorderOf(own);
    const key = 'gk_0123456789abcdef_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLM';
    const error = invalidFields({ [key]: [`${key} is not a filter`] }, `Unknown parameter ${key}`);
    recorder.log(request({ status: 422, refusal: { check: 'handler', error } }));
    await recorder.started(place);
    const [row] = await refusals.on(own).findAll();
    expect(JSON.stringify(row)).not.toContain('abcdefghijklm');
    expect(row?.wouldPass).toBe('[hidden]: [hidden] is not a filter');
  });

  it('wait in bounded memory, and the newest thousand stay for more than a day', async () => {
    const { own } = await openHandle(await migrated(await database.url()));
    const { recorder, pass } = recorderOf(own);
    const error = new AppError('not_found');
    for (let count = 1; count <= 2100; count += 1) {
      recorder.log(request({ status: 404, requestId: `request-${count}`, refusal: { check: 'route', error } }));
    }
    await recorder.started(place);
    expect(await refusals.on(own).count()).toBe(2000);
    await own.write((tx) => tx.run({ sql: 'UPDATE hcd_refusals SET created_on = 1', params: [] }));
    await pass(60_000);
    const kept = await refusals.on(own).findAll({ attributes: ['requestId'], order: ['id'] });
    expect([kept.length, kept[0]?.requestId, kept.at(-1)?.requestId]).toEqual([1000, 'request-1101', 'request-2100']);
  });

  it('are dropped while the database cannot take them, which is reported once', async () => {
    const { own } = await openHandle(await migrated(await database.url()));
    const full: Database = Object.assign(Object.create(own), { write: () => Promise.reject(new Error('disk full')) });
    const { recorder, reported, pass } = recorderOf(full);
    await recorder.started(place);
    for (let count = 0; count < 3; count += 1) {
      recorder.log(request({ status: 404 }));
      await pass(1000);
    }
    expect(reported.filter(({ kind }) => kind === 'unexpected_error')).toHaveLength(1);
  });
});
