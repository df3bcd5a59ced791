/** Records of the store that a folder no longer has, and their removal with the rows that belong to them. */
import { elementKinds, kindNamed } from '../../content/elements/element-kinds.js';
import { type ElementUser, settingsNaming, usersOf } from '../../content/elements/element-users.js';
import { type ElementWork, loadElement, startElement } from '../../content/elements/element-work.js';
import { dropElement, usedBy } from '../../content/elements/remove-element.js';
import type { FieldValues, RowChange } from '../../content/live/mutation.js';
import { documentGroups, resourceGroupRules } from '../../content/models/access.js';
import { redirects } from '../../content/models/redirects.js';
import { deleteResource, siteContent } from '../../content/models/resources.js';
import { readSystemSettings } from '../../content/models/settings.js';
import { rememberMoved, type Write } from '../../content/mutations/run-mutation.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { deleteRows } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import type { JsonObject } from '../../values/json.js';
import type { FolderConfig } from './folder-config.js';
import { isHeld, readWhole } from './folder-rows.js';
import { tellOfBulk } from './import-batches.js';
import { type Kind, neverExported, type RowKey, type Scope } from './kind.js';
import { recordKinds } from './kinds.js';
import { tableRows } from './table-rows.js';

interface GoneRecord {
  readonly kind: Kind;
  readonly key: RowKey;
  readonly id: number | string;
  readonly name: string;
  readonly record: JsonObject;
}

interface Found {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly config: FolderConfig;
  readonly seen: ReadonlyMap<Kind, ReadonlySet<RowKey>>;
}

/** Of the partitions of the folder, as far as their class and conditions reach; the last objects first. */
export async function* goneRecords(
  scope: Scope,
  { kinds, config, seen }: Found,
): AsyncGenerator<readonly GoneRecord[]> {
  const needed = await neededRecords(scope);
  for (const kind of [...kinds.values()].toReversed()) {
    // A partition with a limit does not say what the folder lacks.
    const partitions = config.partitions.filter((one) => one.object === kind.object && one.limit === null);
    const [kept] = partitions;
    const rowKind = recordKinds[kind.object];
    if (kept === undefined || rowKind === undefined || neverExported.has(kind.object)) continue;
    const keys = seen.get(kind) ?? new Set();
    for await (const listed of kind.list(scope, {})) {
      const missing = listed.filter((key) => !keys.has(key) && !needed.has(`${kind.object} ${key}`));
      for (const some of batchesOf(missing)) {
        const rows = await readWhole(scope, rowKind, kept, some);
        const held = rows.filter((row) => partitions.some((one) => isHeld(one, row)));
        const records = await kind.show(scope, held.map(tableRows(rowKind).keyOf), { isWhole: false });
        yield [...records].map(([key, record]) => ({
          ...{ kind, key, record },
          ...{ id: idOf(kind, key, record), name: kind.nameOf(record) },
        }));
      }
    }
  }
}

function idOf({ object }: Kind, key: RowKey, record: JsonObject): number | string {
  if (object === 'contexts') return String(record['key']);
  return object === 'context_settings' ? `${record['context']}.${record['key']}` : Number(key);
}

/** What every site has stays, also where the folder does not have it. */
async function neededRecords({ readers, prefix }: Scope): Promise<ReadonlySet<string>> {
  const settings = await readSystemSettings(readers.content, prefix, ['default_content_type', 'default_media_source']);
  const idOf = (name: string): string => settings.find(({ key }) => key === name)?.value ?? '1';
  return new Set([
    ...['contexts ["mgr"]', 'contexts ["web"]'],
    ...[`content_types ${idOf('default_content_type')}`, `media_sources ${idOf('default_media_source')}`],
  ]);
}

type Gone = Omit<GoneRecord, 'record'>;

interface Use {
  readonly one: Gone;
  /** Null for what is no element. */
  readonly work: ElementWork | null;
  readonly users: readonly ElementUser[];
}

export interface Pruning {
  readonly editing: Pick<Write, 'writer' | 'caller'>;
  readonly force: boolean;
  readonly onRemoved: (gone: readonly string[]) => void;
}

type ResourcesById = ReadonlyMap<number, FieldValues>;

export type Moved = Map<number, { readonly id: number; readonly createdon: string }>;

