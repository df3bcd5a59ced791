/** Figures of a run as a Markdown text. */

import type { Spread } from './figures.js';
import type { DatabaseName } from './generate.js';
import type { Figures } from './measure.js';

export interface Memory {
  readonly rows: number;
  /** MiB; null where the system does not tell. */
  readonly uncached: { readonly now: number; readonly peak: number } | null;
  readonly cached: { readonly now: number; readonly peak: number } | null;
}

export interface DatabaseReport {
  readonly database: DatabaseName;
  readonly figures: readonly Figures[];
  readonly memory: readonly Memory[];
}

export interface RunReport {
  readonly node: string;
  readonly cores: string;
  readonly client: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly databases: readonly DatabaseReport[];
}

const names: Readonly<Record<DatabaseName, string>> = { sqlite: 'SQLite', mariadb: 'MariaDB' };

/** The whole run: a line on how, then two tables for each database. */
export function toMarkdown(run: RunReport): string {
  const how = `Node ${run.node}, ${run.cores}, ${run.client}, ${run.connections} connections, ${run.rounds} rounds of ${run.seconds} s.`;
  return [how, ...run.databases.map(databaseSection)].join('\n\n').concat('\n');
}

function databaseSection({ database, figures, memory }: DatabaseReport): string {
  const head = [
    '| scenario | rows | KB | p50 / p99 ms | to (a) bytes | to (b) driver | cost against smallest | (b) against smallest |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const rows = figures.flatMap((row) => [
    mainRow(row),
    ...(row.cachedToBytes ? [cachedRow(row, row.cachedToBytes)] : []),
  ]);
  const memoryHead = ['| rows | MiB after the run, cache off | … cache on |', '| --- | --- | --- |'];
  const memoryRows = memory.map((row) => `| ${thousands(row.rows)} | ${mib(row.uncached)} | ${mib(row.cached)} |`);
  return [`### ${names[database]}`, '', ...head, ...rows, '', ...memoryHead, ...memoryRows].join('\n');
}

function mainRow(row: Figures): string {
  return cells([
    row.bad > 0 ? `${row.title} (${row.bad} bad answers)` : row.title,
    thousands(row.rows),
    (row.bytes / 1000).toFixed(1),
    `${milliseconds(row.p50Ms)} / ${milliseconds(row.p99Ms)}`,
    ratio(row.toBytes),
    ratio(row.toDriver),
    ratio(row.growth),
    ratio(row.driverGrowth),
  ]);
}

function cachedRow(row: Figures, cached: Spread): string {
  return cells([`… with the cache on`, thousands(row.rows), '', '', ratio(cached), '', '', '']);
}

function cells(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`;
}

/** Median, with the least and the most of the rounds behind it. */
function ratio({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function mib(memory: Memory['cached']): string {
  return memory === null ? '–' : `${memory.now.toFixed(0)} (peak ${memory.peak.toFixed(0)})`;
}

function thousands(value: number): string {
  return value.toLocaleString('en-US');
}
