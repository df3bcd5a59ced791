/** Rows as a table, a page at a time, and members of records, drawn by their names: titles, states, times. */
import type { ComponentChild, ComponentChildren } from 'preact';
import type { Json, JsonObject } from './api.js';
import { fill, language, texts } from './texts.js';

export interface Column {
  readonly name: string;
  readonly title?: string;
  readonly show?: (row: JsonObject) => ComponentChild;
  /** Address of the page to which the cell links. */
  readonly to?: ((row: JsonObject) => string) | undefined;
  readonly below?: (row: JsonObject) => string;
  readonly isNumber?: boolean;
}

export type Columns = readonly (string | Column)[];

interface TableProps extends HeadProps {
  readonly columns: Columns;
  readonly rows: readonly JsonObject[];
  /** Of the first row among all. */
  readonly offset?: number;
  readonly total?: number | undefined;
  readonly empty?: string | undefined;
}

export function Table({ columns, rows, offset = 0, total = rows.length, empty = texts.noRows, ...head }: TableProps) {
  if (total === 0) {
    return (
      <>
        <Head {...head} />
        <p role="status">{empty}</p>
      </>
    );
  }
  const isThere = (column: string | Column): boolean => typeof column !== 'string' || rows.some((row) => column in row);
  const whole = columns.filter(isThere).map((column) => {
    const { name, ...own }: Column = typeof column === 'string' ? { name: column } : column;
    const { isNumber = own.show === undefined && rows.every((row) => typeof row[name] === 'number') } = own;
    const show = (row: JsonObject) => shown(name, row[name]);
    return { title: titleOf(name), show, ...own, kind: isNumber ? 'number' : undefined };
  });
  return (
    <Scroll {...head}>
      <table>
        <caption>{fill(texts.page, offset + 1, offset + rows.length, total)}</caption>
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
                  {below && <span class="help">{below(row)}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** What may be wider or higher than its place; the keyboard scrolls it too. */
export function Scroll({ children, beside, ...head }: HeadProps & { readonly children: ComponentChildren }) {
  return (
    <>
      <Head {...head}>{beside}</Head>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll */}
      <section class="scroll" tabIndex={0} aria-label={head.label}>
        {children}
      </section>
    </>
  );
}

/** Of a table or list: without a level its label is no heading above it. */
export interface HeadProps {
  readonly label: string;
  readonly level?: 'h1' | 'h2' | undefined;
  readonly beside?: ComponentChildren;
  readonly help?: string | undefined;
}

interface PageHeadProps extends Omit<HeadProps, 'beside'> {
  readonly state?: string;
  readonly back?: readonly [address: string, title: string];
  readonly children?: ComponentChildren;
}

export function Head({ label, level: Level, help, state, back, children }: PageHeadProps) {
  return Level === undefined ? null : (
    <>
      {back && <a href={back[0]}>← {back[1]}</a>}
      <div class="bar">
        <Level>
          {label} {state && <State of={state} />}
        </Level>
        <div class="choice">{children}</div>
      </div>
      {help && <p class="help">{help}</p>}
    </>
  );
}

/** Of a member, a flag or an argument: in the words of the page, or made of the name. */
export function titleOf(name: string): string {
  const words = texts.members[memberOf(name)] ?? memberOf(name).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isNamed(name: string): boolean {
  return Object.hasOwn(texts.members, memberOf(name));
}

function memberOf(name: string): string {
  const member = name.toLowerCase().replaceAll('-', '_');
  return member.replace(/_(on|key|bytes)$/, '');
}

export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const kinds: Readonly<Record<string, 'good' | 'bad'>> = {
  ...{ active: 'good', running: 'good', delivered: 'good', published: 'good', shown: 'good' },
  ...{ database: 'good', environment: 'good', file: 'good', flag: 'good' },
  ...{ failing: 'bad', failed: 'bad', stopped: 'bad', lossy: 'bad', expires_soon: 'bad', deleted: 'bad', error: 'bad' },
};

/** A state as a word with a colour. */
export function State({ of: state }: { readonly of: string }) {
  const kind = kinds[state] ?? (Number(state) >= 400 ? 'bad' : 'plain');
  return <span class={`badge ${kind}`}>{texts.states[state] ?? state}</span>;
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

/** Of `2026-11-28`, with its day of the week where that is asked for. */
export function dayName(date: string, weekday?: 'short'): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  const parts = { ...(weekday && { weekday }), day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return Number.isNaN(time) ? date : new Intl.DateTimeFormat(place, parts).format(time);
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

export function shown(name: string, value: Json | undefined): ComponentChild {
  // There need not be an old secret.
  if (value === null && name === 'previous_ends_on') return null;
  // In other results it is a number.
  if (isTime.test(name) || (name === 'created' && typeof value === 'string')) {
    if (value === null) return texts.never;
    const at = textOf(value);
    return (
      <time dateTime={at} title={at}>
        {timeText(at)}
      </time>
    );
  }
  if (['state', 'status', 'source'].includes(name)) return <State of={textOf(value)} />;
  if (name.endsWith('_bytes')) return bytes(Number(value));
  if (typeof value === 'boolean') return texts.yesNo[value ? 'true' : 'false'];
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
