/** Loads a backup into new tables, table by table, reads each back and compares it. */
import { AppError } from '../../errors/app-error.js';
import type { Database, Param, RawRow } from '../../store/base/database.js';
import { presentNames } from '../../store/migrations/former-steps.js';
import { buildTables } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { addedColumns, type ColumnMap, mapColumns } from '../copy/column-map.js';
import { digestTable, RowDigest } from '../copy/row-digest.js';
import { canonicalRow } from '../copy/row-form.js';
import { checkIntegers, explainRefusal } from '../copy/row-refusals.js';
import { addColumnStatement, createTableStatements } from '../copy-tables/create-table.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import type { TableShape } from '../copy-tables/table-shape.js';
import { insertRows, raiseNextId, removeRows } from '../copy-tables/write-rows.js';
import type { BackupHead, BackupPart, BackupTotals } from './content-lines.js';
import { type StoredTable, storedColumns } from './stored-table.js';

interface LoadTarget {
  readonly database: Database;
  /** Under which the migrations make the new tables. */
  readonly prefixes: { readonly content: string; readonly own: string };
  /** Prefix that the content tables have in the end. */
  readonly contentPrefix: string;
  /** Real name of a new table. */
  nameOf(table: Pick<StoredTable, 'group' | 'name'>): string;
}

interface Loading {
  readonly target: LoadTarget;
  readonly migrations: readonly Migration[];
  readonly version: string;
}

/** Also applies the migrations that the backup lacks. */
export async function loadBackup(
  parts: AsyncIterable<BackupPart>,
  { target, migrations, version }: Loading,
): Promise<BackupTotals> {
  let later: readonly Migration[] = [];
  let table: TableLoad | undefined;
  let totals: BackupTotals | undefined;
  for await (const part of parts) {
    switch (part.kind) {
      case 'head': {
        const steps = stepsOf(part.head, migrations);
        later = migrations.slice(steps.length);
        await buildTables(target.database, { steps, prefixes: target.prefixes, version });
        break;
      }
      case 'table':
        await table?.finish();
        table = await TableLoad.begin(target, part.table);
        break;
      case 'rows':
        await table?.add(part.rows);
        break;
      case 'end':
        await table?.finish();
        totals = { tables: part.tables, rows: part.rows };
    }
  }
  // Only now is the end of the file known to be the end of the backup.
  if (totals === undefined) throw new AppError('backup_invalid');
  await buildTables(target.database, { steps: later, prefixes: target.prefixes, version });
  return totals;
}

/** A site of a CMS has no content steps, but its copy here gets them. */
function stepsOf({ version, migrations: applied }: BackupHead, known: readonly Migration[]): readonly Migration[] {
  const migrations = presentNames(applied, known);
  const newer = migrations.find((name) => !known.some((step) => step.name === name));
  if (newer !== undefined) {
    throw new AppError('backup_newer', {
      message: `The backup was written by hcd ${version} and holds migration ${newer}, which this program does not know`,
    });
  }
  const last = known.findLastIndex(({ name }) => migrations.includes(name));
  if (last < 0) throw new AppError('backup_invalid', { message: 'The backup names no migration' });
  return known.slice(0, last + 1);
}

class TableLoad {
  readonly #target: LoadTarget;
  readonly #stored: StoredTable;
  readonly #shape: TableShape;
  readonly #map: ColumnMap;
  readonly #places: readonly number[];
  readonly #digest = new RowDigest();

  private constructor(target: LoadTarget, { stored, shape }: { stored: StoredTable; shape: TableShape }) {
    this.#target = target;
    this.#stored = stored;
    this.#shape = shape;
    this.#map = mapColumns(stored.shape, shape);
    const columns = storedColumns(stored.shape);
    this.#places = this.#map.sourceColumns.map((name) => columns.indexOf(name));
  }

  static async begin(target: LoadTarget, stored: StoredTable): Promise<TableLoad> {
    const shape = await prepareTable(target, stored);
    // The backup has the rows that migrations add, too.
    await target.database.write((tx) => removeRows(tx, shape.name));
    return new TableLoad(target, { stored, shape });
  }

  async add(rows: readonly RawRow[]): Promise<void> {
    const { database } = this.#target;
    const columns = this.#map.targetColumns;
    const converted = rows.map((row): readonly Param[] => {
      const values = this.#map.convert(this.#places.map((place) => row[place] ?? null)).row;
      if (database.dialect === 'sqlite') checkIntegers(values, { table: this.#stored.shape, columns });
      return values;
    });
    const write = { table: this.#shape.name, columns, rows: converted };
    try {
      // A load that is interrupted is thrown away.
      await database.write((tx) => insertRows(tx, write), { mayBeUndone: true });
    } catch (error) {
      throw await explainRefusal(error, { target: database, write, table: this.#stored.shape });
    }
    for (const row of converted) this.#digest.add(canonicalRow(this.#map.kinds, row));
  }

  async finish(): Promise<void> {
    const { database } = this.#target;
    const { nextId } = this.#stored.shape;
    const table = this.#shape.name;
    if (nextId !== null && nextId > 1n && this.#shape.nextId !== null) {
      await database.write((tx) => raiseNextId(tx, { table, nextId }));
    }
    const { targetColumns: columns, kinds } = this.#map;
    const found = await digestTable(database.primary, { table: this.#shape, columns, kinds });
    if (found.isSame(this.#digest)) return;
    throw new AppError('refused', {
      message: `The table ${this.#stored.name} was read back with other rows than those of the backup. Nothing was changed`,
    });
  }
}

/** Creates the table of an extra, and adds columns that only the site has. */
async function prepareTable(target: LoadTarget, stored: StoredTable): Promise<TableShape> {
  const { group, name, shape: source } = stored;
  const { database } = target;
  const { dialect } = database;
  const real = target.nameOf(stored);
  // Names of tables that differ in case only are one name in some databases.
  const known = await findShape(target, target.nameOf({ group: 'core', name: name.toLowerCase() }));
  const made = group === 'extra' ? known : await findShape(target, real);
  const isOurs =
    group === 'own' ? /^hcd_(?!migrations$)/.test(name) : !/^(hcd|sqlite)_/i.test(target.contentPrefix + name);
  if (!isOurs || (made === undefined) !== (group === 'extra')) {
    throw new AppError('backup_invalid', {
      message: `The backup holds a table ${name} of the group ${group}, which hcd does not know`,
    });
  }
  const statements =
    made === undefined
      ? createTableStatements({ source, name: real, dialect })
      : group === 'core'
        ? addedColumns(source, { target: made, dialect }).map((column) =>
            addColumnStatement({ source, name: real, dialect }, column),
          )
        : [];
  try {
    for (const sql of statements) await database.write((tx) => tx.run({ sql, params: [] }));
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.kind === 'unavailable') throw cause;
    throw new AppError('refused', {
      message: `The table ${name} of the backup cannot be made in this database: its columns or indexes are too long there, or of a type that the database lacks`,
      cause,
    });
  }
  const shape = made === undefined || statements.length > 0 ? await findShape(target, real) : made;
  if (shape === undefined) throw new Error(`the table ${real} was not made`);
  return shape;
}

async function findShape({ database }: LoadTarget, name: string): Promise<TableShape | undefined> {
  return (await readShapes(database.primary, name)).get(name);
}
