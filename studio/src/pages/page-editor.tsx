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
  const { resource, page, problems, theirs, aside, notes, error, state } = draft;
  if (resource === null) {
    return error === null ? <Busy /> : <ErrorNotice error={error} retry={() => void draft.load()} />;
  }
  return (
    <ProblemsContext.Provider value={problems}>
      <article class="page">
        <h1>{resource.pagetitle}</h1>
        <p class="help">
          <LiveLink {...{ resource, page }} /> ·{' '}
          {page === null ? texts.writing.noPage : texts.writing.states[page.state]}
        </p>
        <PublishBar draft={draft} />
        {notes.map((note) => (
          <Notice kind="plain">{note}</Notice>
        ))}
        {resource.published ? null : (
          <CommandButton
            path="resource publish"
            given={{ arguments: [String(id)] }}
            label={texts.writing.openPage}
            onDone={() => void draft.save().then(() => draft.load())}
          />
        )}
        {error === null ? null : (
          <ErrorNotice
            error={error}
            shown={Object.keys(error.fields).filter((one) => one === 'at' || one.startsWith('sections['))}
            {...(state !== 'refused' && { retry: () => void draft.save() })}
          />
        )}
        {theirs === null ? null : <Conflict draft={draft} />}
        {aside === null ? null : (
          <Notice kind="plain">
            <p>{texts.writing.aside}</p>
            <div class="actions">
              <button type="button" onClick={() => draft.swap()}>
                {texts.writing.swap}
              </button>
              <button type="button" onClick={() => draft.forgetAside()}>
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
            {view === 'write' ? (
              <SectionList
                key={draft.version}
                {...{ document: draft.document, types, resource }}
                change={(document) => draft.change(document)}
                show={(section) => setShown({ document: 'draft', section })}
              />
            ) : null}
            {view === 'differences' ? <Differences draft={draft} types={types} /> : null}
            {view === 'history' ? (
              <History draft={draft} show={(document) => setShown({ document, section: null })} />
            ) : null}
          </div>
          {page === null ? null : <Preview id={id} revision={page.revision} {...shown} />}
        </div>
        <span class="unseen">{state}</span>
      </article>
    </ProblemsContext.Provider>
  );
}

function Conflict({ draft }: { readonly draft: DraftSession }) {
  const page = draft.theirs?.page ?? null;
  return (
    <Notice kind="bad">
      <p>
        {page === null
          ? ''
          : texts.writing.conflict(page.edited_by, new Date(page.edited_on).toLocaleString(), page.revision)}
      </p>
      <div class="actions">
        <button type="button" onClick={() => draft.keepMine()}>
          {texts.writing.keepMine}
        </button>
        <button type="button" onClick={() => draft.takeTheirs()}>
          {texts.writing.takeTheirs}
        </button>
      </div>
    </Notice>
  );
}
