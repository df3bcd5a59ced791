/** Records of the store that a folder no longer has, and their removal with the rows that belong to them. */
import { deleteRows } from '../../content/models/rows.js';
import type { Tx } from '../../store/base/database.js';
import { touch } from '../../store/base/transaction.js';
import { bumpOfBulk } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { JsonObject } from '../../values/json.js';
import type { FolderConfig } from './folder-config.js';
import { readWhole } from './folder-rows.js';
import { isWithin } from './folder-where.js';
import type { Kind, RowKey, Scope } from './kind.js';
import { recordKinds } from './kinds.js';
import { tableRows } from './table-rows.js';

export interface GoneRecord {
  readonly kind: Kind;
  readonly key: RowKey;
  readonly record: JsonObject;
}

/** Rows of other tables: the table, and its column with the id or key of the record. */
const belonging: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  contexts: [
    ['context_setting', 'context_key'],
    ['context_resource', 'context_key'],
    ['access_context', 'target'],
  ],
  categories: [
    ['categories_closure', 'descendant'],
    ['categories_closure', 'ancestor'],
  ],
  tvs: [
    ...([
      ['site_tmplvar_templates', 'tmplvarid'],
      ['site_tmplvar_contentvalues', 'tmplvarid'],
    ] as const),
    ...([['site_tmplvar_access', 'tmplvarid']] as const),
  ],
  templates: [['site_tmplvar_templates', 'templateid']],
  resource_groups: [['document_groups', 'document_group']],
  resources: [
    ['site_tmplvar_contentvalues', 'contentid'],
    ['document_groups', 'document'],
    ['context_resource', 'resource'],
  ],
};

const together = 200;

/** Of the partitions of the folder, as far as their conditions reach; the last objects first. Never the manager's context. */
export async function* goneRecords(
  scope: Scope,
  {
    kinds,
    config,
    seen,
  }: {
    readonly kinds: ReadonlyMap<string, Kind>;
    readonly config: FolderConfig;
    readonly seen: ReadonlyMap<Kind, ReadonlySet<RowKey>>;
  },
): AsyncGenerator<readonly GoneRecord[]> {
  for (const kind of [...kinds.values()].toReversed()) {
    const { kept, where = [] } = config.partitions.find((one) => one.kept?.object === kind.object) ?? { kept: null };
    const rowKind = recordKinds[kind.object];
    if (kept === null || rowKind === undefined || kind.isLocal) continue;
    const keys = seen.get(kind) ?? new Set();
    for await (const listed of kind.list(scope, {})) {
      for (const some of batchesOf(
        listed.filter((key) => !keys.has(key)),
        together,
      )) {
        const rows = where.length === 0 ? [] : await readWhole(scope, rowKind, kept, some);
        const { keyOf } = tableRows(rowKind);
        const inside = where.length === 0 ? some : rows.filter((row) => isWithin(where, row)).map(keyOf);
        const records = await kind.show(scope, inside, { isWhole: false });
        const gone = [...records].map(([key, record]) => ({ kind, key, record }));
        yield gone.filter(({ record }) => kind.object !== 'contexts' || record['key'] !== 'mgr');
      }
    }
  }
}

export async function removeRecords(tx: Tx, { prefix, tables }: Scope, gone: readonly GoneRecord[]): Promise<void> {
  for (const { kind, key, record } of gone) {
    const rowKind = recordKinds[kind.object];
    if (rowKind === undefined) continue;
    const id = kind.object === 'contexts' ? String(record['key']) : Number(key);
    for (const [name, column] of belonging[kind.object] ?? []) {
      const table = prefix + name;
      if (tables.has(table)) await deleteRows(tx, { table, where: { [column]: id } });
    }
    if (kind.object === 'tvs') {
      const where = { object: id, object_class: 'MODX\\Revolution\\modTemplateVar' };
      await deleteRows(tx, { table: `${prefix}media_sources_elements`, where });
    }
    await deleteRows(tx, { table: prefix + rowKind.table, where: tableRows(rowKind).whereOf(key) });
  }
}

/** As an import does after its rows. */
export async function tellOfChange(tx: Tx): Promise<void> {
  touch(tx, 'live');
  touch(tx, 'banners');
  await bumpOfBulk(tx);
}
