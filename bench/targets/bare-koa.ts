/**
 * Yardstick of a start: Koa, Sequelize and the driver, the same database opened, and one list read for each request.
 * Nothing is checked, routed or logged.
 */
import Database from 'better-sqlite3';
import Koa from 'koa';
import mariadb from 'mariadb';
import { QueryTypes, Sequelize } from 'sequelize';

const address = process.argv[2] ?? '';
const sequelize = address.startsWith('sqlite:')
  ? new Sequelize({
      dialect: 'sqlite',
      dialectModule: { OPEN_READWRITE: 2, OPEN_CREATE: 4, Database: sqlite3Face() },
      storage: address.slice('sqlite:'.length),
      logging: false,
    })
  : new Sequelize(address, { dialect: 'mariadb', dialectModule: mariadb, logging: false });
await sequelize.authenticate();

const app = new Koa();
app.use(async (context) => {
  const rows = await sequelize.query(
    "SELECT id, pagetitle, uri FROM modx_site_content WHERE context_key = 'web' AND published = 1 AND deleted = 0 LIMIT 20",
    { type: QueryTypes.SELECT },
  );
  context.body = { data: rows };
});
const server = app.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  if (typeof bound === 'object') process.stderr.write(`listening on http://127.0.0.1:${bound?.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

/** What Sequelize uses of the package sqlite3, over the driver that the program uses. */
function sqlite3Face() {
  type Done = (this: object, error: unknown, rows?: unknown[]) => void;
  return class {
    readonly #database: Database.Database;
    constructor(path: string, _mode: number, done: (error: null) => void) {
      this.#database = new Database(path);
      setImmediate(done, null);
    }
    serialize(work: () => void): void {
      work();
    }
    run(sql: string): void {
      this.#database.exec(sql);
    }
    all(sql: string, ...rest: unknown[]): void {
      const done = rest.at(-1) as Done;
      const rows = this.#database.prepare(sql).all();
      setImmediate(() => done.call({}, null, rows));
    }
    close(done: () => void): void {
      this.#database.close();
      done();
    }
  };
}
