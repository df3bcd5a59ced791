/** Rows as a table, a page at a time, and members of records, drawn by their names: titles, states, times. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { isObject, type Json, type JsonObject, type RunResult } from './api.js';
import { Busy, Button, ErrorNotice, Scroll } from './parts.js';
import { language, texts } from './texts.js';
import type { Reading } from './use-run.js';

export interface Column {
  readonly name: string;
  /** Default: in the words of the page. */
  readonly title?: string;
  readonly show?: (row: JsonObject) => ComponentChild;
  /** Address of the page to which the cell links. */
  readonly to?: ((row: JsonObject) => string) | undefined;
  readonly below?: (row: JsonObject) => string;
  readonly isNumber?: boolean;
}

export type Columns = readonly (string | Column)[];

export function actions(show: (row: JsonObject) => ComponentChild): Column {
  return { name: 'actions', show: (row) => <div class="choice">{show(row)}</div> };
}

interface PageProps {
  readonly label: string;
  /** Rows before these. */
  readonly offset?: number;
  /** Of all pages. Default: these. */
  readonly total?: number | undefined;
}

interface PagerProps extends Required<PageProps> {
  readonly total: number;
  /** Rows of a page. */
  readonly limit: number;
  readonly shown: number;
  readonly turn: (offset: number) => void;
}

/** Nothing for a list without other pages. */
export function Pager({ label, offset, shown, limit, total, turn }: PagerProps) {
  return offset === 0 && shown >= total ? null : (
    <nav class="actions" aria-label={texts.pages(label)}>
      <Button label={texts.previousPage} disabled={offset === 0} act={() => turn(Math.max(0, offset - limit))} />
      <Button label={texts.nextPage} disabled={offset + shown >= total} act={() => turn(offset + limit)} />
    </nav>
  );
}

interface TableProps extends PageProps {
  readonly columns: Columns;
  readonly rows: readonly JsonObject[];
  readonly empty?: string | undefined;
}

/** A table with a column for each member; a column that no row has is left out. */
export function Table({ columns, rows, empty = texts.noRows, label, offset = 0, total = rows.length }: TableProps) {
  if (total === 0) return <p role="status">{empty}</p>;
  const isThere = (column: string | Column): boolean => typeof column !== 'string' || rows.some((row) => column in row);
  const whole = columns.filter(isThere).map((column) => {
    const { name, ...own }: Column = typeof column === 'string' ? { name: column } : column;
    const { isNumber = own.show === undefined && rows.every((row) => typeof row[name] === 'number') } = own;
    const show = (row: JsonObject) => shown(name, row[name]);
    return { title: titleOf(name), show, ...own, kind: isNumber ? 'number' : undefined };
  });
  return (
    <Scroll label={label}>
      <table>
        <caption>{texts.page(offset, rows.length, total)}</caption>
        <thead>
          <tr>
            {whole.map(({ title, kind }) => (
              <th scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {whole.map(({ show, kind, to, below }) => (
                <td class={kind}>
                  {to ? <a href={to(row)}>{show(row)}</a> : show(row)}
                  {below && <span class="help address">{below(row)}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface HeadProps {
  readonly title: string;
  readonly state?: string;
  readonly back?: readonly [address: string, title: string];
  readonly children?: ComponentChildren;
}

export function Head({ title, state, back, children }: HeadProps) {
  return (
    <>
      {back && <a href={back[0]}>← {back[1]}</a>}
      <div class="bar">
        <h1>
          {title} {state && <State of={state} />}
        </h1>
        <div class="choice">{children}</div>
      </div>
    </>
  );
}

interface LoadedProps {
  /** Null: there is nothing to read yet. */
  readonly of: Reading | null;
  readonly children: (result: RunResult) => ComponentChildren;
}

/** The first answer is waited for; later ones take its place. */
export function Loaded({ of, children }: LoadedProps) {
  if (of === null) return <div>{children({ data: null, notes: [] })}</div>;
  const { result, error, isLoading, reload } = of;
  return (
    <>
      <ErrorNotice error={error} retry={reload} />
      {result === null ? isLoading && <Busy /> : <div aria-busy={isLoading}>{children(result)}</div>}
    </>
  );
}

/** Of a list in a result; none of anything else. */
export function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Of a member, a flag or an argument: in the words of the page, or made of the name. */
export function titleOf(name: string): string {
  const member = name
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/_(on|key|bytes)$/, '');
  const words = texts.members[member] ?? member.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
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
  const isRefusal = Number(state) >= 400;
  return <Badge kind={kinds[state] ?? (isRefusal ? 'bad' : 'plain')} text={texts.states[state] ?? state} />;
}

const place = navigator.languages.find((one) => one.startsWith(language)) ?? language;
const format = new Intl.DateTimeFormat(place, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the site, as ISO 8601, in the words and the zone of the reader; what is no time stays as it is. */
export function timeText(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at));
}

/** As commands take a time, which a text without an offset gives by the clock of the reader. */
export function isoTime(at: number | string): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Nothing for null. */
export function Moment({ at }: { readonly at: Json | undefined }) {
  return typeof at !== 'string' ? null : (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  );
}

/** Of `2026-11-28`, with its day of the week where that is asked for. */
export function dayName(date: string, weekday?: 'short'): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  const parts = { ...(weekday && { weekday }), day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return Number.isNaN(time) ? date : new Intl.DateTimeFormat(language, parts).format(time);
}

/** Monday is 1. */
export function weekdayName(day: number, weekday: 'short' | 'long'): string {
  // The 5th of January 2026 is a Monday.
  return new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
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

export function Facts({ of = {}, rows }: FactsProps) {
  const shownOf = (name: string) => ((of[name] ?? null) === null ? null : shown(name, of[name]));
  const facts = rows.map((row) => (typeof row === 'string' ? ([titleOf(row), shownOf(row)] as const) : row));
  return (
    <dl class="record">
      {facts.flatMap(([title, value]) => (value === null ? [] : [<dt>{title}</dt>, <dd>{value}</dd>]))}
    </dl>
  );
}
