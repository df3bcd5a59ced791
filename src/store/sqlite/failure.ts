/** Errors of SQLite by its own names of their codes, which one of the libraries gives and the other one numbers. */

/** Has SQLite's own name of its code, for example SQLITE_BUSY. */
export class SqliteFailure extends Error {
  readonly code: string;

  constructor(code: string, cause: Error) {
    super(cause.message, { cause });
    this.name = 'SqliteFailure';
    this.code = code;
  }
}

/** A snapshot that is too old (SQLITE_BUSY_SNAPSHOT) stays so. */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof SqliteFailure && error.code !== 'SQLITE_BUSY_SNAPSHOT' && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
  );
}

/** Undefined for an error that is not one of SQLite. */
export function toSqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || error instanceof SqliteFailure) return undefined;
  const [code, number]: readonly unknown[] = [Reflect.get(error, 'code'), Reflect.get(error, 'errcode')];
  if (typeof number === 'number') return new SqliteFailure(sqliteCodeName(number), error);
  return typeof code === 'string' && code.startsWith('SQLITE_') ? new SqliteFailure(code, error) : undefined;
}

const names: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
  275: 'SQLITE_CONSTRAINT_CHECK',
  517: 'SQLITE_BUSY_SNAPSHOT',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
  3091: 'SQLITE_CONSTRAINT_DATATYPE',
};

export function sqliteCodeName(code: number): string {
  return names[code] ?? names[code & 0xff] ?? 'SQLITE_ERROR';
}
