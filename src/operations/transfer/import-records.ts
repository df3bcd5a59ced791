/** Compares records of a file with the store and writes what differs. References to later lines wait until the end. */
import { nearMatch } from '../../config/near-match.js';
import { shortDigest } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import { repeatable, type Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpOfBulk, readNow } from '../../store/state/state.js';
import { isJsonObject, isSameJson, type JsonObject } from '../../values/json.js';
import {
  batchesOf,
  type Difference,
  differenceOf,
  type Entry,
  readStored,
  replacedEdits,
  tellOfBulk,
  untrustedValues,
  type Waiting,
} from './import-batches.js';
import type { Kind, Reading, RowKey, Scope, Stored, Writing } from './kind.js';
import { Names } from './names.js';
import { Spool } from './spool.js';
import { changedMembers } from './table-kind.js';
import {
  atLines,
  type LineProblems,
  type Problem,
  placeOf,
  type Readers,
  RowWriter,
  readersOf,
  type TransferRecord,
  type WarningKind,
} from './transfer-record.js';
import type { Warnings } from './warnings.js';

export type OnConflict = 'skip' | 'update' | 'fail';

const outcomes = ['created', 'updated', 'unchanged', 'skipped'] as const;
type Counts = Record<(typeof outcomes)[number], number>;
export type ImportCounts = Readonly<Counts>;

const none: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };

export interface Compared {
  readonly entry: Entry;
  readonly key: RowKey;
  readonly difference: Difference | null;
}

export interface ImportRequest {
  readonly store: Store;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly records: AsyncIterable<TransferRecord>;
  readonly problems: LineProblems;
  readonly isDry?: boolean;
  /** False refuses values that the CMS evaluates, where the store has others. */
  readonly isTrusted?: boolean;
  /** Refuses values that break a rule of their template variable. */
  readonly isStrict?: boolean;
  readonly onConflict?: OnConflict | undefined;
  readonly by: string;
  /** Of one of the databases of the store; then everything happens in this transaction. */
  readonly within?: { readonly tx: Tx; readonly database: Kind['database'] };
  /** After each batch, with the records of the file that the store has or gets. */
  readonly onCompared?: ((compared: readonly Compared[]) => Promise<void>) | undefined;
  readonly warnings?: Warnings | undefined;
  readonly files?: string | undefined;
}

/** Throws `refused` with the problems by line; without a transaction, `kept` says which batches stay. */
export async function importRecords(request: ImportRequest): Promise<ImportCounts> {
  const run = new Run(request);
  const { problems, records } = request;
  try {
    for await (const batch of batchesOf(run.entries(records))) await run.take(batch, { isLast: false });
    problems.refuseAny();
    for (let isLast = false; run.spool.size > 0; ) {
      const [size, written] = [run.spool.size, run.written];
      for await (const batch of batchesOf(run.entries(run.spool.take()))) await run.take(batch, { isLast });
      problems.refuseAny();
      // Records that wait for each other, or for what never comes.
      isLast = run.spool.size >= size && run.written === written;
    }
    return run.counts;
  } catch (error) {
    throw run.withKept(error);
  } finally {
    await run.spool.close();
  }
}

interface Report {
  readonly counts: Counts;
  readonly waiting: Waiting[];
  readonly seen: string[];
  readonly compared: Compared[];
  readonly warnings: (readonly [WarningKind, Problem])[];
  readonly changed: Map<Kind, RowKey[]>;
}

class Run {
  readonly spool = new Spool<Waiting>();
  readonly counts = { ...none };
  written = 0;
  readonly #request: ImportRequest;
  readonly #names: Names;
  readonly #seen = new Set<string>();
  #lastLine = 0;

  constructor(request: ImportRequest) {
    const { within, store } = request;
    this.#request = request;
    this.#names = new Names(readersOf(store, within ?? null), store.prefix, request.files);
  }

