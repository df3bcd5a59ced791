/** How rows of the audit log are gathered, cut and written, what becomes of them while the database is away, and how old ones go. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anonymousPrincipal } from '../../../src/access/acl.js';
import { AppError } from '../../../src/errors/app-error.js';
import { type AuditEntry, AuditLog } from '../../../src/gateway/audit/audit-log.js';
import { type AuditRow, countPrunable, newestAuditRows, pruneAudit } from '../../../src/gateway/audit/manage-audit.js';
import { insertAuditRows, type NewAuditRow } from '../../../src/gateway/models/audit.js';
import type { Observation } from '../../../src/log/observation.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';

const everything = { since: null, identity: null, method: null, status: null, requestId: null };
const day = 86_400_000;

function entry(more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    requestId: 'request-1',
    identity: { kind: 'anonymous', userId: null },
    method: 'POST',
    path: '/api/v1/resources',
    context: 'web',
    status: 201,
    durationMs: 3.6,
    ...more,
  };
}

/** What a write of the database does: passes, fails before it begins, or takes effect and loses the answer. */
type Fault = 'none' | 'unavailable' | 'answer lost' | 'bug';

interface Trial {
  readonly audit: AuditLog;
  readonly clock: FakeClock;
  readonly log: Observation[];
  /** Writes that were begun. */
  readonly writes: () => number;
  setFault(fault: Fault): void;
  rows(): Promise<AuditRow[]>;
}

describeEachDatabase('writing the audit log', (kind) => {
  let url: string;
  let trial: Trial;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    const store = await openHandle(url);
    await store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_audit', params: [] }));
    const clock = fakeClock();
    const log: Observation[] = [];
    let fault: Fault = 'none';
    let writes = 0;
    const write: Database['write'] = async (work, options) => {
      writes += 1;
      if (fault === 'unavailable') throw new AppError('unavailable');
      if (fault === 'bug') throw new TypeError('a fault of the program');
      const result = await store.own.write(work, options);
      if (fault === 'answer lost') throw new AppError('unavailable');
      return result;
    };
    const own: Database = Object.assign(Object.create(store.own), { write });
    trial = {
      audit: new AuditLog({ own, clock, log: (fact) => log.push(fact) }),
      clock,
      log,
      writes: () => writes,
      setFault(next) {
        fault = next;
      },
      rows: () => newestAuditRows(store.own, everything, { limit: 20_000 }),
    };
  });

  const row = {
    id: expect.any(Number),
    method: 'POST',
    path: '/api/v1/resources',
    context: 'web',
    status: 201,
    durationMs: 4,
    createdOn: expect.any(Number),
  };

  test.each<[name: string, given: Partial<AuditEntry>, stored: Partial<AuditRow>]>([
    ['a path that is as long as its column', { path: `/${'a'.repeat(2047)}` }, { path: `/${'a'.repeat(2047)}` }],
    ['a longer path, cut with a mark', { path: `/${'a'.repeat(2048)}` }, { path: `/${'a'.repeat(2046)}…` }],
    ['a path of wide characters, cut whole', { path: '😀'.repeat(2049) }, { path: `${'😀'.repeat(2047)}…` }],
    ['controls and marks, replaced', { path: '/a\u0000\n\u001b[31m\u202e\u2028b' }, { path: '/a???[31m??b' }],
    ['half a character, replaced', { path: '/\ud800' }, { path: '/?' }],
    ['no context for what is none', { context: 'a b' }, { context: '' }],
    ['a context in another script', { context: 'магазин-2' }, { context: 'магазин-2' }],
    ['no context for one that is too long', { context: 'x'.repeat(65) }, { context: '' }],
    ['a session by its user', { identity: sessionOf(7) }, { identity: 'session:7' }],
    ['an invalid duration', { durationMs: -1 }, { durationMs: 0 }],
  ])('keeps %s', async (_name, given, stored) => {
    trial.audit.note(entry(given));
    await trial.audit.close();
    expect(await trial.rows()).toEqual([{ ...row, requestId: 'request-1', identity: 'anonymous', ...stored }]);
    expect(trial.log).toEqual([]);
  });

  test('keeps rows while the database is away, says so once, and writes each once when it is back', async () => {
    const { audit, clock, log } = trial;
    trial.setFault('unavailable');
    audit.note(entry({ requestId: 'kept-1' }));
    await clock.advance(200);
    await clock.advance(1000);
    audit.note(entry({ requestId: 'kept-2' }));
    await clock.advance(1000);
    expect(trial.writes()).toBe(3);
    trial.setFault('none');
    await clock.advance(1000);
    await audit.flush();
    expect((await trial.rows()).map(({ requestId }) => requestId)).toEqual(['kept-2', 'kept-1']);
    expect(log).toEqual([{ kind: 'unexpected_error', during: 'writing the audit log', error: expect.any(AppError) }]);
  });

  test('writes nothing twice when the database took the rows and its answer was lost', async () => {
    const { audit, clock } = trial;
    trial.setFault('answer lost');
    audit.note(entry({ requestId: 'once-1' }));
    audit.note(entry({ requestId: 'once-2' }));
    await audit.flush();
    trial.setFault('none');
    await audit.flush();
    await clock.advance(5000);
    audit.note(entry({ requestId: 'later' }));
    await audit.close();
    expect((await trial.rows()).map(({ requestId }) => requestId).sort()).toEqual(['later', 'once-1', 'once-2']);
  });

  test('gives rows up that cannot be written, says how many, and goes on', async () => {
    const { audit, log } = trial;
    trial.setFault('bug');
    audit.note(entry());
    audit.note(entry());
    await audit.flush();
    trial.setFault('none');
    audit.note(entry({ requestId: 'after' }));
    await audit.close();
    expect((await trial.rows()).map(({ requestId }) => requestId)).toEqual(['after']);
    expect(log.map((fact) => (fact.kind === 'unexpected_error' ? String(fact.error) : fact.kind))).toEqual([
      'TypeError: a fault of the program',
      'Error: 2 rows of the audit log were lost',
    ]);
  });

  test('keeps 10,000 rows at most, and says how many it lost when it is over', async () => {
    const { audit, log } = trial;
    trial.setFault('unavailable');
    for (let index = 0; index < 10_003; index += 1) audit.note(entry({ requestId: `full-${index}` }));
    await audit.flush();
    await audit.close();
    expect(log.map((fact) => (fact.kind === 'unexpected_error' ? String(fact.error) : fact.kind))).toEqual([
      expect.stringContaining('Temporarily unavailable'),
      'Error: 10003 rows of the audit log were lost',
    ]);
    expect(await trial.rows()).toEqual([]);
  });
});

