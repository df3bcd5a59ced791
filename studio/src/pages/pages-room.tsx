/** Writes and publishes the pages of the site: the tree, what a search finds, or the pages in a state. */
import { useState } from 'preact/hooks';
import { CommandDialog } from '../action.js';
import { ChoiceInput, TextInput } from '../inputs.js';
import { MoreRows } from '../list-view.js';
import { Button, Notice } from '../parts.js';
import { useTemplates } from '../site/resources.js';
import { linkTo, openMade } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { Loaded, rowsOf, titleOf } from '../values.js';
import type { TypeView } from './page-document.js';
import { PageEditor } from './page-editor.js';
import { isMixed, matching, pageOfSite, useSettled } from './pickers.js';

/** `id` is that of the opened resource. */
export function PagesRoom({ id }: { readonly id: string | undefined }) {
  const reading = useRun('section-type list');
  const opened = id !== undefined && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null;
  if (id !== undefined && opened === null) return <Notice kind="bad">{texts.notFound}</Notice>;
  return (
    <div class="columns pages">
      <PageList current={opened} />
      <Loaded of={reading}>
        {({ data }) => {
          if (opened === null) return <p>{texts.writing.start}</p>;
          const types = (data as unknown as readonly TypeView[]).map((type) => [type.key, type] as const);
          return <PageEditor key={opened} id={opened} types={new Map(types)} />;
        }}
      </Loaded>
    </div>
  );
}

const states = ['draft', 'published', 'changed', 'withdrawn', 'planned'].map(
  (one) => [one, texts.states[one] ?? one] as const,
);

interface Row {
  readonly id: number;
  readonly pagetitle: string;
  readonly context_key: string;
  readonly isfolder?: boolean;
}

const step = 50;
const fields = 'id,pagetitle,context_key,isfolder';

export function PageList({ current }: { readonly current: number | null }) {
  const [words, setWords] = useState('');
  const [state, setState] = useState('');
  const q = useSettled(words.trim());
  return (
    <nav class={current === null ? 'list open' : 'list'} aria-label={texts.rooms.pages}>
      <TextInput type="search" label={texts.writing.findPage} value={words} change={setWords} />
      <ChoiceInput
        {...{ label: titleOf('state'), choices: states, unset: texts.every, value: state, change: setState }}
      />
      <NewPage />
      {state === '' ? <Resources key={q} {...{ q, current }} /> : <InState key={state} {...{ state, current }} />}
    </nav>
  );
}

function InState({ state, current }: { readonly state: string; readonly current: number | null }) {
  const options = state === 'planned' ? { planned: true } : { state };
  return (
    <MoreRows<Row & { readonly resource_id: number }> path="page list" options={options} step={step}>
      {(rows) => <Branches rows={rows.map((row) => ({ ...row, id: row.resource_id }))} current={current} />}
    </MoreRows>
  );
}

interface ResourcesProps {
  /** What they contain; empty for the tree. */
  readonly q: string;
  readonly parent?: number;
  readonly current: number | null;
}

function Resources({ q, parent = 0, current }: ResourcesProps) {
  const part = q === '' ? { filter: [`parent=${parent}`], sort: 'menuindex,id' } : matching(q);
  return (
    <MoreRows<Row> path="resource list" options={{ ...part, fields }} step={step} isQuiet={q === ''}>
      {(rows) => <Branches {...{ rows, current }} isTree={q === ''} />}
    </MoreRows>
  );
}

function Branches({ rows, ...about }: Pick<BranchProps, 'current' | 'isTree'> & { readonly rows: readonly Row[] }) {
  const ids = rows.map(({ id }) => id).join(',');
  const { result } = useRun('page list', { options: { resources: ids || '1', limit: 1000 } });
  const stateOf = new Map(rowsOf(result?.data).map((page) => [page['resource_id'], String(page['state'])]));
  return (
    <ul>
      {rows.map((row) => (
        <Branch key={row.id} {...{ ...about, row }} isMixed={isMixed(rows)} state={stateOf.get(row.id) ?? ''} />
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly row: Row;
  readonly current: number | null;
  readonly isTree?: boolean;
  /** Beside pages of other contexts. */
  readonly isMixed: boolean;
  readonly state: string;
}

function Branch({ row, current, isTree = false, isMixed, state }: BranchProps) {
  const [isOpen, setOpen] = useState(false);
  const said = [isMixed ? row.context_key : '', texts.states[state] ?? ''].filter((word) => word !== '').join(' · ');
  return (
    <li>
      <div class="branch">
        {isTree && row.isfolder && (
          <Button
            {...{ label: isOpen ? '▾' : '▸', kind: 'small', 'aria-expanded': isOpen }}
            aria-label={texts.writing.below(row.pagetitle)}
            act={() => setOpen(!isOpen)}
          />
        )}
        <a href={linkTo('pages', String(row.id))} aria-current={row.id === current ? 'page' : undefined}>
          {row.pagetitle}
          {said && <span>{said}</span>}
        </a>
      </div>
      {isOpen && <Resources q="" parent={row.id} current={current} />}
    </li>
  );
}

export function NewPage() {
  const plain = (name: string) => ({ title: titleOf(name), description: '', placeholder: '' });
  const known = {
    pagetitle: { ...plain('pagetitle'), required: true },
    alias: { ...plain('alias'), description: texts.writing.aliasHelp },
    parent: { ...plain('parent'), control: pageOfSite },
    template: { ...plain('template'), kind: 'choice', isOpen: false, choices: useTemplates() },
  } as const;
  return (
    <CommandDialog
      path="resource create"
      label={texts.writing.newPage}
      kind="small"
      first={Object.keys(known)}
      known={known}
      submit={texts.create}
      onDone={openMade('pages')}
    />
  );
}
