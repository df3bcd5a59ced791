/** The meaning of error codes of MariaDB, MySQL, their driver, SQLite and the operating system. */

export type StoreFailure =
  /** Deadlock, lock time-out, stale snapshot, file locked: the transaction is void and may be repeated. */
  | 'busy'
  | 'gone'
  | 'unreachable'
  | 'unknown_host'
  | 'denied'
  | 'no_database'
  | 'exhausted'
  | 'timeout'
  | 'full'
  | 'file'
  | 'not_a_database'
  | 'schema'
  | 'conflict'
  | 'invalid'
  | 'too_large'
  | 'bug';

type Meanings<Key> = Readonly<Partial<Record<StoreFailure, readonly Key[]>>>;

const numbers: Meanings<number> = {
  // 3572 is NOWAIT of MySQL 8; 1047 a Galera node without majority, before it does anything.
  busy: [1213, 1205, 1020, 1047, 3572],
  // 45xxx are the driver's own; 1927 killed, 4031 idle too long (MySQL 8), 1053 server shutting down; 1180 a Galera
  // node that lost the others during COMMIT, which may have taken effect.
  gone: [
    45001, 45004, 45009, 45013, 45019, 1053, 1080, 1152, 1158, 1159, 1160, 1161, 1180, 1184, 1927, 2006, 2013, 2055,
    4031,
  ],
  unreachable: [2002, 2003, 45012],
  unknown_host: [2005],
  denied: [
    1044, 1045, 1142, 1143, 1227, 1251, 1290, 1698, 1792, 1836, 1862, 2059, 3118, 3159, 4151, 45025, 45044, 45047,
  ],
  no_database: [1046, 1049],
  exhausted: [1040, 1203, 1226, 1461, 45028],
  timeout: [1317, 1907, 1969, 3024, 45026],
  full: [1021, 1037, 1038, 1041, 1114, 1030],
  schema: [1051, 1054, 1146, 1932],
  conflict: [1062, 1169, 1216, 1217, 1451, 1452, 1557, 1586, 1761, 1762],
  // 1153 and 45046: max_allowed_packet, by the server or the driver. 1118 and 139: a row beyond a page.
  too_large: [1153, 1301, 45046, 1118, 139, 1197],
  // 1267, 1270, 1271: text outside the column's character set. 1048, 1364: a missing value. 1644: a trigger of the
  // site. 1906, 3105: a computed column.
  invalid: [
    1048, 1264, 1265, 1267, 1270, 1271, 1292, 1300, 1364, 1366, 1406, 1411, 1416, 1644, 1906, 3105, 3140, 3854, 3988,
    4025,
  ],
};

export function isLockTimeoutNumber(number: number | undefined): boolean {
  return number === 1205 || number === 3572;
}

const codes: Meanings<string> = {
  gone: ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ESOCKET', 'PROTOCOL_CONNECTION_LOST'],
  unreachable: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENOENT', 'EADDRNOTAVAIL'],
  unknown_host: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'],
  denied: ['EACCES', 'EPERM'],
  timeout: ['ETIMEDOUT'],
  full: ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'ENOMEM', 'EMFILE', 'ENFILE'],
  conflict: [
    'SQLITE_CONSTRAINT_UNIQUE',
    'SQLITE_CONSTRAINT_PRIMARYKEY',
    'SQLITE_CONSTRAINT_ROWID',
    'SQLITE_CONSTRAINT_FOREIGNKEY',
  ],
  too_large: ['SQLITE_TOOBIG'],
  invalid: [
    'SQLITE_CONSTRAINT_CHECK',
    'SQLITE_CONSTRAINT_DATATYPE',
    'SQLITE_CONSTRAINT_NOTNULL',
    'SQLITE_CONSTRAINT_TRIGGER',
    'SQLITE_MISMATCH',
  ],
};

/** An extended code such as SQLITE_IOERR_WRITE belongs to its primary one. */
const sqlitePrimaries: Readonly<Record<string, StoreFailure>> = {
  BUSY: 'busy',
  LOCKED: 'busy',
  FULL: 'full',
  NOMEM: 'full',
  IOERR: 'full',
  INTERRUPT: 'timeout',
  CANTOPEN: 'file',
  READONLY: 'file',
  PERM: 'file',
  AUTH: 'file',
  PROTOCOL: 'file',
  NOTADB: 'not_a_database',
  CORRUPT: 'not_a_database',
};

export function failureOfCode(error: {
  code: string | undefined;
  number: number | undefined;
}): StoreFailure | undefined {
  if (error.code !== undefined) {
    const failure = meaningIn(codes, error.code) ?? sqlitePrimaries[/^SQLITE_([A-Z]+)/.exec(error.code)?.[1] ?? ''];
    if (failure !== undefined) return failure;
  }
  return error.number === undefined ? undefined : meaningIn(numbers, error.number);
}

function meaningIn<Key>(meanings: Meanings<Key>, key: Key): StoreFailure | undefined {
  return Object.entries(meanings).find(([, keys]) => keys.includes(key))?.[0] as StoreFailure | undefined;
}
