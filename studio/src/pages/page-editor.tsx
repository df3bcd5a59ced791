/** One page: its sections, its preview, and what is done with it. */
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import { Busy, ErrorNotice, Notice } from '../parts.js';
import { texts } from '../texts.js';
import { DraftSession } from './draft-session.js';
import { ProblemsContext } from './editing.js';
import { LiveLink } from './live-link.js';
import type { Types } from './page-document.js';
import { Differences, History } from './page-versions.js';
import { Preview } from './preview.js';
import { PublishBar } from './publish-bar.js';
import { SectionList } from './section-list.js';

interface PageEditorProps {
  readonly id: number;
  readonly types: Types;
}

const views = ['write', 'differences', 'history'] as const;

/** What could not be saved is still there when one comes back. */
const unsaved = new Map<number, DraftSession>();

export function PageEditor({ id, types }: PageEditorProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const draft = useMemo(() => unsaved.get(id) ?? new DraftSession(id), [id]);
  const [view, setView] = useState<(typeof views)[number]>('write');
  const [shown, setShown] = useState<{ readonly document: string; readonly section: string | null }>({
    document: 'draft',
    section: null,
  });
  useEffect(() => {
    draft.changed = () => redraw(undefined);
    if (!unsaved.delete(id)) void draft.load();
    const warn = (event: BeforeUnloadEvent): void => {
      if (draft.isDirty) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      unsaved.set(id, draft);
      void draft.save().then((isDone) => isDone && unsaved.get(id) === draft && unsaved.delete(id));
    };
  }, [draft]);
  const { resource, page, problems, theirs, other, notes, error, state } = draft;
  if (resource === null) {
    return error === null ? <Busy /> : <ErrorNotice error={error} retry={() => void draft.load()} />;
  }
  return (
    <ProblemsContext.Provider value={problems}>
      <article class="page">
        <h1>{resource.pagetitle}</h1>
        <p class="help">
          <LiveLink {...{ resource, page }} /> · {page === null ? texts.writing.noPage : texts.states[page.state]}
        </p>
        <PublishBar draft={draft} />
        {notes.map((note) => (
          <Notice>{note}</Notice>
        ))}
        {!resource.published && (
          <CommandButton
            path="resource publish"
            given={{ arguments: [String(id)] }}
            label={texts.writing.openPage}
            onDone={() => void draft.save().then(() => draft.load())}
          />
        )}
        <ErrorNotice
          error={error}
          shown={Object.keys(problems).filter((one) => one === 'at' || one.startsWith('sections['))}
          {...(state !== 'refused' && { retry: () => void draft.save() })}
        />
        {theirs !== null && (
          <Notice kind="bad">
            <p>
              {texts.writing.conflict(theirs.edited_by, new Date(theirs.edited_on).toLocaleString(), theirs.revision)}
            </p>
            <div class="actions">
              <button type="button" onClick={() => draft.keepMine()}>
                {texts.writing.keepMine}
              </button>
              <button type="button" onClick={() => draft.swap()}>
                {texts.writing.takeTheirs}
              </button>
            </div>
          </Notice>
        )}
        {theirs === null && other !== null && (
          <Notice>
            <p>{texts.writing.aside}</p>
            <div class="actions">
              <button type="button" onClick={() => draft.swap()}>
                {texts.writing.swap}
              </button>
              <button type="button" onClick={() => draft.forgetOther()}>
                {texts.writing.forget}
              </button>
            </div>
          </Notice>
        )}
        <div class="choice views">
          {views.map((one) => (
            <button type="button" aria-pressed={one === view} onClick={() => setView(one)}>
              {texts.writing.views[one]}
            </button>
          ))}
        </div>
        <div class="beside">
          <div class="work">
            {view === 'write' && (
              <SectionList
                key={draft.version}
                {...{ document: draft.document, types, resource }}
                change={(document) => draft.change(document)}
                show={(section) => setShown({ document: 'draft', section })}
              />
            )}
            {view === 'differences' && <Differences draft={draft} types={types} />}
            {view === 'history' && <History draft={draft} show={(document) => setShown({ document, section: null })} />}
          </div>
          {page !== null && <Preview id={id} revision={page.revision} {...shown} />}
        </div>
      </article>
    </ProblemsContext.Provider>
  );
}
