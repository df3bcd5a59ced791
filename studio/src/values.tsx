/** Members of records, drawn by their names: titles, states, times. */
import type { ComponentChild } from 'preact';
import { isObject, type Json, type JsonObject } from './api.js';
import { type Column, cellText, DataTable, type DataTableProps } from './data-table.js';
import { language, texts } from './texts.js';

/** In the words of the page, or made of the name. */
export function titleOf(name: string): string {
  const member = name.replaceAll('-', '_').replace(/_(on|key|bytes)$/, '');
  const words = texts.members[member] ?? member.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function textOf(value: Json | undefined): string {
  return value === undefined ? '' : cellText(value);
}

export function recordOf(data: Json | undefined): JsonObject {
  return isObject(data) ? data : {};
}

type Kind = 'good' | 'bad' | 'plain';

export function Badge({ kind, text }: { readonly kind: Kind; readonly text: string }) {
  return <span class={`badge ${kind}`}>{text}</span>;
}

const kinds: Readonly<Record<string, Kind>> = {
  ...{ active: 'good', running: 'good', delivered: 'good', published: 'good', shown: 'good' },
  ...{ failing: 'bad', failed: 'bad', stopped: 'bad', lossy: 'bad', expires_soon: 'bad', deleted: 'bad', error: 'bad' },
};

/** A state as a word with a colour. */
export function State({ of: state }: { readonly of: string }) {
  return <Badge kind={kinds[state] ?? 'plain'} text={texts.states[state] ?? state} />;
}

const place = navigator.languages.find((one) => one.startsWith(language)) ?? language;
const format = new Intl.DateTimeFormat(place, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the site, as ISO 8601, in the words and the zone of the reader; nothing for null. */
export function Moment({ at }: { readonly at: Json | undefined }) {
  if (typeof at !== 'string') return null;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? (
    <span>{at}</span>
  ) : (
    <time dateTime={at} title={at}>
      {format.format(time)}
    </time>
  );
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function bytes(count: number): string {
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  return `${(count / 1024 ** at).toLocaleString(language, { maximumFractionDigits: 1 })} ${units[at]}`;
}

const isTime = /_on$|^(editedon|expires|lastUsed)$/;

function shown(name: string, value: Json | undefined): ComponentChild {
  if (isTime.test(name)) return value === null ? texts.never : <Moment at={value} />;
  if (name === 'state' || name === 'status') return <State of={textOf(value)} />;
  if (name.endsWith('_bytes')) return bytes(Number(value));
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  return textOf(value);
}

interface FactsProps {
  readonly of?: JsonObject;
  /** Members, or titles with their values; what is null is left out. */
  readonly rows: readonly (string | readonly [title: string, value: ComponentChild])[];
}

/** Names and values of one thing. */
export function Facts({ of = {}, rows }: FactsProps) {
  const shownOf = (name: string) => ((of[name] ?? null) === null ? null : shown(name, of[name]));
  const facts = rows.map((row) => (typeof row === 'string' ? ([titleOf(row), shownOf(row)] as const) : row));
  return (
    <dl class="record">
      {facts.flatMap(([title, value]) => (value === null ? [] : [<dt>{title}</dt>, <dd>{value}</dd>]))}
    </dl>
  );
}

export type Columns = readonly (string | Column)[];

/** Rows whose columns are members, drawn by their names where a column says nothing else. */
export function Table({ columns, rows, ...rest }: Omit<DataTableProps, 'columns'> & { readonly columns: Columns }) {
  const isNumber = (name: string): boolean => rows.every((row) => typeof row[name] === 'number');
  const whole = columns.map((column): Column => {
    const own = typeof column === 'string' ? { name: column } : column;
    const { name } = own;
    return { title: titleOf(name), show: (row) => shown(name, row[name]), isNumber: isNumber(name), ...own };
  });
  return <DataTable {...{ columns: whole, rows }} {...rest} />;
}
