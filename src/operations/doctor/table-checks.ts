/** Checks of the content tables as they are: what they lack, engines, character sets, collations, indexes. */
import { coreObjects } from '../../content/objects/core-objects.js';
import type { Column } from '../../store/base/columns.js';
import { type Check, count, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';
import { checkIndexes } from './index-check.js';
import { checkOwnTables } from './own-tables-check.js';
import { lacksTransactions, readTables, tableNames } from './read-tables.js';

export const tableChecks: readonly Check[] = [
  { name: 'tables', needs: 'content', run: checkTables },
  { name: 'columns', needs: 'content', run: checkColumns },
  { name: 'engines', needs: 'content', run: checkEngines },
  { name: 'own-tables', needs: 'content', run: checkOwnTables },
  { name: 'character-sets', needs: 'content', run: checkCharacterSets },
  { name: 'collations', needs: 'content', run: checkCollations },
  { name: 'indexes', needs: 'content', run: checkIndexes },
];

function checkTables({ store: { tables, prefix } }: StoreFacts): Finding {
  const missing = tableNames.map((name) => `${prefix}${name}`).filter((name) => !tables.has(name));
  if (missing.length === 0) return ok(`${tableNames.length} of ${tableNames.length} tables are there`);
  return error(`missing: ${missing.join(', ')}`, 'Restore them from a backup, or let the setup of the CMS repair them');
}

/** Older releases of the CMS lack some columns; their fields are null. */
function checkColumns({ store: { tables, prefix } }: StoreFacts): Finding {
  const missing = coreObjects.flatMap(({ name, table, fields }) => {
    const columns = tables.get(`${prefix}${table}`)?.columns;
    if (columns === undefined) return [];
    return Object.entries(fields).flatMap(([field, { column }]) => (columns.has(column) ? [] : [`${name}.${field}`]));
  });
  if (missing.length === 0) return ok('every field has its column');
  return warning(`without a column, so always null: ${missing.join(', ')}`, 'Upgrading the CMS adds the columns');
}

function checkEngines(facts: StoreFacts): Finding {
  if (facts.store.content.dialect === 'sqlite') return ok('SQLite: every change is a transaction');
  const tables = readTables(facts);
  const without = tables.filter(lacksTransactions);
  const [first] = without;
  if (first === undefined) return ok(`${tables.length} tables with transactions`);
  const names = sample(without.map(({ name }) => name));
  return warning(
    `${without.length} of ${tables.length} tables are ${first.engine} and have no transactions (${names}): a change that fails or is cut off midway stays, whole or in part, without its webhook event, and sent again with its Idempotency-Key it may be made twice`,
    `The owner may run: ALTER TABLE ${first.name} ENGINE=InnoDB; and so on`,
  );
}

function textColumns(facts: StoreFacts): { readonly table: string; readonly column: Column }[] {
  return readTables(facts).flatMap(({ name, columns }) =>
    [...columns.values()].filter(({ charset }) => charset !== null).map((column) => ({ table: name, column })),
  );
}

function checkCharacterSets(facts: StoreFacts): Finding | Finding[] {
  if (facts.store.content.dialect === 'sqlite') return ok('UTF-8');
  const bySet = groupBy(textColumns(facts), ({ column }) => column.charset ?? '');
  const narrow = [...bySet].filter(([charset]) => charset !== 'utf8mb4');
  if (narrow.length === 0) return ok('utf8mb4 everywhere');
  return narrow.map(([charset, found]) => {
    const tables = [...new Set(found.map(({ table }) => table))];
    const isUtf8 = charset === 'utf8' || charset === 'utf8mb3';
    const refused = isUtf8 ? 'four-byte characters such as emoji' : `characters that ${charset} does not have`;
    return warning(
      `${charset} in ${count(tables.length, 'table', 'tables')} (${sample(tables)}): ${refused} are refused with 422`,
      `The owner may run: ALTER TABLE ${tables[0]} CONVERT TO CHARACTER SET utf8mb4; and so on`,
    );
  });
}

/** Our own comparisons state their collation; the CMS's joins between tables do not. */
function checkCollations(facts: StoreFacts): Finding {
  if (facts.store.content.dialect === 'sqlite') return ok('compared by code point');
  const counts = [...groupBy(textColumns(facts), ({ column }) => column.collation ?? '')]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([collation, columns]) => `${collation} (${count(columns.length, 'column', 'columns')})`);
  if (counts.length <= 1) return ok(counts.join(''));
  return warning(
    `several: ${counts.join(', ')}. hcd states its collation, but queries of the CMS that join such columns can fail`,
    'Convert all tables to one collation',
  );
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
