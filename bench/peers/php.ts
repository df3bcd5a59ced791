/** A bare PDO page in PHP-FPM behind nginx: reads of the same pages with the same fields, and nothing else. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import mariadb from 'mariadb';
import { findProgram, pinTo } from '../find-program.js';
import { freePort } from '../mariadb-server.js';
import { startServerProcess } from '../processes.js';
import { makeAccount } from './database.js';
import { allPages } from './pages.js';
import { type Dialect, type Place, pagesAt, type RunningPeer } from './peer.js';

/** Connections that nginx keeps, each of which occupies a child of PHP-FPM: others are needed for new ones. */
const kept = 8;
const fpmNames = ['php-fpm', 'php-fpm8.4', 'php-fpm8.3', 'php-fpm8.2', 'php-fpm8.1'];

/** Throws an Error where PHP-FPM or nginx is not installed. */
export async function startPhp(place: Place): Promise<RunningPeer> {
  const fpm = fpmNames.map(findProgram).find((path) => path !== undefined);
  const nginx = findProgram('nginx');
  if (fpm === undefined || nginx === undefined) throw new Error('PHP-FPM and nginx are not both installed');
  const version = /PHP (\S+)/.exec((await promisify(execFile)(fpm, ['-v'])).stdout)?.[1] ?? 'unknown';
  const folder = join(place.folder, `php-${place.database}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const source = place.database === 'sqlite' ? fillSqlite(place, folder) : await fillMariadb(place);
  const port = await freePort();
  await writeFile(join(folder, 'index.php'), page);
  await writeFile(join(folder, 'fpm.conf'), fpmSettings(folder));
  await writeFile(join(folder, 'nginx.conf'), nginxSettings({ folder, port, source }));
  const asRoot = process.getuid?.() === 0 ? ['-R'] : [];
  const common = { env: {}, cwd: folder };
  const php = await startServerProcess({
    command: [...pinTo(0), fpm, '-F', ...asRoot, '-y', join(folder, 'fpm.conf')],
    ...{ ...common, logFile: join(folder, 'fpm.log'), ready: /ready to handle connections/ },
  });
  try {
    const front = await startServerProcess({
      command: [...pinTo(0), nginx, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'],
      ...{ ...common, logFile: join(folder, 'nginx.log'), ready: /start worker process/ },
    });
    const server = {
      cpuSeconds: () => (php.cpuSeconds() ?? Number.NaN) + (front.cpuSeconds() ?? Number.NaN),
      checkRunning() {
        php.checkRunning();
        front.checkRunning();
      },
      emptyLog: () => front.emptyLog(),
    };
    const asked = ['list', 'read', 'address'] as const;
    return {
      targets: [{ name: 'PHP-FPM', version, server, port, dialect, isCached: false, asked }],
      stop: async () => void (await Promise.all([front.stop(), php.stop()])),
    };
  } catch (error) {
    await php.stop();
    throw error;
  }
}

interface Source {
  readonly dsn: string;
  /** Name of the account, which is its password too. */
  readonly account: string;
}

const columns = ['id', 'title', 'uri', 'parent', 'menu_order', 'published', 'date', 'content'];
const insert = `INSERT INTO pages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

function* rowsOf(place: Place): Generator<(string | number)[]> {
  for (const { id, title, uri, parent, order, published, date, content } of allPages(place.rows))
    yield [id, title, uri, parent, order, published ? 1 : 0, date, content];
}

function tableOf(text: string): string[] {
  return [
    `CREATE TABLE pages (id INTEGER PRIMARY KEY, title ${text}, uri ${text}, parent INTEGER, menu_order INTEGER, published INTEGER, date INTEGER, content TEXT)`,
    'CREATE INDEX by_uri ON pages (uri)',
    'CREATE INDEX by_parent ON pages (parent, published, menu_order, id)',
  ];
}

function fillSqlite(place: Place, folder: string): Source {
  const path = join(folder, 'pages.sqlite');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  for (const sql of tableOf('TEXT')) db.exec(sql);
  db.transaction(() => {
    for (const row of rowsOf(place)) db.prepare(insert).run(...row);
  })();
  db.close();
  return { dsn: `sqlite:${path}`, account: '' };
}

async function fillMariadb(place: Place): Promise<Source> {
  const { host, port, name } = await makeAccount(place.serverUrl, 'php');
  const connection = await mariadb.createConnection({
    host,
    port: Number(port),
    user: name,
    password: name,
    database: name,
  });
  for (const sql of tableOf('VARCHAR(255)')) await connection.query(sql);
  await connection.batch(insert, [...rowsOf(place)]);
  await connection.end();
  return { dsn: `mysql:host=${host};port=${port};dbname=${name};charset=utf8mb4`, account: name };
}

const page = `<?php
$db = new PDO($_SERVER['PAGES_DSN'], $_SERVER['PAGES_ACCOUNT'], $_SERVER['PAGES_ACCOUNT'], [PDO::ATTR_PERSISTENT => true]);
[$where, $value] = match (true) {
    isset($_GET['parent']) => ['parent = ? AND published = 1 ORDER BY menu_order, id LIMIT 20', $_GET['parent']],
    isset($_GET['id']) => ['id = ? AND published = 1', $_GET['id']],
    default => ['uri = ? AND published = 1', $_GET['uri']],
};
$asked = $db->prepare("SELECT ${columns.join(', ')} FROM pages WHERE $where");
$asked->execute([$value]);
header('Content-Type: application/json');
echo json_encode(['data' => $asked->fetchAll(PDO::FETCH_ASSOC)]);
`;

function fpmSettings(folder: string): string {
  const account = process.getuid?.() === 0 ? ['user = root', 'group = root'] : [];
  return [
    ...['[global]', 'error_log = /dev/stderr', 'log_level = notice', '[pages]', ...account],
    ...[`listen = ${join(folder, 'php.sock')}`, 'pm = static', `pm.max_children = ${2 * kept}`, ''],
  ].join('\n');
}

function nginxSettings({
  folder,
  port,
  source,
}: {
  readonly folder: string;
  readonly port: number;
  readonly source: Source;
}): string {
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log stderr notice;
events { worker_connections 256; }
http {
  access_log off; keepalive_requests 1000000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  fastcgi_buffers 16 32k; fastcgi_buffer_size 32k;
  upstream php { server unix:${join(folder, 'php.sock')}; keepalive ${kept}; }
  server {
    listen 127.0.0.1:${port};
    location / {
      fastcgi_pass php; fastcgi_keep_conn on;
      fastcgi_param SCRIPT_FILENAME ${join(folder, 'index.php')};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param PAGES_DSN "${source.dsn}";
      fastcgi_param PAGES_ACCOUNT "${source.account}";
    }
  }
}
`;
}

const get = (query: string) => ({ method: 'GET', path: `/?${query}` }) as const;
const notAsked = (): never => {
  throw new Error('the page only reads');
};

const dialect: Dialect = {
  list: (parent) => get(`parent=${parent}`),
  read: (id) => get(`id=${id}`),
  address: (uri) => get(`uri=${encodeURIComponent(uri)}`),
  ...{ search: notAsked, create: notAsked, update: notAsked },
  pages: pagesAt('data', 'title'),
};
