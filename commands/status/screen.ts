/** The state of a site as lines for a terminal of any width. */

import type { SiteStatus } from '../../src/operations/processes/read-status.js';
import { countOf, escapeControls } from '../../src/values/text.js';
import { type Paint, paintFor } from '../paint.js';
import type { Output } from '../streams.js';
import { columnsLine, cutToWidth, displayWidth, wrapWords } from '../terminal-text.js';

interface Surroundings {
  readonly version: string;
  readonly database: string;
  readonly now: number;
  readonly columns: number;
  readonly output: Pick<Output, 'hasColour'>;
}

const gap = '  ';

export function failureLines(message: string, { version, database, now, columns, output }: Surroundings): string[] {
  const paint = paintFor(output);
  return [
    ...wrapped([paint.bold(cutToWidth(`hcd ${version}`, columns)), paint.dim(timeOfDay(now))], columns),
    ...wrapped([escapeControls(database)], columns),
    '',
    ...wrapWords(escapeControls(message), columns).map((line) => paint.red(line)),
    ...wrapWords('It is asked again every 2 seconds. hcd doctor shows what fails.', columns),
  ];
}

export function statusLines(status: SiteStatus, { version, database, now, columns, output }: Surroundings): string[] {
  const paint = paintFor(output);
  const title = (text: string): string => paint.bold(cutToWidth(text, columns));
  const sections = [
    [
      ...wrapped([title(`hcd ${version}`), paint.dim(timeOfDay(now))], columns),
      ...table([databaseParts(status, { database, paint })], columns),
      ...table(replicaRows(status, paint), columns),
    ],
    [title('SERVERS'), ...table(serverRows(status, { now, paint }), columns)],
    [title('WORKERS'), ...table(workerRows(status, { now, paint }), columns)],
    [title('REQUESTS OF THE LAST 5 MINUTES'), ...table(requestRows(status, paint), columns)],
    [title('DELIVERIES'), ...table([deliveryParts(status, paint)], columns)],
    status.ending.length === 0
      ? []
      : [title('EXPIRING WITHIN 14 DAYS'), ...table(endingRows(status, { now, paint }), columns)],
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

interface Style {
  readonly now: number;
  readonly paint: Paint;
}

function databaseParts(
  { server, disk }: SiteStatus,
  { database, paint }: { readonly database: string; readonly paint: Paint },
): string[] {
  const { kind, version, galera } = server;
  const free = disk === null ? '' : `${bytes(disk.free_bytes)} left`;
  const isFull = disk !== null && disk.free_bytes < 2 ** 30;
  const isSynced = galera === null || galera.state === 'Synced';
  return [
    `${kind === 'sqlite' ? 'SQLite' : 'MariaDB'} ${escapeControls(version)}`,
    escapeControls(database),
    ...(disk === null ? [] : [bytes(disk.used_bytes), isFull ? paint.red(free) : free]),
    ...(galera === null
      ? []
      : [
          `Galera: ${countOf(galera.nodes, 'node')}, ${isSynced ? galera.state : paint.red(escapeControls(galera.state))}`,
        ]),
  ];
}

function replicaRows({ server: { replicas } }: SiteStatus, paint: Paint): string[][] {
  return replicas.map(({ address, reachable, reason, stopped, lagSeconds, changesBehind }) => {
    const behind =
      changesBehind === null
        ? []
        : [changesBehind === 0 ? 'has every change' : `lacks ${countOf(changesBehind, 'change')}`];
    const name = `replica ${escapeControls(address)}`;
    if (!reachable || stopped)
      return [name, paint.red(reachable ? 'stands still' : 'unreachable'), `${reason}`, ...behind];
    if (lagSeconds === null) return [name, ...behind, `lag not known: ${reason}`];
    const lag = `${duration(lagSeconds * 1000)} behind`;
    return [name, lagSeconds > 5 ? paint.yellow(lag) : lag, ...behind];
  });
}

function serverRows({ servers }: SiteStatus, { now, paint }: Style): string[][] {
  if (servers.length === 0) return [[paint.yellow('No server is running.')]];
  return servers.map(({ url, host, pid, startedOn, rssBytes, apis }) => [
    escapeControls(url),
    escapeControls(`${host}:${pid}`),
    `up ${duration(now - startedOn)}`,
    bytes(rssBytes),
    apis.length === 3 ? 'all APIs' : escapeControls(apis.join(', ')),
  ]);
}

function workerRows({ workers, lastPassOn, outbox }: SiteStatus, { now, paint }: Style): string[][] {
  const last = lastPassOn === null ? 'never' : `${duration(now - lastPassOn)} ago`;
  const isLate = lastPassOn === null || now - lastPassOn > 300_000;
  const pass = isLate ? paint.yellow(`last pass ${last}`) : `last pass ${last}`;
  if (workers.length === 0) {
    const none = 'none at this moment';
    return [[outbox.oldestAgeSeconds > 60 ? paint.yellow(`${none}, and deliveries wait for one`) : none, pass]];
  }
  return workers.map(({ host, pid, startedOn, rssBytes, lastPassOn: own }) => [
    escapeControls(`${host}:${pid}`),
    `up ${duration(now - startedOn)}`,
    bytes(rssBytes),
    own === lastPassOn ? pass : `last pass ${own === null ? 'never' : `${duration(now - own)} ago`}`,
  ]);
}

function requestRows({ requests, apis, cache }: SiteStatus, paint: Paint): string[][] {
  const asked = cache.hits + cache.misses;
  const share = asked === 0 ? '-' : `${Math.round((100 * cache.hits) / asked)} %`;
  const names = ['gateway', 'pages', 'banners'] as const;
  return [
    ...names.map((name) => {
      const { requests: all, errors, limited } = requests[name];
      const failed = countOf(errors, 'error');
      return [
        name,
        apis[name] ? paint.green('on') : paint.dim('off'),
        countOf(all, 'request'),
        errors > 0 ? paint.red(failed) : failed,
        ...(limited > 0 ? [paint.yellow(`${limited} over a limit`)] : []),
      ];
    }),
    ['cache', share, countOf(cache.hits, 'hit'), countOf(cache.misses, 'miss', 'misses')],
  ];
}

function deliveryParts({ outbox: { pending, oldestAgeSeconds, failing } }: SiteStatus, paint: Paint): string[] {
  const late = `oldest due for ${duration(oldestAgeSeconds * 1000)}`;
  const receivers = `${countOf(failing, 'receiver')} failing`;
  return [
    `${pending} waiting`,
    ...(oldestAgeSeconds > 0 ? [oldestAgeSeconds > 300 ? paint.yellow(late) : late] : []),
    failing > 0 ? `${paint.red(receivers)} (hcd doctor names them)` : receivers,
  ];
}

function endingRows({ ending }: SiteStatus, { now, paint }: Style): string[][] {
  return ending.map(({ kind, id, name, endsOn }) => [
    kind === 'key' ? 'API key' : 'page token',
    `${id}`,
    escapeControls(name ?? '-'),
    endsOn === null ? '' : paint.yellow(`in ${duration(endsOn - now)}`),
  ]);
}

/** In columns where every line fits; else each row on as many lines as it needs. */
function table(rows: readonly (readonly string[])[], columns: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[at] ?? ''))),
  );
  const padded = rows.map((row) => columnsLine(row, widths));
  if (padded.every((line) => displayWidth(line) <= columns)) return padded;
  return rows.flatMap((row) => wrapped(row, columns));
}

function wrapped(row: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const cell of row) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + gap.length + displayWidth(cell) <= columns) {
      lines[lines.length - 1] = `${last}${gap}${cell}`;
    } else {
      const indent = last === undefined ? '' : gap;
      const fits = displayWidth(cell) + indent.length <= columns;
      lines.push(`${indent}${fits ? cell : cutToWidth(cell, columns - indent.length)}`);
    }
  }
  return lines;
}

function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  const amount = count / 1024 ** at;
  return `${at > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[at]}`;
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function timeOfDay(now: number): string {
  return `${new Date(now).toISOString().slice(11, 19)} UTC`;
}
