/** Stores that files are imported into and exported from. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../../../src/errors/app-error.js';
import { readFolderConfig } from '../../../src/operations/transfer/folder-config.js';
import { FolderFound, type FolderSource } from '../../../src/operations/transfer/folder-entry.js';
import { type ImportCounts, importRecords } from '../../../src/operations/transfer/import-records.js';
import { neverExported } from '../../../src/operations/transfer/kind.js';
import { transferKinds } from '../../../src/operations/transfer/kinds.js';
import { readNdjson, writeNdjson } from '../../../src/operations/transfer/ndjson.js';
import { type Filter, LineProblems } from '../../../src/operations/transfer/transfer-record.js';
import { exportRecords, importSite } from '../../../src/operations/transfer/transfer-site.js';
import { Warnings } from '../../../src/operations/transfer/warnings.js';
import type { Store } from '../../../src/store/open/open.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

export const header = '{"hcd":1,"exported":"2026-11-21T12:00:00Z"}';
export const kinds = transferKinds(null);

export type Line = string | readonly [object: string, record: Readonly<Record<string, unknown>>];

export function fileOf(...lines: readonly Line[]): string {
  const texts = lines.map((line) =>
    typeof line === 'string' ? line : JSON.stringify({ object: line[0], record: line[1] }),
  );
  return [header, ...texts].join('\n');
}

/** An empty store of the program, migrated. */
export function migratedStore(databaseUrl: string): Promise<Store> {
  return openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
}

type How = Partial<Pick<Parameters<typeof importRecords>[0], 'isDry' | 'onConflict' | 'within' | 'onCompared'>>;

export function importText(store: Store, text: string, how: How = {}): Promise<ImportCounts> {
  const problems = new LineProblems();
  const records = readNdjson(Readable.from([Buffer.from(text)]), { problems });
  return importRecords({ store, kinds, records, problems, by: 'test', ...how });
}

/** All or nothing. */
export function importAtOnce(store: Store, text: string): Promise<ImportCounts> {
  return store.content.write((tx) => importText(store, text, { within: { tx, database: 'content' } }));
}

/** The lines, some at a time. */
export function exportParts(store: Store, filter: Filter = {}): AsyncGenerator<string> {
  const chosen = [...kinds.values()].filter(({ object }) => !neverExported.has(object));
  return writeNdjson(exportRecords(store, { kinds: chosen, filter }), { exported: '2026-11-21T12:00:00Z' });
}

export async function exportText(store: Store, filter: Filter = {}): Promise<string> {
  const parts: string[] = [];
  for await (const part of exportParts(store, filter)) parts.push(part);
  return parts.join('');
}

export function writeFiles(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function runSql({ content }: Store, sql: string) {
  return content.write((tx) => tx.run({ sql, params: [] }));
}

/** Throws when the folder has no `.gitify`. */
export async function folderSource(root: string): Promise<FolderSource> {
  const config = await readFolderConfig(root);
  if (config === null) throw new Error('no .gitify');
  return { config, found: new FolderFound(), hasOpenGroups: true };
}

export async function importFolder(store: Store, root: string, more: Partial<FolderSource> = {}, isDry = false) {
  const how = { isDry, isAtomic: false, isTrusted: false, onConflict: 'update', by: 'test' } as const;
  const source = { ...(await folderSource(root)), ...more };
  return importSite({ store, registry: null }, { ...how, source, warnings: new Warnings() });
}

/** By line. */
export async function problemsOf(work: Promise<unknown>): Promise<Readonly<Record<string, readonly string[]>>> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return {};
  if (error instanceof AppError && error.code === 'refused') return error.details.fields ?? { [error.message]: [] };
  throw error;
}
