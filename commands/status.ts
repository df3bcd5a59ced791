/** `hcd status`: servers, workers, requests, deliveries, database and credentials of a site on one screen. */

import { maskDatabaseUrl, parseDatabaseUrl } from '../src/config/address-values.js';
import { AppError } from '../src/errors/app-error.js';
import { readStatus, type SiteStatus } from '../src/operations/processes/read-status.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { defineSiteCommand, recordOf } from './command.js';
import type { SiteDeps } from './deps.js';
import { toggle, usageError } from './parameters.js';
import { failureLines, statusLines } from './status/screen.js';
import type { Input } from './streams.js';

const everyMs = 2000;

export const command = defineSiteCommand({
  description:
    'Shows the servers and workers that run, on all machines, which APIs are on, the requests and errors (answers from 500 on) of the last five minutes, the answers given from memory, open deliveries and failing receivers, the last pass of a worker, the database and its disk, and keys and page tokens that expire within 14 days. Servers and workers write their part every 5 seconds; one that has not written for 20 seconds is not shown.\n\nWith --watch the screen is drawn again every 2 seconds until Ctrl-C or q. With --watch and --json each state is printed as one line with one JSON object {"data": …}.',
  options: { watch: toggle('Draw the screen again every 2 seconds') },
  examples: {
    status: 'Show the state of the site',
    'status --watch': 'Follow the state of the site',
    'status --json': 'Print the state as JSON',
  },
  endsItself: true,
  async run({ watch }, deps) {
    if (watch) return follow(deps);
    const status = await read(deps);
    const data = jsonOf(status, deps);
    if (!deps.io.stdout.isTerminal) return { kind: 'record', record: data };
    return {
      kind: 'text',
      text: statusLines(status, surroundings(deps))
        .map((line) => `${line}\n`)
        .join(''),
      data,
    };
  },
});

function read({ store, env, clock, loadConfig }: SiteDeps): Promise<SiteStatus> {
  const { database, database_read_urls: readUrls } = loadConfig().config;
  const address = parseDatabaseUrl(database);
  return readStatus({ store, env, readUrls, file: 'path' in address ? address.path : null, now: clock.now() });
}

function surroundings({ io: { stdout }, clock, version, loadConfig }: SiteDeps) {
  // The window may change between two screens.
  const size = (name: 'columns' | 'rows'): number => Number(Reflect.get(stdout.stream, name)) || 0;
  return {
    ...{ version, now: clock.now(), output: stdout, database: maskDatabaseUrl(loadConfig().config.database) },
    ...{ columns: size('columns') || stdout.columns, rows: size('rows') || Number.POSITIVE_INFINITY },
  };
}

async function follow(deps: SiteDeps) {
  const { io, flags, clock, stop } = deps;
  const { stdout } = io;
  if (!flags.json && !stdout.isTerminal)
    throw usageError({ '--watch': 'needs a terminal; combine it with --json elsewhere' });
  const keys = watchKeys(io.stdin);
  const end = AbortSignal.any([stop, keys.ended]);
  // The alternate screen of the terminal, without a cursor.
  if (!flags.json) stdout.draw('\u001b[?1049h\u001b[?25l');
  try {
    while (!end.aborted) {
      if (flags.json) stdout.write(`${JSON.stringify({ data: jsonOf(await read(deps), deps) })}\n`);
      else draw(await linesNow(deps), deps);
      await clock.sleep(everyMs, end);
    }
  } finally {
    keys.close();
    if (!flags.json) stdout.draw('\u001b[?25h\u001b[?1049l');
  }
  return { kind: 'nothing', hasWritten: true } as const;
}

/** A database that is away for a moment does not end the watch. */
async function linesNow(deps: SiteDeps): Promise<readonly string[]> {
  try {
    return statusLines(await read(deps), surroundings(deps));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.code === 'unavailable' ? 'The database does not answer.' : error.message;
    return failureLines(message, surroundings(deps));
  }
}

function draw(lines: readonly string[], deps: SiteDeps): void {
  const { rows } = surroundings(deps);
  const { stdout } = deps.io;
  const shown = lines.slice(0, rows - 1).map((line) => `${stdout.harmless(line)}\u001b[K\n`);
  stdout.draw(`\u001b[H${shown.join('')}\u001b[J`);
}

function jsonOf(status: SiteStatus, { version, loadConfig }: SiteDeps) {
  const { servers, requests, cache, outbox, server, disk, ending, apis } = status;
  return {
    version,
    database: {
      ...server,
      replicas: server.replicas.map(({ address, reachable, reason, stopped, lagSeconds, changesBehind }) => ({
        ...{ address, reachable, replicating: reachable && !stopped, lag_s: lagSeconds },
        ...{ changes_behind: changesBehind, reason },
      })),
      address: maskDatabaseUrl(loadConfig().config.database),
    },
    servers: servers.map((one) => recordOf(one, ['pid', 'url', 'apis', 'startedOn', 'rssBytes', 'host', 'version'])),
    apis,
    requests,
    cache,
    outbox: {
      pending: outbox.pending,
      oldest_age_s: Math.round(outbox.oldestAgeSeconds),
      failing: outbox.failing,
    },
    worker: { last_pass_on: isoTimeOfMs(status.lastPassOn) },
    disk,
    keys_ending: ending.map(({ endsOn, ...rest }) => ({ ...rest, ends_on: isoTimeOfMs(endsOn) })),
  };
}

const ctrlC = '\u0003';

export function watchKeys({ isTerminal, stream }: Input) {
  const quit = new AbortController();
  if (!isTerminal) return { ended: quit.signal, close: () => undefined };
  const setRaw = (on: boolean): void => {
    if ('setRawMode' in stream && typeof stream.setRawMode === 'function') stream.setRawMode(on);
  };
  const read = (typed: Buffer | string): void => {
    for (const key of typed.toString()) {
      if (key === 'q' || key === 'Q') quit.abort();
      // A terminal in raw mode sends the key instead of the signal.
      if (key === ctrlC) process.kill(process.pid, 'SIGINT');
    }
  };
  setRaw(true);
  stream.on('data', read);
  return {
    ended: quit.signal,
    close() {
      stream.off('data', read);
      setRaw(false);
      stream.pause();
    },
  };
}
