/** The rows that a store of its own has once the sample site is loaded, and the records of the files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiNames } from '../../src/config/value-type.js';
import { loadSample } from '../../src/operations/sample/load-sample.js';
import { readTables } from '../../src/store/base/columns.js';
import type { RawValue } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import { repository } from '../architecture/source-file.js';
import { freshSqliteUrl } from '../support/databases.js';
import { openMigrated } from '../support/migrate.js';
import { patientLimits } from '../support/patient-limits.js';

export type Row = Readonly<Record<string, RawValue>>;

const prefix = 'modx_';

/** Opens a store with the sample site in it. */
export async function loadedStore(databaseUrl: string): Promise<Store> {
  const store = await openMigrated({ databaseUrl, prefix, limits: patientLimits });
  await loadSample(store, { env: {}, apis: apiNames, onProgress: () => undefined });
  return store;
}

/** By table without the prefix; in the order of the primary keys. */
export async function readRows({ content }: Store): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, readonly Row[]>();
  for (const [name, { columns }] of await readTables(content.primary, prefix)) {
    const names = [...columns.keys()];
    const list = names.map((column) => `\`${column}\``).join(', ');
    const rows = await content.select({ sql: `SELECT ${list} FROM \`${name}\` ORDER BY 1, 2`, params: [] });
    tables.set(
      name.slice(prefix.length),
      rows.map((row) => Object.fromEntries(names.map((column, index) => [column, row[index] ?? null]))),
    );
  }
  return tables;
}

const store = await loadedStore(await freshSqliteUrl());
export const tables = await readRows(store);
await store.close();

export function rowsOf(table: string): readonly Row[] {
  return tables.get(table) ?? [];
}

/** Records of a file of the sample site, in their order. */
export function recordsOf(
  file: string,
): readonly { readonly object: string; readonly record: Record<string, unknown> }[] {
  const text = readFileSync(join(repository, 'assets/sample', `${file}.ndjson`), 'utf8');
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

export const resources = rowsOf('site_content');
export const living = resources.filter((row) => row['deleted'] === 0);
