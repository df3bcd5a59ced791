/** Batches of records that are written together, and what the store has of them. */
import type { JsonValue } from '../../content/objects/values.js';
import { addedBinding, evaluatedBinding } from '../../content/rules/tv-values.js';
import type { Tx } from '../../store/base/database.js';
import { touch } from '../../store/base/transaction.js';
import { bumpOfBulk } from '../../store/state/state.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import type { Kind, RowKey, Scope, Stored } from './kind.js';
import { type TransferRecord, type Warned, WrongValue } from './transfer-record.js';

export interface Entry extends TransferRecord {
  readonly kind: Kind;
  /** It is written so far, and counted. */
  readonly isCounted: boolean;
}

export type Waiting = Omit<Entry, 'kind'>;

export const mostTogether = { records: 200, characters: 1_000_000 };

export async function readStored(scope: Scope, batch: readonly Entry[]): Promise<ReadonlyMap<Entry, Stored>> {
  const keys = new Map<Kind, Map<RowKey, Entry>>();
  for (const entry of batch) {
    const key = await findKey(scope, entry);
    if (key === undefined) continue;
    const ofKind = keys.get(entry.kind) ?? new Map<RowKey, Entry>();
    keys.set(entry.kind, ofKind.set(key, entry));
  }
  const found = new Map<Entry, Stored>();
  for (const [kind, entries] of keys) {
    const records = await kind.show(scope, [...entries.keys()], { isWhole: true });
    // A dry run has not written all of them.
    for (const [key, entry] of entries) found.set(entry, { key, record: records.get(key) ?? {} });
  }
  return found;
}

/** Undefined also for a record without a valid name: reading its members says what is wrong. */
async function findKey(scope: Scope, { kind, record }: Entry): Promise<RowKey | undefined> {
  try {
    return await kind.find(scope, record);
  } catch (error) {
    if (error instanceof WrongValue) return undefined;
    throw error;
  }
}

export interface Difference {
  readonly object: string;
  readonly key: string;
  readonly action: 'create' | 'update' | 'remove';
  readonly fields: Readonly<Record<string, { readonly from: JsonValue; readonly to: JsonValue }>>;
}

interface Change {
  readonly changed: readonly string[];
  readonly shown: Readonly<Record<string, JsonValue>>;
  readonly stored: Stored | null;
}

/** An export after the last edit in the site has its time. */
export function replacedEdits({ changed, shown, stored }: Change): readonly Warned[] {
  const edited = stored?.record['editedon'];
  const members = changed.filter((name) => name !== 'editedon' && name !== 'editedby');
  if (shown['editedon'] === undefined || typeof edited !== 'string' || members.length === 0) return [];
  if (edited <= String(shown['editedon'] ?? '')) return [];
  return [['edit', 'editedon', `is ${edited} in the site: the import replaces ${members.join(', ')} of a later edit`]];
}

export function differenceOf({ kind, object, record }: Entry, { changed, shown, stored }: Change): Difference | null {
  if (changed.length === 0 && stored !== null) return null;
  const from = stored?.record ?? {};
  const fields = changed.map((field) => [
    field,
    { from: (from[field] ?? null) as JsonValue, to: shown[field] ?? null },
  ]);
  const action = stored === null ? 'create' : 'update';
  return { object, key: kind.nameOf(record), action, fields: Object.fromEntries(fields) };
}

/** The CMS may evaluate texts of these members. */
const evaluated: Readonly<Record<string, readonly string[]>> = {
  resources: ['tvs'],
  tvs: ['default_text', 'elements'],
};

/** Values that the CMS would evaluate, where the store has others: the member, and what is wrong. */
export function untrustedValues(
  { object }: Kind,
  { shown, stored }: { readonly shown: JsonObject; readonly stored: Stored | null },
): readonly (readonly [member: string, problem: string])[] {
  return (evaluated[object] ?? []).flatMap((member) => {
    const [value, old] = [shown[member], stored?.record[member]];
    // Each template variable of a resource is compared with its own value.
    const byName = isJsonObject(value) ? value : { '': value };
    return Object.entries(byName).flatMap(([name, one]) => {
      const added = addedBinding(one, isJsonObject(old) ? old[name] : old);
      if (added === null) return [];
      const what = `${name} has ${evaluatedBinding(added)}, which the CMS evaluates`.trimStart();
      return [[member, `${what}; --trust imports it`] as const];
    });
  });
}

/** Records of one database per batch: content comes before the records that name it. */
export async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let batch: Entry[] = [];
  let characters = 0;
  for await (const entry of entries) {
    const [first] = batch;
    const isFull = batch.length >= mostTogether.records || characters >= mostTogether.characters;
    if (first && (isFull || first.kind.database !== entry.kind.database)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(entry);
    characters += lengthOf(entry.record);
  }
  if (batch.length > 0) yield batch;
}

export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, one) => sum + lengthOf(one), 0);
}

/** After the last row: other writers wait from now on. */
export async function tellOfBulk(tx: Tx): Promise<void> {
  touch(tx, 'live');
  touch(tx, 'banners');
  await bumpOfBulk(tx);
}