/** A page with another id and address now is the one with the id in the folder, unless made at another time. */
export async function keepAddresses(tx: Tx, removed: ResourcesById, moved: Moved): Promise<void> {
  const rows: RowChange[] = [];
  for (const [id, before] of removed) {
    const found = moved.get(id);
    const isSame = found !== undefined && ['', before['createdon']].includes(found.createdon);
    const now = isSame ? found.id : id;
    if (now !== id) await redirects.on(tx).update({ resource: now }, { where: { resource: id } });
    rows.push({ object: 'resources', key: now, before, after: now === id ? null : {} });
  }
  await rememberMoved(tx, { rows });
}

/** Throws `conflict` for what records that stay use, without `force`. */
export async function removeGone(
  tx: Tx,
  scope: Scope,
  { editing, force, onRemoved, ...found }: Found & Pruning,
): Promise<{ readonly count: number; readonly resources: ResourcesById }> {
  const gone: Gone[] = [];
  const resources = new Map<number, FieldValues>();
  for await (const some of goneRecords(scope, found)) {
    for (const { record, ...one } of some) {
      gone.push(one);
      const { uri, context_key: context, published, deleted, createdon } = record;
      const before = { uri: String(uri ?? ''), context_key: String(context), published: published === true };
      if (one.kind.object === 'resources') {
        resources.set(Number(one.key), { ...before, deleted: deleted === true, createdon: String(createdon) });
      }
    }
  }
  onRemoved(gone.map(({ kind, name }) => `${kind.object} ${name}`));
  const removed = new Set(gone.map(({ kind, id }) => `${kind.object} ${id}`));
  const uses: Use[] = [];
  const write = { tx, ...editing };
  const settings = await settingsNaming(tx, scope.prefix);
  for (const one of gone) {
    const work = workOn(write, one.kind.object);
    const all = work === null ? await pagesWith(tx, scope, one) : await usersOf(work, one.id, one.name);
    const naming = one.kind.object === 'resources' ? settings.resources(Number(one.id)) : [];
    const users = [...naming, ...all].filter(({ object, id }) => !removed.has(`${object} ${id}`));
    uses.push({ one, work, users });
  }
  const used = uses.filter(({ users }) => users.length > 0);
  if (used.length > 0 && !force) throw inUse(used);
  for (const use of uses) await remove(tx, scope, use);
  if (gone.length > 0) await tellOfBulk(tx);
  return { count: gone.length, resources };
}

function workOn(write: Pick<Write, 'tx' | 'writer' | 'caller'>, object: string): ElementWork | null {
  return elementKinds.some((kind) => kind.object === object) ? startElement(write, kindNamed(object)) : null;
}

/** Those below a resource, or in a resource group. */
async function pagesWith(tx: Tx, { prefix }: Scope, { kind, id }: Gone): Promise<readonly ElementUser[]> {
  const isGroup = kind.object === 'resource_groups';
  const members = isGroup ? await documentGroups.on(tx, prefix).lookUpAll({ document_group: Number(id) }) : [];
  const where = kind.object === 'resources' ? { parent: Number(id) } : { id: members.map(({ document }) => document) };
  const rows = await siteContent.on(tx, prefix).lookUpAll(where, { attributes: ['id', 'pagetitle'] });
  return rows.map((row) => ({ object: 'resources', id: row.id, name: row.pagetitle }));
}

const mostShown = 3;

function inUse(used: readonly Use[]): AppError {
  const some = used
    .slice(0, mostShown)
    .map(({ one, users }) => `${one.kind.object} ${one.name} is used by ${usedBy(users)}`);
  const more = used.length > mostShown ? `; so are ${used.length - mostShown} more` : '';
  const message = `Not in the folder, but in use: ${some.join('; ')}${more}. Put the files back, or remove the records with --force`;
  return new AppError('conflict', { message, details: { usedBy: used.flatMap(({ users }) => users).slice(0, 100) } });
}

async function remove(tx: Tx, { prefix, tables }: Scope, { one, users, work }: Use): Promise<void> {
  const { kind, key, id } = one;
  if (work !== null) {
    await dropElement(work, { key: id, row: await loadElement(work, id), users });
    return;
  }
  if (kind.object === 'resources') {
    await deleteResource(tx, { prefix, id: Number(id), hasTable: (name) => tables.has(name) });
    return;
  }
  if (kind.object === 'resource_groups') {
    await documentGroups.on(tx, prefix).destroy({ where: { document_group: Number(id) } });
    await resourceGroupRules.on(tx, prefix).destroy({ where: { target: String(id) } });
  }
  const rowKind = recordKinds[kind.object];
  if (rowKind !== undefined)
    await deleteRows(tx, { table: prefix + rowKind.table, where: tableRows(rowKind).whereOf(key) });
}