function sessionOf(userId: number): AuditEntry['identity'] {
  return { kind: 'session', id: String(userId), userId, principal: anonymousPrincipal, csrfToken: 'never shown' };
}

describeEachDatabase('removing old rows of the audit log', (kind) => {
  let store: Store;

  const aged = (age: number, requestId: string): NewAuditRow => ({
    requestId,
    identity: 'anonymous',
    method: 'POST',
    path: '/',
    context: '',
    status: 200,
    durationMs: 1,
    age,
  });
  const insert = (rows: readonly NewAuditRow[]) => store.own.write((tx) => insertAuditRows(tx, rows));
  const left = async () =>
    (await newestAuditRows(store.own, everything, { limit: 10_000 })).map(({ requestId }) => requestId);

  beforeEach(async () => {
    store = await openHandle(await migrated(await kind.url()));
  });

  test('takes what is older than the days, by the clock of the database, and nothing else', async () => {
    await insert([
      aged(0, 'new'),
      aged(2 * day - 60_000, 'nearly'),
      aged(2 * day + 60_000, 'old'),
      aged(400 * day, 'oldest'),
    ]);
    expect(await countPrunable(store, { days: 2 })).toBe(2);
    expect(await pruneAudit(store, { days: 2 })).toBe(2);
    expect(await left()).toEqual(['new', 'nearly']);
    expect(await pruneAudit(store, { days: 2 })).toBe(0);
  });

  test('takes any number, in batches, the oldest first when there is a bound', async () => {
    await insert(Array.from({ length: 2100 }, (_, index) => aged(100 * day + index * 1000, `row-${index}`)));
    expect(await pruneAudit(store, { days: 90, most: 1050 })).toBe(1050);
    expect(await left()).toEqual(Array.from({ length: 1050 }, (_, index) => `row-${index}`));
    expect(await pruneAudit(store, { days: 90, signal: AbortSignal.abort() })).toBe(0);
    expect(await pruneAudit(store, { days: 90 })).toBe(1050);
    expect(await left()).toEqual([]);
  });
});
