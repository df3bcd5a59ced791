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
  const sizes = [...new Set(figures.map((row) => row.rows))];
  const each = sizes.map(thousands).join(' / ');
  const head = [
    `| scenario | KB | p50 / p99 ms | to (a) at ${each} | to (b) | (b), all rounds | cost against smallest | …, all rounds | cost of (b) |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const rows = [...new Set(figures.map((row) => row.scenario))].flatMap((name) => {
    const ofScenario = figures.filter((row) => row.scenario === name);
    return [mainRow(ofScenario), ...cachedRow(ofScenario)];
  });
  const memoryHead = ['| rows | MiB after the run, cache off | … cache on |', '| --- | --- | --- |'];
  const memoryRows = memory.map((row) => `| ${thousands(row.rows)} | ${mib(row.uncached)} | ${mib(row.cached)} |`);
  return [`### ${names[database]}`, '', ...head, ...rows, '', ...memoryHead, ...memoryRows].join('\n');
}

/** One scenario, its sizes side by side; length and times are those of the largest. */
function mainRow(sizes: readonly Figures[]): string {
  const largest = sizes.at(-1);
  if (largest === undefined) return '';
  const bad = sizes.reduce((sum, row) => sum + row.bad, 0);
  return cells([
    bad > 0 ? `${largest.title} (${bad} bad answers)` : largest.title,
    (largest.bytes / 1000).toFixed(1),
    `${milliseconds(largest.p50Ms)} / ${milliseconds(largest.p99Ms)}`,
    medians(sizes.map((row) => row.toBytes)),
    medians(sizes.map((row) => row.toDriver)),
    range(sizes.map((row) => row.toDriver)),
    medians(sizes.slice(1).map((row) => row.growth)),
    range(sizes.slice(1).map((row) => row.growth)),
    medians(sizes.slice(1).map((row) => row.driverGrowth)),
  ]);
}

function cachedRow(sizes: readonly Figures[]): string[] {
  const ratios = sizes.flatMap((row) => row.cachedToBytes ?? []);
  return ratios.length === 0 ? [] : [cells(['… with the cache on', '', '', medians(ratios), '', '', '', '', ''])];
}

function cells(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`;
}

function medians(spreads: readonly Spread[]): string {
  return spreads.map(({ median }) => number(median)).join(' / ');
}

/** The least and the most of all rounds of all sizes. */
function range(spreads: readonly Spread[]): string {
  if (spreads.length === 0) return '';
  const least = Math.min(...spreads.map((spread) => spread.least));
  const most = Math.max(...spreads.map((spread) => spread.most));
  return `${number(least)} to ${number(most)}`;
}

/** A target that gave no answer at all within a round has no ratio. */
function number(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : 'no answer';
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
