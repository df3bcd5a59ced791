/** The tags of changed rows that a caller sees or saw (docs/changes.md); 'everything' when rows cannot be named. */
import { holdsScope } from '../../access/admit.js';
import { foldText } from '../../store/sqlite/fold.js';
import { groupBy } from '../../values/batches.js';
import { perObject } from '../../values/kept-values.js';
import type { ObjectDefinition } from '../objects/definition.js';
import {
  type Caller,
  mayPreview,
  maySeeDeleted,
  type RowPolicy,
  rowPolicy,
  usableContexts,
  visible,
} from '../query/authorize.js';
import { all, fieldRef, hasAnyKey } from '../query/predicate.js';
import { cellsOf, mayMatch } from '../reading/may-match.js';
import { type ContentReader, selectRows } from '../reading/select-rows.js';
import { anyRow } from './content-change.js';
import {
  announcedFields,
  contextTag,
  type FieldValues,
  factsOf,
  keyTag,
  mediaObject,
  objectTag,
  type RowChange,
  tagsOfRow,
} from './mutation.js';

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
    const definition = registry.objects.get(name);
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
interface Seen extends RowChange {
  readonly row: FieldValues | null;
  /** Its former values are unknown. */
  readonly isForeign: boolean;
}

async function tagsOfObject(asked: AskedObject, changes: readonly RowChange[]): Promise<readonly string[]> {
  const policyOf = policiesOf(asked);
  const shown = showing(asked, policyOf);
  const foreign = changes.filter(({ before, after }) => !isKnown(before) && !isKnown(after));
  const found = await readRows(asked, foreign);
  const seen = changes.map((change): Seen => {
    const isForeign = foreign.includes(change);
    const before = isKnown(change.before) ? change.before : null;
    const after = isForeign ? (found.get(String(change.key)) ?? null) : change.after;
    return { ...change, row: after ?? before, before: shown(before), after: shown(after), isForeign };
  });
  const open = await unprotected(asked, seen, policyOf);
  return seen.flatMap((one) => tagsOf(one, { open }));
}

function tagsOf(
  { object, key, row, before, after, isForeign }: Seen,
  { open }: { readonly open: ReadonlySet<string> },
): readonly string[] {
  const isShown = before !== null || after !== null;
  if (isShown && open.has(String(key))) return tagsOfRow({ object, key, before, after });
  // The caller may have seen it until another program hid, moved or removed it.
  if (isForeign) return [objectTag(object), keyTag(object, key)];
  const isRemoved = row === before;
  if (before === null || !isRemoved) return [];
  // What protected the row is removed with it: the caller learns only that something is gone.
  const { context_key: context } = before;
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

type PolicyOf = (values: FieldValues | null) => RowPolicy | null;

function policiesOf({ caller, definition }: AskedObject): PolicyOf {
  const { context: field } = definition.visibility;
  const asked = { preview: mayPreview(caller), includeDeleted: maySeeDeleted(caller), purpose: 'read' } as const;
  const contexts = field === undefined ? [caller.defaultContext] : usableContexts(caller);
  const policies = new Map(
    contexts.map((context) => [context, rowPolicy(definition, caller, { ...asked, context })] as const),
  );
  return (values) => {
    const context = field === undefined ? caller.defaultContext : String(values?.[field] ?? '');
    return (values && policies.get(context)) ?? null;
  };
}

function showing({ definition, reader }: AskedObject, policyOf: PolicyOf) {
  const rules = { fold: foldText, mayHoldNull: reader.table(definition).mayHoldNull };
  const matcherOf = perObject((policy: RowPolicy) => mayMatch(visible(definition, policy), rules));
  return (values: FieldValues | null): FieldValues | null => {
    const policy = policyOf(values);
    return values && policy && matcherOf(policy)(cellsOf(definition, values)) ? values : null;
  };
}

/** Keys of rows that no resource group hides from the caller. A removed row counts only if no group protects any. */
async function unprotected(
  { definition, reader }: AskedObject,
  rows: readonly Seen[],
  policyOf: PolicyOf,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const ref = fieldRef(definition, definition.primaryKey);
  for (const [policy, changes] of groupBy(rows, ({ row }) => policyOf(row))) {
    if (policy === null) continue;
    const { groups } = policy;
    if (groups.protecting.length === 0) for (const { key } of changes) open.add(String(key));
    else {
      const where = all([hasAnyKey(definition, keysOf(changes)), { kind: 'resource_groups', ref, ...groups }]);
      const found = await selectRows(reader, definition, { needed: [definition.primaryKey], where });
      for (const row of found) open.add(String(row.raw(definition.primaryKey)));
    }
  }
  return open;
}
