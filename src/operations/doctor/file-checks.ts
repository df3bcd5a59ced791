/** Checks of an embedded database as a file: integrity, who may read it, kind of file system, free space. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../store/base/database.js';
import { parseDatabaseUrl } from '../../store/base/database-url.js';
import { classifyFailure } from '../../store/base/errors.js';
import { type Check, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const fileChecks: readonly Check[] = [
  { name: 'integrity', needs: 'store', run: (facts) => forEachFile(facts, checkIntegrity) },
  { name: 'file-permissions', needs: 'store', run: (facts) => forEachFile(facts, checkPermissions) },
  { name: 'file-system', needs: 'store', run: (facts) => forEachFile(facts, checkFileSystem) },
  { name: 'disk-space', needs: 'store', run: (facts) => forEachFile(facts, checkSpace) },
];

interface EmbeddedFile {
  readonly path: string;
  readonly database: Database;
}

async function forEachFile(
  facts: StoreFacts,
  check: (file: EmbeddedFile) => Finding | Promise<Finding>,
): Promise<Finding | Finding[]> {
  const files = embeddedFiles(facts);
  if (files.length === 0) return ok('the database is on a server: not visible from here');
  return Promise.all(files.map(check));
}

function embeddedFiles({ store, configuration: { config } }: StoreFacts): EmbeddedFile[] {
  const urls = [
    { url: config.database, database: store.content },
    ...(store.own === store.content ? [] : [{ url: config.own_database ?? '', database: store.own }]),
  ];
  return urls.flatMap(({ url, database }) => {
    const address = parseDatabaseUrl(url);
    return address.dialect === 'sqlite' ? [{ path: address.path, database }] : [];
  });
}

async function checkIntegrity({ path, database }: EmbeddedFile): Promise<Finding> {
  const problems = await quickCheck(database);
  return problems.length === 0
    ? ok(`${path} is sound`)
    : error(`${path} is damaged: ${sample(problems, 3)}`, 'Stop hcd and restore a backup');
}

/** Some damage is reported row by row, some ends the check itself. */
async function quickCheck(database: Database): Promise<string[]> {
  try {
    const rows = await database.primary.select({ sql: 'PRAGMA quick_check', params: [], heavy: true });
    return rows.map(([text]) => String(text)).filter((text) => text !== 'ok');
  } catch (cause) {
    if (classifyFailure(cause) !== 'not_a_database') throw cause;
    return ['its pages contradict one another'];
  }
}

/** The file holds digests of keys and, in the settings, the banner key. */
function checkPermissions({ path }: EmbeddedFile): Finding {
  const mode = statSync(path).mode & 0o777;
  const text = `${path} has mode ${mode.toString(8)}`;
  return (mode & 0o077) === 0
    ? ok(text)
    : warning(`${text}: other users of this machine may open it`, `chmod 600 ${path}`);
}

/** Magic numbers of Linux for file systems whose locks other machines do not see. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
]);

async function checkFileSystem({ path }: EmbeddedFile): Promise<Finding> {
  const { type } = await statfs(dirname(path));
  const network = networkTypes.get(type);
  return network === undefined
    ? ok('no network file system')
    : error(
        `${path} is on a network file system (${network}): the write-ahead log needs memory that all processes share, and the file can be damaged`,
        'Keep the file on a local disk, or use MariaDB',
      );
}

const megabyte = 2 ** 20;

async function checkSpace({ path }: EmbeddedFile): Promise<Finding> {
  const { bavail, bsize } = await statfs(dirname(path));
  const free = Math.floor((bavail * bsize) / megabyte);
  const needed = Math.ceil(statSync(path).size / megabyte);
  const text = `${free} MB free; the database file has ${needed} MB`;
  const fix = 'Free space on the disk';
  if (free < 64) return error(text, fix);
  // The log can grow to the size of the file while a long read goes on.
  return free < Math.max(512, needed) ? warning(text, fix) : ok(text);
}