  /** Within a transaction nothing stays, and its own errors decide whether it is repeated. */
  withKept(error: unknown): unknown {
    const { isDry, within } = this.#request;
    if (isDry === true || within !== undefined || !(error instanceof AppError)) return error;
    const { code, message, details } = error;
    const kept = { records: this.counts.created + this.counts.updated, beforeLine: this.#lastLine + 1 };
    return new AppError(code, { message, details: { ...details, kept }, cause: error });
  }

  async *entries(records: AsyncIterable<TransferRecord & { readonly isCounted?: boolean }>): AsyncGenerator<Entry> {
    const { kinds, problems } = this.#request;
    for await (const one of records) {
      const { object, line, at, objectColumn: column } = one;
      const kind = kinds.get(object);
      if (kind !== undefined) yield { isCounted: false, ...one, kind };
      else
        problems.add({ line, at, object, column, problem: `is an unknown object; ${hint(object, [...kinds.keys()])}` });
    }
  }

  async take(batch: readonly Entry[], { isLast }: { readonly isLast: boolean }): Promise<void> {
    const report = await this.#write(batch, isLast);
    this.written += [...report.changed.values()].reduce((sum, keys) => sum + keys.length, 0);
    for (const name of outcomes) this.counts[name] += report.counts[name];
    for (const one of report.seen) this.#seen.add(shortDigest(one));
    await this.#request.onCompared?.(report.compared);
    for (const one of report.warnings) this.#request.warnings?.add(...one);
    await this.spool.add(...report.waiting);
    this.#lastLine = Math.max(this.#lastLine, ...batch.map(({ line }) => line));
  }

  async #write(batch: readonly Entry[], isLast: boolean): Promise<Report> {
    const { store, isDry, within } = this.#request;
    const { content, own } = store;
    const database = batch[0]?.kind.database ?? 'content';
    const compareIn = (tx: Tx | null, of = database): Promise<Report> =>
      this.#compare(batch, { readers: readersOf(store, tx && { tx, database: of }), tx, isLast });
    if (isDry === true) return compareIn(null);
    if (within !== undefined) return compareIn(within.tx, within.database);
    const write = (): Promise<Report> => {
      let isRepeated = false;
      return store[database].write((tx) => {
        if (isRepeated) this.#names.forget();
        isRepeated = true;
        return compareIn(tx);
      }, repeatable);
    };
    const report = await write().catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // Another process took an id at the same time.
      this.#names.forget();
      return write().catch((again: unknown) => {
        throw again instanceof AppError && again.code === 'conflict'
          ? new AppError('refused', { message: again.message, details: again.details, cause: again })
          : again;
      });
    });
    if (database === 'content' && own !== content && report.changed.size > 0) await own.write(bumpOfBulk);
    return report;
  }

  async #compare(
    batch: readonly Entry[],
    { readers, tx, isLast }: { readonly readers: Readers; readonly tx: Tx | null; readonly isLast: boolean },
  ): Promise<Report> {
    const { store, problems } = this.#request;
    const names = this.#names;
    names.use(readers, { isWritten: tx !== null });
    const scope: Scope = { readers, prefix: store.prefix, tables: store.tables, names };
    const lists = { waiting: [], seen: [], compared: [], warnings: [] };
    const report: Report = { counts: { ...none }, ...lists, changed: new Map() };
    const stored = await readStored(scope, batch);
    const writer = tx && new RowWriter(tx);
    const now = tx ? await readNow(tx) : 0;
    for (const entry of batch) {
      const writing = tx && writer ? { tx, writer, now, by: this.#request.by, line: entry } : null;
      await this.#takeRecord(entry, { scope, report, writing, isLast, stored: stored.get(entry) });
    }
    if (tx === null) return report;
    problems.refuseAny();
    await writer?.flush();
    for (const [kind, keys] of report.changed) await kind.finish?.(tx, keys);
    if (report.changed.size > 0 && readers.own === tx) await tellOfBulk(tx);
    return report;
  }

  async #takeRecord(
    entry: Entry,
    at: {
      readonly scope: Scope;
      readonly report: Report;
      readonly writing: Writing | null;
      readonly isLast: boolean;
      readonly stored: Stored | undefined;
    },
  ): Promise<void> {
    const { kind, object, isCounted } = entry;
    const { scope, report, writing } = at;
    const { onConflict = 'update', isTrusted, isStrict, onCompared, problems } = this.#request;
    const placed = (field: string, problem: string): Problem => {
      const [member = ''] = field.split('.', 1);
      return { ...placeOf(entry, member), object, field, problem };
    };
    const refuseAny = (wrong: readonly (readonly [field: string, problem: string])[]): boolean => {
      for (const one of wrong) problems.add(placed(...one));
      return wrong.length > 0;
    };
    const name = `${object} ${kind.nameOf(entry.record)}`;
    if (!isCounted && (this.#seen.has(shortDigest(name)) || report.seen.includes(name))) {
      const { line, at: place } = entry;
      problems.add({ line, at: place, object, problem: `an earlier line has ${kind.nameOf(entry.record)} too` });
      return;
    }
    // A record before it may be its context.
    const stored = at.stored ?? (await readStored(scope, [entry])).get(entry) ?? null;
    const record = withUsual(entry, stored);
    // What the store shows needs no reading, which looks every reference up.
    const isSame = stored !== null && Object.keys(record).every((one) => isSameJson(record[one], stored.record[one]));
    const reading: Reading = isSame
      ? { missing: [], problems: [], shown: {}, write: async () => stored.key }
      : await kind.read(scope, record, stored, entry.id);
    const { missing, problems: found, warnings = [], shown, write } = reading;
    const unknown = Object.keys(record).filter((member) => !kind.members.includes(member));
    const wrong = [
      ...unknown.map((member) => [member, `is unknown; ${hint(member, kind.members)}`] as const),
      ...found,
      ...warnings.flatMap(([why, ...one]) => (isStrict === true && why === 'rule' ? [one] : [])),
      ...missing.flatMap(({ member, message }) => (at.isLast ? [[member, message] as const] : [])),
    ];
    if (refuseAny(wrong)) return;
    const isNew = stored === null;
    const canBegin = isNew && missing.every(({ isSoft }) => isSoft);
    if (missing.length > 0) {
      const { kind: _kind, ...one } = entry;
      report.waiting.push({ ...one, isCounted: isCounted || canBegin });
      if (!canBegin) return;
    }
    if (!isCounted) report.seen.push(name);
    const changed = isNew ? Object.keys(shown) : changedMembers(shown, stored.record);
    const outcome = isNew
      ? 'created'
      : changed.length === 0
        ? 'unchanged'
        : onConflict === 'skip'
          ? 'skipped'
          : 'updated';
    if (outcome === 'updated' && onConflict === 'fail' && !isCounted) {
      problems.add(placed(changed[0] ?? '', `the store has ${kind.nameOf(record)} with another value`));
      return;
    }
    if (!isCounted) {
      report.counts[outcome] += 1;
      const edits = outcome === 'updated' && stored ? replacedEdits({ changed, shown, stored }) : [];
      for (const [why, ...one] of [...edits, ...warnings]) report.warnings.push([why, placed(...one)]);
    }
    const isWritten = isNew || outcome === 'updated' || (isCounted && changed.length > 0);
    if (refuseAny(isWritten && isTrusted === false ? untrustedValues(kind, { shown, stored }) : [])) return;
    const refused = (error: unknown) => Promise.reject(atLines(error, [entry]));
    const key = isWritten ? await write(writing).catch(refused) : (stored?.key ?? 0);
    if (isWritten) report.changed.set(kind, [...(report.changed.get(kind) ?? []), key]);
    if (isCounted || onCompared === undefined) return;
    report.compared.push({ entry, key, difference: differenceOf(entry, { changed, shown, stored }) });
  }
}

/** What a store keeps although it is the default stays. */
function withUsual({ record, usual = {} }: Entry, stored: Stored | null): JsonObject {
  const [{ tvs }, { tvs: known }] = [record, stored?.record ?? {}];
  if (!isJsonObject(tvs) || !isJsonObject(known)) return record;
  const kept = Object.entries(usual).filter(([name, value]) => isSameJson(known[name], value));
  return kept.length === 0 ? record : { ...record, tvs: { ...tvs, ...Object.fromEntries(kept) } };
}

function hint(name: string, known: readonly string[]): string {
  const near = nearMatch(name, known);
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${JSON.stringify(near)}?`;
}
