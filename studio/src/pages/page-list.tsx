/** Pages of the site: the tree, what a search finds, or those in a state. */
import { useState } from 'preact/hooks';
import { CommandDialog } from '../action.js';
import { isObject, type Json } from '../api.js';
import { ErrorNotice } from '../parts.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { More, matching, SearchInput, useSettled } from './pickers.js';

type State = keyof typeof texts.writing.states;
const states = ['draft', 'published', 'changed', 'withdrawn', 'planned'] as const;

interface Row {
  readonly id: number;
  readonly pagetitle: string;
  readonly context_key: string;
  readonly published: boolean;
  readonly isfolder: boolean;
}

const step = 50;
const fields = 'id,pagetitle,context_key,published,isfolder';

export function PageList({ current }: { readonly current: number | null }) {
  const [words, setWords] = useState('');
  const [state, setState] = useState<State | ''>('');
  const q = useSettled(words.trim());
  return (
    <nav class={current === null ? 'list open' : 'list'} aria-label={texts.rooms.pages}>
      <SearchInput label={texts.writing.findPage} value={words} change={setWords} />
      <select
        aria-label={texts.writing.state}
        value={state}
        onChange={({ currentTarget }) => setState(currentTarget.value as State | '')}
      >
        <option value="">{texts.writing.allPages}</option>
        {states.map((one) => (
          <option value={one}>{texts.writing.states[one]}</option>
        ))}
      </select>
      <CommandDialog
        path="resource create"
        label={texts.writing.newPage}
        kind="small"
        first={['pagetitle', 'parent', 'template']}
        submit={texts.writing.create}
        onDone={({ data }) => {
          if (isObject(data)) location.hash = linkTo('pages', String(data['id']));
        }}
      />
      {state === '' ? <Resources key={q} {...{ q, current }} /> : <InState key={state} {...{ state, current }} />}
    </nav>
  );
}

function InState({ state, current }: { readonly state: State; readonly current: number | null }) {
  const [limit, setLimit] = useState(step);
  const which = state === 'planned' ? { planned: true } : { state };
  const { result, error } = useRun('page list', { options: { ...which, limit } });
  const rows = rowsOf(result?.data).map((row) => ({ ...row, id: Number(row['resource_id']) }) as unknown as Row);
  return (
    <>
      {error === null ? null : <ErrorNotice error={error} />}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <PageLink row={row} isCurrent={row.id === current} state={null} />
          </li>
        ))}
      </ul>
      {result === null ? null : (
        <More shown={rows.length} total={result.meta?.total ?? 0} more={() => setLimit(limit + step)} />
      )}
    </>
  );
}

interface ResourcesProps {
  /** What they contain; empty for the tree. */
  readonly q: string;
  readonly parent?: number;
  readonly current: number | null;
}

function Resources({ q, parent = 0, current }: ResourcesProps) {
  const [limit, setLimit] = useState(step);
  const part = q === '' ? { filter: [`parent=${parent}`], sort: 'menuindex,id' } : matching(q);
  const { result, error } = useRun('resource list', { options: { ...part, fields, limit } });
  const rows = rowsOf(result?.data) as unknown as readonly Row[];
  const ids = rows.map(({ id }) => id).join(',');
  const pages = useRun('page list', { options: { resources: ids || '1', limit: 1000 } });
  const stateOf = new Map(
    rowsOf(pages.result?.data).map((page) => [Number(page['resource_id']), String(page['state'])]),
  );
  const total = result?.meta?.total ?? 0;
  return (
    <>
      {error === null ? null : <ErrorNotice error={error} />}
      <ul>
        {rows.map((row) => (
          <Branch key={row.id} row={row} current={current} isTree={q === ''} state={stateOf.get(row.id) ?? null} />
        ))}
      </ul>
      {result !== null && (q !== '' || total > rows.length) ? (
        <More shown={rows.length} total={total} more={() => setLimit(limit + step)} />
      ) : null}
    </>
  );
}

interface BranchProps {
  readonly row: Row;
  readonly current: number | null;
  readonly isTree: boolean;
  readonly state: string | null;
}

function Branch({ row, current, isTree, state }: BranchProps) {
  const [isOpen, setOpen] = useState(false);
  const canOpen = isTree && row.isfolder;
  return (
    <li>
      <div class="branch">
        {canOpen ? (
          <button
            type="button"
            class="small"
            aria-expanded={isOpen}
            aria-label={texts.writing.below(row.pagetitle)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        ) : null}
        <PageLink row={row} isCurrent={row.id === current} state={state} />
      </div>
      {canOpen && isOpen ? <Resources q="" parent={row.id} current={current} /> : null}
    </li>
  );
}

interface PageLinkProps {
  readonly row: Row;
  readonly isCurrent: boolean;
  readonly state: string | null;
}

function PageLink({ row, isCurrent, state }: PageLinkProps) {
  const said = (texts.writing.states as Readonly<Record<string, string>>)[state ?? ''];
  return (
    <a href={linkTo('pages', String(row.id))} aria-current={isCurrent ? 'page' : undefined}>
      {row.pagetitle}
      {said === undefined ? null : <span>{said}</span>}
    </a>
  );
}

function rowsOf(data: Json | undefined) {
  return Array.isArray(data) ? data.filter(isObject) : [];
}
