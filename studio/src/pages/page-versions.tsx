/** Publishing now, at a time, or not any more; what it would change, and what was published before. */
import { useState } from 'preact/hooks';
import type { SectionChange } from '../../../src/pages/rules/page-diff.js';
import { type FieldDefinition, storedFields } from '../../../src/pages/rules/section-type.js';
import { type Json, type JsonObject, useRun } from '../api.js';
import { TextInput } from '../inputs.js';
import { ListView } from '../list-view.js';
import { AskButton, Button, Notice } from '../parts.js';
import { commandOf } from '../site.js';
import { fill, texts } from '../texts.js';
import { isoTime, textOf, timeText, titleOf } from '../values.js';
import type { DraftSession, Editor } from './draft-session.js';
import { urlOf } from './fields.js';

export function PublishBar({ draft }: Editor) {
  const { page } = draft;
  const t = texts.writing;
  const isPublished = page?.state === 'published' && !draft.isDirty;
  return (
    <div class="publish">
      <p class={`saved ${draft.state}`} role="status">
        {t.saveStates[draft.state]}
      </p>
      {page && commandOf('page publish') && (
        <>
          <div class="actions">
            <Button
              {...{ label: t.publish, kind: 'primary', disabled: isPublished }}
              act={() => void draft.perform('page publish')}
            />
            {page.published_revision > 0 && (
              <AskButton
                {...{ label: t.unpublish, question: t.unpublishQuestion }}
                act={() => void draft.perform('page unpublish')}
              />
            )}
          </div>
          <Plan draft={draft} what="publish" at={page.publish_on} />
          {page.published_revision > 0 && <Plan draft={draft} what="unpublish" at={page.unpublish_on} />}
        </>
      )}
      {isPublished && <Notice kind="good">{t.isPublished}</Notice>}
    </div>
  );
}

interface PlanProps {
  readonly draft: DraftSession;
  readonly what: 'publish' | 'unpublish';
  readonly at: string | null;
}

/** Times are those of the browser's clock and zone. */
function Plan({ draft, what, at }: PlanProps) {
  const [time, setTime] = useState('');
  const set = (text: string): void => void draft.perform(`page ${what}`, [], { at: text });
  if (at !== null) {
    return (
      <p>
        {fill(texts.writing.planned[what], timeText(at))}{' '}
        <Button label={texts.writing.cancelPlan} kind="small" act={() => set('never')} />
      </p>
    );
  }
  return (
    <details>
      <summary>{texts.writing.later[what]}</summary>
      <TextInput
        label={texts.writing.time}
        help={texts.writing.needsWorker}
        problems={draft.problems['at'] ?? []}
        type="datetime-local"
        value={time}
        change={setTime}
      >
        <Button label={texts.writing.plan} disabled={time === ''} act={() => set(isoTime(time))} />
      </TextInput>
    </details>
  );
}

/** What it shows belongs to one revision. */
export function Differences({ draft, types }: Editor) {
  const t = texts.writing;
  const { result, record, notice } = useRun('page diff', { arguments: [String(draft.id)] });
  if (result === null) return notice;
  const changes = record['changes'] as unknown as readonly SectionChange[];
  if (changes.length === 0) return <p>{t.noDifferences}</p>;
  return (
    <ol class="changes">
      {changes.map(({ id: section, kind, type, before, after, values }) => (
        <li key={section}>
          <b>{types.get(type)?.label ?? type}</b>{' '}
          <span class="help">{fill(t.changeKinds[kind], (before ?? 0) + 1, (after ?? 0) + 1)}</span>
          {values.map((value) => (
            <div class="change">
              <span class="help">{labelOf(value.path, types.get(type)?.definitions ?? [])}</span>
              {value.before !== undefined && <del>{shown(value.before)}</del>}
              {value.after !== undefined && <ins>{shown(value.after)}</ins>}
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
  for (const step of path.replace(/^data\b/, '').match(/[^.[\]]+/g) ?? []) {
    const field = storedFields(level).find(({ name }) => name === step);
    words.push(/^\d+$/.test(step) ? String(Number(step) + 1) : field?.label || step);
    level = field?.fields ?? level;
  }
  return words.join(' › ');
}

function shown(value: unknown): string {
  return urlOf(value as Json) || textOf(value as Json);
}

/** By whom, whether it repeats an earlier one, and whether it is the one that is out. */
function aboutPublication({ published_by: by, restored_from: from, is_published: isOut }: JsonObject): string {
  const restored = from === null ? '' : `${titleOf('restored_from')}: ${from}`;
  return [textOf(by), restored, isOut === true ? titleOf('is_published') : ''].filter(Boolean).join(' · ');
}

export function History({ draft, show }: Editor) {
  const t = texts.writing;
  return (
    <ListView
      path="page history"
      words={[String(draft.id)]}
      label={t.views.history}
      columns={[
        { name: 'revision', title: t.publication },
        { name: 'published_on', below: aboutPublication },
      ]}
      actions={(row) => {
        const revision = String(row['revision']);
        return (
          <>
            <Button label={fill(t.look, revision)} kind="small" act={() => show(revision)} />
            {commandOf('page rollback') && (
              <AskButton
                {...{ label: fill(t.rollBack, revision), kind: 'small', question: fill(t.rollBackQuestion, revision) }}
                act={() => void draft.perform('page rollback', [revision])}
              />
            )}
          </>
        );
      }}
    />
  );
}
