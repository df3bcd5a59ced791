/** The result of a run as a Markdown table: each server next to `hcd` without its cache. */
import type { Spread } from '../figures.js';
import type { DatabaseName } from '../generate.js';
import { type Question, titles } from './peer.js';

export interface Row {
  readonly database: DatabaseName;
  readonly pages: number;
  readonly question: Question;
  readonly name: string;
  readonly version: string;
  /** Of one body. */
  readonly bytes: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  /** Microseconds of processor time of the server for an answer. */
  readonly cost: Spread;
  /** Answers a second. */
  readonly rate: Spread;
  /** Processor time against that of `hcd` without and with its cache; the second is absent where it keeps nothing. */
  readonly toHcd: Spread;
  readonly toKept: Spread | undefined;
}

export interface PeersReport {
  readonly date: string;
  readonly how: string;
  readonly rows: readonly Row[];
  /** What was left out, and why. */
  readonly leftOut: readonly string[];
}

export function toMarkdown({ date, how, rows, leftOut }: PeersReport): string {
  const versions = [...new Set(rows.map(({ name, version }) => `${name.split(',')[0]} ${version}`))].join(', ');
  const head = [
    '| database, pages | question | server | KB | µs of processor time | answers a second | times hcd | all rounds | times hcd from memory | all rounds | errors |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const lines = rows.map((row) => {
    const bounds = ({ least, most }: Spread) => `${times(least)} to ${times(most)}`;
    const kept = row.toKept === undefined ? ['', ''] : [times(row.toKept.median), bounds(row.toKept)];
    const figures = [(row.bytes / 1000).toFixed(1), row.cost.median.toFixed(0), row.rate.median.toFixed(0)];
    const ratios = [times(row.toHcd.median), bounds(row.toHcd), ...kept];
    return `| ${[`${row.database}, ${row.pages}`, titles[row.question], row.name, ...figures, ...ratios, row.errors].join(' | ')} |`;
  });
  const errors = rows.flatMap((row) =>
    row.firstError === undefined ? [] : [`- ${row.name}, ${row.database}, ${titles[row.question]}: ${row.firstError}`],
  );
  return [`${date}: ${versions}. ${how}`, [...head, ...lines].join('\n'), ...leftOut, errors.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function times(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 1) : 'unknown';
}
