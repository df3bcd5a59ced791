/** What publishing would change, and what was published before. */
import { useState } from 'preact/hooks';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json } from '../api.js';
import { Loaded } from '../data-table.js';
import { ConfirmDialog } from '../parts.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import type { DraftSession } from './draft-session.js';
import { MoreRows } from './more-rows.js';
import type { Types } from './page-document.js';

interface Change {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  readonly id: string;
  readonly type: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly values: readonly { readonly path: string; readonly before?: Json; readonly after?: Json }[];
}

export function Differences({ draft, types }: { readonly draft: DraftSession; readonly types: Types }) {
  const isPublished = (draft.page?.last_published ?? 0) > 0;
  if (!isPublished) return <p>{texts.writing.neverPublished}</p>;
  return <Changes key={`${draft.page?.revision} ${draft.page?.last_published}`} id={draft.id} types={types} />;
}

function Changes({ id, types }: { readonly id: number; readonly types: Types }) {
  const reading = useRun('page diff', { arguments: [String(id)] });
  return <Loaded of={reading}>{({ data }) => <ChangeList data={data} types={types} />}</Loaded>;
}

function ChangeList({ data, types }: { readonly data: Json; readonly types: Types }) {
  const changes = (isObject(data) ? data['changes'] : []) as unknown as readonly Change[];
  if (changes.length === 0) return <p>{texts.writing.noDifferences}</p>;
  return (
    <ol class="changes">
      {changes.map(({ id: section, kind, type, before, after, values }) => (
        <li key={section}>
          <b>{types.get(type)?.label ?? type}</b>{' '}
          <span class="help">{texts.writing.changeKinds[kind]((before ?? 0) + 1, (after ?? 0) + 1)}</span>
          {values.map((value) => (
            <div class="change">
              <span class="help">{labelOf(value.path, types.get(type)?.definitions ?? [])}</span>
              {value.before === undefined ? null : <del>{shown(value.before)}</del>}
              {value.after === undefined ? null : <ins>{shown(value.after)}</ins>}
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** `data.items[0].title` as `Cards › 1 › Title`. */
function labelOf(path: string, fields: readonly FieldDefinition[]): string {
  const words: string[] = [];
  let level = fields;
  for (const [, name, index] of path.replace(/^data\.?/, '').matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index !== undefined) words.push(String(Number(index) + 1));
    const field = find(level, name ?? '');
    if (name !== undefined) words.push(field?.label || name);
    level = field?.fields ?? level;
  }
  return words.join(' › ');
}

function find(fields: readonly FieldDefinition[], name: string): FieldDefinition | undefined {
  return fields.flatMap((one) => (one.type === 'fieldset' ? one.fields : [one])).find((one) => one.name === name);
}

function shown(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value);
  const url = isObject(value) ? value['url'] : undefined;
  return typeof url === 'string' ? url : JSON.stringify(value);
}

interface HistoryProps {
  readonly draft: DraftSession;
  readonly show: (document: string) => void;
}

export function History({ draft, show }: HistoryProps) {
  if ((draft.page?.last_published ?? 0) === 0) return <p>{texts.writing.neverPublished}</p>;
  return <Publications key={draft.page?.last_published} {...{ draft, show }} />;
}

interface Publication {
  readonly revision: number;
  readonly published_on: string;
  readonly published_by: string;
  readonly restored_from: number | null;
  readonly is_published: boolean;
}

function Publications({ draft, show }: HistoryProps) {
  const [asked, setAsked] = useState<number | null>(null);
  const isReadOnly = useCommand('page rollback') === undefined;
  return (
    <>
      <MoreRows<Publication> path="page history" words={[String(draft.id)]} step={20}>
        {(rows) => (
          <ol class="changes">
            {rows.map((row) => (
              <li key={row.revision}>
                <b>{texts.writing.publication(row.revision)}</b>{' '}
                <span class="help">
                  {new Date(row.published_on).toLocaleString()} · {row.published_by}
                  {row.restored_from === null ? '' : ` · ${texts.writing.restored(row.restored_from)}`}
                  {row.is_published ? ` · ${texts.writing.current}` : ''}
                </span>
                <div class="choice">
                  <button type="button" class="small" onClick={() => show(String(row.revision))}>
                    {texts.writing.look(row.revision)}
                  </button>
                  {isReadOnly ? null : (
                    <button type="button" class="small" onClick={() => setAsked(row.revision)}>
                      {texts.writing.rollBack(row.revision)}
                    </button>
                  )}
                </div>
              </li>
            ))}
          </ol>
        )}
      </MoreRows>
      <ConfirmDialog
        text={asked === null ? null : texts.writing.rollBackQuestion(asked)}
        answer={(isYes) => {
          setAsked(null);
          if (isYes) void draft.perform('page rollback', { words: [String(asked)], replaces: true });
        }}
      />
    </>
  );
}
