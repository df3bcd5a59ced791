/** The admin listener (docs/monitoring.md). It shares nothing with the APIs, so it answers when they are overloaded. */
import { createServer, type ServerResponse } from 'node:http';
import { type Clock, within } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { checkMigrated, type MigrationRun } from '../../store/migrations/migrate.js';

/** `ok` or the problem, by name. One that begins with `degraded` fails no probe: requests are answered. */
export type Checks = Readonly<Record<string, string>>;

interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly live: () => Promise<Checks>;
  readonly ready: () => Promise<Checks>;
  readonly metrics: () => Promise<string>;
}

/** A probe without an answer shows nothing, so a late answer counts as a failure. */
const answerWithin = 8000;
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Throws port_in_use when another process has the address. */
export async function startAdminServer(options: AdminOptions) {
  const { host, port } = options;
  const server = createServer(
    { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 8192 },
    (req, res) => void answer(options, { method: req.method ?? '', path: req.url?.split('?', 1)[0] ?? '', res }),
  );
  // Scrapers keep one connection; anything beyond that is a mistake.
  server.maxConnections = 16;
  // It must not keep a process that failed to start.
  server.unref();
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new AppError(cause.code === 'EADDRINUSE' ? 'port_in_use' : 'configuration_invalid', {
          message: `The admin listener (HCD_ADMIN_PORT) cannot listen on ${host}:${port}: ${cause.message}`,
          cause,
        }),
      ),
    );
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  options: AdminOptions,
  { method, path, res }: { readonly method: string; readonly path: string; readonly res: ServerResponse },
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  if (method !== 'GET' && method !== 'HEAD') {
    sendJson(res.setHeader('Allow', 'GET, HEAD'), 405, { status: 'method not allowed' });
    return;
  }
  try {
    if (path === '/metrics') {
      const text = await inTime(options.clock, answerWithin, options.metrics());
      res.writeHead(200, { 'Content-Type': metricsType }).end(text);
      return;
    }
    const checks = path === '/livez' ? options.live : path === '/readyz' ? options.ready : null;
    if (checks === null) {
      sendJson(res, 404, { status: 'not found', paths: ['/livez', '/readyz', '/metrics'] });
      return;
    }
    const found = await inTime(options.clock, answerWithin, checks());
    const isWell = Object.values(found).every((state) => state === 'ok' || state.startsWith('degraded'));
    sendJson(res, isWell ? 200 : 503, { status: isWell ? 'ok' : 'failing', checks: found });
  } catch (error) {
    // The reason stays with the checks, which know what may be shown.
    const reason = error instanceof AppError ? error.message : 'no answer in time';
    sendJson(res, 503, { status: 'failing', checks: { [path.slice(1)]: reason } });
  }
}

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(`${JSON.stringify(value)}\n`);
}

function inTime<T>(clock: Clock, limit: number, work: Promise<T>): Promise<T> {
  return within(clock, { work, limit, tooLate: () => new AppError('unavailable', { message: 'no answer in time' }) });
}

const storeAnswersWithin = 2000;

/** The checks of readiness that need the store (docs/monitoring.md#health). */
export async function checkStore(run: MigrationRun, clock: Clock): Promise<Checks> {
  const { content, own } = run;
  const [database, ownDatabase] = await Promise.all([
    reasonOf(clock, content.ping()),
    own === content ? null : reasonOf(clock, own.ping()),
  ]);
  return {
    database,
    ...(ownDatabase === null ? {} : { own_database: ownDatabase }),
    migrations: (ownDatabase ?? database) === 'ok' ? await reasonOf(clock, checkMigrated(run)) : 'unknown',
  };
}

async function reasonOf(clock: Clock, work: Promise<unknown>): Promise<string> {
  try {
    await inTime(clock, storeAnswersWithin, work);
    return 'ok';
  } catch (error) {
    // Messages of the catalogue hold neither addresses with passwords nor SQL.
    return error instanceof AppError ? error.message : 'failed';
  }
}
