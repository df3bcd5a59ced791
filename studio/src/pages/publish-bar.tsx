/** Whether the draft is saved, and publishing: now, at a time, or not any more. */
import { useState } from 'preact/hooks';
import { TextInput } from '../inputs.js';
import { ConfirmDialog, Notice } from '../parts.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import type { DraftSession } from './draft-session.js';

export function PublishBar({ draft }: { readonly draft: DraftSession }) {
  const [asked, setAsked] = useState(false);
  const [publishedNow, setPublishedNow] = useState(0);
  const { page } = draft;
  const isOffered = useCommand('page publish') !== undefined;
  const isPublished = page?.state === 'published' && !draft.isDirty;
  const publish = async (): Promise<void> => {
    const isDone = await draft.perform('page publish', { options: () => ({ revision: draft.page?.revision ?? 0 }) });
    if (isDone) setPublishedNow(draft.page?.published_revision ?? 0);
  };
  return (
    <div class="publish">
      <p class={`saved ${draft.state}`} role="status">
        {texts.writing.saveStates[draft.state]}
      </p>
      {page === null || !isOffered ? null : (
        <>
          <div class="actions">
            <button type="button" class="primary" disabled={isPublished} onClick={() => void publish()}>
              {texts.writing.publish}
            </button>
            {page.published_revision === 0 ? null : (
              <button type="button" onClick={() => setAsked(true)}>
                {texts.writing.unpublish}
              </button>
            )}
          </div>
          <Plan draft={draft} what="publish" at={page.publish_on} />
          {page.published_revision === 0 ? null : <Plan draft={draft} what="unpublish" at={page.unpublish_on} />}
        </>
      )}
      {isPublished && publishedNow === page.published_revision && (
        <Notice kind="good">{texts.writing.isPublished}</Notice>
      )}
      <ConfirmDialog
        text={asked ? texts.writing.unpublishQuestion : null}
        answer={(isYes) => {
          setAsked(false);
          if (isYes) void draft.perform('page unpublish');
        }}
      />
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
  const set = (text: string): void => void draft.perform(`page ${what}`, { options: () => ({ at: text }) });
  if (at !== null) {
    return (
      <p class="plan">
        {texts.writing.planned[what](new Date(at).toLocaleString())}{' '}
        <button type="button" class="small" onClick={() => set('never')}>
          {texts.writing.cancelPlan}
        </button>
      </p>
    );
  }
  return (
    <details class="plan">
      <summary>{texts.writing.later[what]}</summary>
      <TextInput
        label={texts.writing.time}
        help={texts.writing.needsWorker}
        problems={draft.problems['at'] ?? []}
        type="datetime-local"
        value={time}
        change={setTime}
      >
        <button type="button" disabled={time === ''} onClick={() => set(new Date(time).toISOString())}>
          {texts.writing.plan}
        </button>
      </TextInput>
    </details>
  );
}
