/** Pages of the site: the tree, what a search finds, or those in a state. */
import { useState } from 'preact/hooks';
import { rowsOf } from '../data-table.js';
import { linkTo } from '../route.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { titleOf } from '../values.js';
import { MoreRows } from './more-rows.js';
import { NewPage } from './new-page.js';
import { isMixed, matching, SearchInput, useSettled } from './pickers.js';

const states = ['draft', 'published', 'changed', 'withdrawn', 'planned'] as const;

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
      <SearchInput label={texts.writing.findPage} value={words} change={setWords} />
      <select
        aria-label={titleOf('state')}
        value={state}
        onChange={({ currentTarget }) => setState(currentTarget.value)}
      >
        <option value="">{texts.every}</option>
        {states.map((one) => (
          <option value={one}>{texts.states[one]}</option>
        ))}
      </select>
      <NewPage />
      {state === '' ? <Resources key={q} {...{ q, current }} /> : <InState key={state} {...{ state, current }} />}
    </nav>
  );
}

function InState({ state, current }: { readonly state: string; readonly current: number | null }) {
  const options = state === 'planned' ? { planned: true } : { state };
  return (
    <MoreRows<Row & { readonly resource_id: number }> path="page list" options={options} step={step}>
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <Branch key={row.resource_id} row={{ ...row, id: row.resource_id }} current={current} />
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
  readonly isMixed?: boolean;
  readonly state?: string;
}

function Branch({ row, current, isTree = false, isMixed = false, state = '' }: BranchProps) {
  const [isOpen, setOpen] = useState(false);
  const said = [isMixed ? row.context_key : '', texts.states[state] ?? ''].filter((word) => word !== '').join(' · ');
  return (
    <li>
      <div class="branch">
        {isTree && row.isfolder && (
          <button
            type="button"
            class="small"
            aria-expanded={isOpen}
            aria-label={texts.writing.below(row.pagetitle)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
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
