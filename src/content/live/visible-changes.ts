/**
 * The tags of changed rows that a caller sees or saw before (docs/changes.md); 'everything' when rows of an object cannot be
 * named. Rows the CMS changed are read.
 */
import { holdsScope } from '../../access/admit.js';
import { foldText } from '../../store/sqlite/fold.js';
import type { ObjectDefinition } from '../objects/definition.js';
import {
  type Caller,
  mayPreview,
  maySeeDeleted,
  mayUseContext,
  type RowPolicy,
  rowPolicy,
  visible,
} from '../query/authorize.js';
import { cellsOf, type MayMatch, mayMatch } from '../query/may-match.js';
import { all, fieldRef, hasAnyKey } from '../query/predicate.js';
import { type ContentReader, selectRows } from '../reading/select-rows.js';
import { anyRow } from './content-change.js';
import { contextTag, keyTag, mediaObject, objectTag, tagsOfRow } from './content-tags.js';
import { announcedFields, type FieldValues, factsOf, type RowChange } from './mutation.js';

interface Asked {
  readonly reader: ContentReader;
  readonly caller: Caller;
}

export async function visibleTags(asked: Asked, rows: readonly RowChange[]): Promise<readonly string[] | 'everything'> {
  const { registry } = asked.reader;
  const tags = new Set<string>();
  for (const name of new Set(rows.map(({ object }) => object))) {
    const changes = rows.filter(({ object }) => object === name);
    if (changes.some(({ key }) => key === anyRow)) return 'everything';
    if (name === mediaObject) {
      for (const change of changes) for (const tag of tagsOfRow(change)) tags.add(tag);
      continue;
    }
    const definition = registry.get(name);
    if (definition === undefined || !mayRead(definition, asked.caller)) continue;
    for (const tag of await tagsOfObject({ ...asked, definition }, changes)) tags.add(tag);
  }
  return [...tags];
}

/** A caller that may ask for changes may read resources. */
function mayRead({ name }: ObjectDefinition, { identity, sessions }: Caller): boolean {
  return name === 'resources' || holdsScope(identity, `${name}.read`, sessions);
}

interface AskedObject extends Asked {
  readonly definition: ObjectDefinition;
}

/** Without protection by groups. */
interface Seen {
  readonly change: RowChange;
  readonly row: FieldValues | null;
  readonly before: FieldValues | null;
  readonly after: FieldValues | null;
  /** Its former values are unknown. */
  readonly isForeign: boolean;
}

async function tagsOfObject(asked: AskedObject, changes: readonly RowChange[]): Promise<readonly string[]> {
  const eyes = new Eyes(asked);
  const foreign = changes.filter(({ before, after }) => !isKnown(before) && !isKnown(after));
  const found = await readRows(asked, foreign);
  const seen = changes.map((change): Seen => {
    const isForeign = foreign.includes(change);
    const before = isKnown(change.before) ? change.before : null;
    const after = isForeign ? (found.get(String(change.key)) ?? null) : change.after;
    const shown = (values: FieldValues | null) => (values !== null && eyes.see(values) ? values : null);
    return { change, row: after ?? before, before: shown(before), after: shown(after), isForeign };
  });
  const open = await eyes.unprotected(seen);
  return seen.flatMap((one) => tagsOf(one, { open }));
}

function tagsOf(
  { change, before, after, isForeign }: Seen,
  { open }: { readonly open: ReadonlySet<string> },
): readonly string[] {
  const { object, key } = change;
  const isShown = before !== null || after !== null;
  if (isShown && open.has(String(key))) return tagsOfRow({ object, key, before, after });
  // The caller may have seen it until another program hid, moved or removed it.
  if (isForeign) return [objectTag(object), keyTag(object, key)];
  if (!isShown || change.after !== null) return [];
  // What protected the row is removed with it: the caller learns only that something is gone.
  const context = before?.['context_key'];
  return [objectTag(object), ...(typeof context === 'string' ? [contextTag(context)] : [])];
}

function isKnown(values: FieldValues | null): values is FieldValues {
  return values !== null && Object.keys(values).length > 0;
}

async function readRows(
  { reader, definition }: AskedObject,
  changes: readonly RowChange[],
): Promise<ReadonlyMap<string, FieldValues>> {
  if (changes.length === 0) return new Map();
  const names = announcedFields(definition, reader.registry);
  const where = hasAnyKey(definition, keysOf(changes));
  const rows = await selectRows(reader, definition, { needed: names, where });
  return new Map(rows.map((row) => [String(row.raw(definition.primaryKey)), factsOf(definition, names, row)]));
}

const keysOf = (changes: readonly RowChange[]) => changes.map(({ key }) => key);

class Eyes {
  readonly #asked: AskedObject;
  readonly #policies = new Map<string, RowPolicy | null>();
  readonly #matchers = new Map<RowPolicy, MayMatch>();

  constructor(asked: AskedObject) {
    this.#asked = asked;
  }

  policy(values: FieldValues): RowPolicy | null {
    const { caller, definition } = this.#asked;
    const { context: field } = definition.visibility;
    const context = field === undefined ? caller.defaultContext : String(values[field] ?? '');
    const known = this.#policies.get(context);
    if (known !== undefined) return known;
    const isUsable =
      field === undefined ||
      (caller.allowedContexts.includes(context) && caller.contextExists(context) && mayUseContext(caller, context));
    const asked = { preview: mayPreview(caller), includeDeleted: maySeeDeleted(caller), purpose: 'read' } as const;
    const policy = isUsable ? rowPolicy(definition, caller, { ...asked, context }) : null;
    this.#policies.set(context, policy);
    return policy;
  }

  see(values: FieldValues): boolean {
    const { definition, reader } = this.#asked;
    const policy = this.policy(values);
    if (policy === null) return false;
    const rules = { fold: foldText, mayHoldNull: reader.table(definition).mayHoldNull };
    const matches = this.#matchers.get(policy) ?? mayMatch(visible(definition, policy), rules);
    this.#matchers.set(policy, matches);
    return matches(cellsOf(definition, values));
  }

  /** Keys of rows that no resource group hides from the caller. A removed row counts only if no group protects any. */
  async unprotected(rows: readonly Seen[]): Promise<ReadonlySet<string>> {
    const { definition, reader } = this.#asked;
    const open = new Set<string>();
    const guarded = new Map<RowPolicy, RowChange[]>();
    for (const { change, row } of rows) {
      const policy = row === null ? null : this.policy(row);
      if (policy === null) continue;
      if (policy.groups.protecting.length === 0) open.add(String(change.key));
      else guarded.set(policy, [...(guarded.get(policy) ?? []), change]);
    }
    const ref = fieldRef(definition, definition.primaryKey);
    for (const [{ groups }, changes] of guarded) {
      const where = all([hasAnyKey(definition, keysOf(changes)), { kind: 'resource_groups', ref, ...groups }]);
      const found = await selectRows(reader, definition, { needed: [definition.primaryKey], where });
      for (const row of found) open.add(String(row.raw(definition.primaryKey)));
    }
    return open;
  }
}
