/** Pages of the site: the tree, what a search finds, or those in a state. */
import { useState } from 'preact/hooks';
import { rowsOf } from '../data-table.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { MoreRows } from './more-rows.js';
import { NewPage } from './new-page.js';
import { isMixed, matching, SearchInput, useSettled } from './pickers.js';

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
      <NewPage />
      {state === '' ? <Resources key={q} {...{ q, current }} /> : <InState key={state} {...{ state, current }} />}
    </nav>
  );
}

function InState({ state, current }: { readonly state: State; readonly current: number | null }) {
  const options = state === 'planned' ? { planned: true } : { state };
  return (
    <MoreRows<Row & { readonly resource_id: number }> path="page list" options={options} step={step}>
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <li key={row.resource_id}>
              <PageLink row={{ ...row, id: row.resource_id }} isCurrent={row.resource_id === current} state={null} />
            </li>
          ))}
        </ul>
      )}
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

interface BranchesProps extends Pick<BranchProps, 'current' | 'isTree'> {
  readonly rows: readonly Row[];
}

function Branches({ rows, ...about }: BranchesProps) {
  const ids = rows.map(({ id }) => id).join(',');
  const { result } = useRun('page list', { options: { resources: ids || '1', limit: 1000 } });
  const stateOf = new Map(rowsOf(result?.data).map((page) => [page['resource_id'], String(page['state'])]));
  return (
    <ul>
      {rows.map((row) => (
        <Branch key={row.id} {...{ ...about, row }} isMixed={isMixed(rows)} state={stateOf.get(row.id) ?? null} />
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly row: Row;
  readonly current: number | null;
  readonly isTree: boolean;
  /** Beside pages of other contexts. */
  readonly isMixed: boolean;
  readonly state: string | null;
}

function Branch({ row, current, isTree, isMixed, state }: BranchProps) {
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
        <PageLink row={row} isCurrent={row.id === current} state={state} isMixed={isMixed} />
      </div>
      {canOpen && isOpen ? <Resources q="" parent={row.id} current={current} /> : null}
    </li>
  );
}

interface PageLinkProps {
  readonly row: Row;
  readonly isCurrent: boolean;
  readonly isMixed?: boolean;
  readonly state: string | null;
}

function PageLink({ row, isCurrent, isMixed = false, state }: PageLinkProps) {
  const stateName = (texts.writing.states as Readonly<Record<string, string>>)[state ?? ''];
  const said = [...(isMixed ? [row.context_key] : []), ...(stateName === undefined ? [] : [stateName])].join(' · ');
  return (
    <a href={linkTo('pages', String(row.id))} aria-current={isCurrent ? 'page' : undefined}>
      {row.pagetitle}
      {said === '' ? null : <span>{said}</span>}
    </a>
  );
}
