/** One page: its sections, its preview, and what is done with it. */
import { useEffect, useState } from 'preact/hooks';
import { CommandButton } from '../action.js';
import { useRun } from '../api.js';
import { Busy, Button, Choose, ErrorNotice, Notice } from '../parts.js';
import { fill, texts } from '../texts.js';
import { textOf, timeText } from '../values.js';
import { DraftSession, type Editor } from './draft-session.js';
import { ProblemsContext, type Types } from './page-document.js';
import { Differences, History, PublishBar } from './page-versions.js';
import { SectionList } from './section-list.js';

/** What could not be saved is still there when one comes back. */
const drafts = new Map<number, DraftSession>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ isDirty }) => isDirty)) event.preventDefault();
});

const fields = 'id,pagetitle,uri,context_key,parent,template,published';

export function PageEditor({ id, types }: { readonly id: number; readonly types: Types }) {
  const [, redraw] = useState({});
  const [view, setView] = useState<keyof typeof texts.writing.views>('write');
  const [shown, setShown] = useState<Shown>({ document: 'draft' });
  const draft = drafts.get(id) ?? new DraftSession(id);
  drafts.set(id, draft);
  useEffect(() => {
    draft.changed = () => redraw({});
    if (!draft.isDirty) void draft.load();
    return () => void draft.save();
  }, []);
  const { page, problems, theirs, other, notes, error, state } = draft;
  const { result, record, notice } = useRun('resource show', { arguments: [String(id)], options: { fields } });
  if (result === null) return notice;
  if (state === 'loading' && draft.version === 0) return <Busy />;
  const t = texts.writing;
  const isNew = (page?.last_published ?? 0) === 0;
  const revision = `${page?.revision} ${page?.last_published}`;
  const show = (document: string, section?: string): void => setShown({ document, section });
  const editor: Editor = { draft, types, resource: record, show };
  return (
    <ProblemsContext.Provider value={problems}>
      <article>
        <h1>{textOf(record['pagetitle'])}</h1>
        <p class="help">
          <LiveLink {...editor} /> · {page === null ? t.noPage : texts.states[page.state]}
        </p>
        {notice}
        <ServiceNotice />
        <PublishBar {...editor} />
        {notes.map((note) => (
          <Notice>{note}</Notice>
        ))}
        {record['published'] === false && (
          <div class="actions">
            <CommandButton {...{ path: 'resource publish', words: [String(id)], label: t.openPage }} />
          </div>
        )}
        <ErrorNotice
          error={error}
          shown={Object.keys(problems).filter((one) => one === 'at' || one.startsWith('sections['))}
          {...(state !== 'refused' && { retry: () => void (draft.isDirty ? draft.save() : draft.load()) })}
        />
        {other !== null && (
          <Notice kind={theirs ? 'bad' : 'plain'}>
            <p>{theirs ? fill(t.conflict, theirs.edited_by, timeText(theirs.edited_on), theirs.revision) : t.aside}</p>
            <div class="actions">
              {theirs && <Button label={t.keepMine} act={() => draft.goOn(draft.document)} />}
              <Button label={theirs ? t.takeTheirs : t.swap} act={() => draft.goOn(other)} />
              {!theirs && <Button label={t.forget} act={() => draft.forgetOther()} />}
            </div>
          </Notice>
        )}
        <div class="actions">
          <Choose names={t.views} value={view} change={setView} />
        </div>
        <div class="beside">
          <div>
            {view === 'write' && <SectionList key={draft.version} {...editor} />}
            {view !== 'write' && isNew && <p>{t.neverPublished}</p>}
            {view === 'differences' && !isNew && <Differences key={revision} {...editor} />}
            {view === 'history' && !isNew && <History key={revision} {...editor} />}
          </div>
          {page !== null && <Preview id={id} revision={page.revision} {...shown} />}
        </div>
      </article>
    </ProblemsContext.Provider>
  );
}

function ServiceNotice() {
  const words = ['pages_rest_api_enabled'];
  if (useRun('setting get', { arguments: words }).record['value'] !== false) return null;
  return (
    <Notice kind="bad">
      <p>{texts.writing.serviceOff}</p>
      <CommandButton path="setting set" words={[...words, '1']} label={texts.turnOn} />
    </Notice>
  );
}

function LiveLink({ resource: { uri, context_key: context = '', published }, draft: { page } }: Editor) {
  const own = useRun('setting get', { arguments: ['gateway_site_url'], options: { context } });
  const stored = useRun('setting get', { arguments: ['site_url'], options: { context } });
  const given = [own.record, stored.record].filter(({ value }) => /^https?:\/\//.test(String(value)));
  // What a context has of its own comes first.
  const site = given.find(({ source }) => source === 'context') ?? given[0];
  const isLive = published && (page?.published_revision ?? 0) > 0;
  if (!isLive || site === undefined) return <>/{uri}</>;
  return (
    <a href={`${String(site['value']).replace(/\/+$/, '')}/${uri}`} target="_blank" rel="noreferrer">
      /{uri} ↗
    </a>
  );
}

const widths = { mobile: 390, tablet: 820, desktop: 1280 } as const;

interface Shown {
  readonly document: string;
  readonly section?: string | undefined;
}

function Preview({ id, document: which, revision, section }: Shown & Readonly<Record<'id' | 'revision', number>>) {
  const [screen, setScreen] = useState<keyof typeof widths>('mobile');
  return (
    <section class="preview" aria-label={texts.writing.preview}>
      <div class="bar">
        <h2>{texts.writing.preview}</h2>
        <div class="choice">
          <Choose names={texts.writing.screens} value={screen} change={setScreen} kind="small" />
        </div>
      </div>
      <div class="screen">
        <iframe
          style={{ '--wide': `${widths[screen]}px` }}
          sandbox=""
          title={texts.writing.preview}
          src={`/frame/${id}?document=${which}&revision=${revision}${section ? `#section-${section}` : ''}`}
        />
      </div>
    </section>
  );
}
