/** Rows of a command as a table, a page at a time. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { isObject, type Json, type JsonObject, type RunResult } from './api.js';
import { Busy, ErrorNotice, Scroll } from './parts.js';
import { texts } from './texts.js';
import type { Reading } from './use-run.js';

export interface Column {
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
  /** Default: the value as text. */
  readonly show?: (row: JsonObject) => ComponentChild;
  readonly isNumber?: boolean;
}

export interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly JsonObject[];
  /** Of all pages. Default: these. */
  readonly total?: number | undefined;
  /** Rows before these. */
  readonly offset?: number;
  /** Rows of a page; the list has pages where `turn` is given. */
  readonly limit?: number;
  readonly turn?: (offset: number) => void;
  readonly empty?: string | undefined;
}

export function DataTable({ label, columns, rows, offset = 0, limit = rows.length, turn, ...about }: DataTableProps) {
  const total = about.total ?? rows.length;
  if (total === 0) return <p>{about.empty ?? texts.noRows}</p>;
  return (
    <>
      <Scroll label={label}>
        <table>
          <caption>
            {turn === undefined ? texts.rows(rows.length, total) : texts.page(offset, rows.length, total)}
          </caption>
          <thead>
            <tr>
              {columns.map(({ name, title = name, isNumber }) => (
                <th scope="col" class={isNumber ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {columns.map(({ name, show, isNumber }) => (
                  <td class={isNumber ? 'number' : undefined}>{show?.(row) ?? cellText(row[name] ?? null)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {turn === undefined || (offset === 0 && rows.length === total) ? null : (
        <nav class="actions" aria-label={texts.pages(label)}>
          <button type="button" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - limit))}>
            {texts.previousPage}
          </button>
          <button type="button" disabled={offset + rows.length >= total} onClick={() => turn(offset + limit)}>
            {texts.nextPage}
          </button>
        </nav>
      )}
    </>
  );
}

interface LoadedProps {
  readonly of: Reading;
  readonly children: (result: RunResult) => ComponentChildren;
}

/** The first answer is waited for; later ones take its place. */
export function Loaded({ of: { result, error, isLoading, reload }, children }: LoadedProps) {
  return (
    <>
      {error === null ? null : <ErrorNotice error={error} retry={reload} />}
      {result === null ? isLoading ? <Busy /> : null : <div aria-busy={isLoading}>{children(result)}</div>}
    </>
  );
}

/** Of a list in a result; none of anything else. */
export function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function cellText(value: Json): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return JSON.stringify(value);
}
