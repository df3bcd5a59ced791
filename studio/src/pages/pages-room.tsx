/** Writes and publishes the pages of the site: the tree, what a search finds, or the pages in a state. */
import { useEffect, useState } from 'preact/hooks';
import { CommandDialog, openMade } from '../action.js';
import { type JsonObject, recordOf, run, useRun } from '../api.js';
import { type Asked, FilterBar, ListView } from '../list-view.js';
import { Button, Notice } from '../parts.js';
import { useTemplates } from '../site/resources.js';
import { linkTo } from '../site.js';
import { fill, texts } from '../texts.js';
import { textOf } from '../values.js';
import type { TypeView } from './page-document.js';
import { PageEditor } from './page-editor.js';
import { isMixed, matching, pageOfSite } from './pickers.js';

export function PagesRoom({ id }: { readonly id: string | undefined }) {
  const { result, rows, notice } = useRun('section-type list');
  const opened = id !== undefined && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null;
  if (id !== undefined && opened === null) return <Notice kind="bad">{texts.notFound}</Notice>;
  const types = new Map((rows as unknown as readonly TypeView[]).map((type) => [type.key, type]));
  return (
    <div class="columns">
      <PageList current={opened} />
      <div>
        {notice}
        {opened === null && <h1>{texts.writing.start}</h1>}
        {opened !== null && result && <PageEditor key={opened} id={opened} types={types} />}
      </div>
    </div>
  );
}

const states = ['draft', 'published', 'changed', 'withdrawn', 'planned'];

const fields = 'id,pagetitle,context_key,isfolder';

function PageList({ current }: { readonly current: number | null }) {
  const [asked, ask] = useState<Asked>({});
  const [above, setAbove] = useState<readonly number[]>([]);
  useEffect(() => {
    if (current === null) return;
    // What is wrong with the page is said beside the list.
    pagesAbove(current).then(
      (found) => setAbove((before) => [...before, ...found]),
      () => undefined,
    );
  }, [current]);
  const { q, state } = asked;
  const label = texts.rooms.pages;
  const ofState = { path: 'page list', options: state === 'planned' ? { planned: true } : { state: state ?? '' } };
  const found = state === undefined ? { path: 'resource list', options: { ...matching(asked), fields } } : ofState;
  const filters = [
    { name: 'q', title: texts.writing.findPage },
    { name: 'state', choices: states.map((one) => [one, texts.states[one] ?? one] as const) },
  ];
  return (
    <nav class={current === null ? 'list open' : 'list'} aria-label={label}>
      <FilterBar fields={filters} values={asked} change={ask} {...{ label }} />
      <NewPage />
      {state === undefined && q === undefined ? (
        <Level parent={0} {...{ current, above }} />
      ) : (
        <ListView key={`${state} ${q}`} {...{ label, ...found }} draw={(rows) => <Branches {...{ rows, current }} />} />
      )}
    </nav>
  );
}

async function pagesAbove(id: number, found: readonly number[] = []): Promise<readonly number[]> {
  const { data } = await run('resource show', { arguments: [String(id)], options: { fields: 'parent' } });
  const parent = Number(recordOf(data)['parent']);
  // Damaged data may lead in a circle.
  return parent > 0 && !found.includes(parent) ? pagesAbove(parent, [...found, parent]) : found;
}

interface Tree {
  readonly current: number | null;
  /** Pages that are open because one below them was opened. Without it the rows are no tree. */
  readonly above?: readonly number[];
}

function Level({ parent, ...tree }: Tree & { readonly parent: number }) {
  return (
    <ListView
      path="resource list"
      label={texts.rooms.pages}
      options={{ filter: [`parent=${parent}`], sort: 'menuindex,id', fields }}
      limit={200}
      isGrowing
      draw={(rows) => <Branches rows={rows} {...tree} />}
    />
  );
}

function idOf(row: JsonObject): number {
  return Number(row['resource_id'] ?? row['id']);
}

function Branches({ rows, ...tree }: Tree & { readonly rows: readonly JsonObject[] }) {
  const options = { resources: rows.map(idOf).join(','), limit: Math.max(1, rows.length) };
  const pages = useRun('page list', { options }).rows;
  const stateOf = new Map(pages.map((page) => [idOf(page), textOf(page['state'])]));
  return (
    <ul>
      {rows.map((row) => {
        const said = [isMixed(rows) && row['context_key'], texts.states[stateOf.get(idOf(row)) ?? '']];
        return <Branch key={idOf(row)} {...{ ...tree, row }} said={said.filter(Boolean).join(' · ')} />;
      })}
    </ul>
  );
}

function Branch({ row, said, current, above }: Tree & { readonly row: JsonObject; readonly said: string }) {
  const [isOpened, setOpened] = useState<boolean | null>(null);
  const id = idOf(row);
  const isOpen = isOpened ?? above?.includes(id) ?? false;
  const title = textOf(row['pagetitle']);
  return (
    <li>
      <div class="branch">
        {above && row['isfolder'] === true && (
          <Button
            {...{ label: isOpen ? '▾' : '▸', kind: 'small', 'aria-expanded': isOpen }}
            aria-label={fill(texts.writing.below, title)}
            act={() => setOpened(!isOpen)}
          />
        )}
        <a href={linkTo('pages', String(id))} {...(id === current && { ref: show, 'aria-current': 'page' })}>
          {title}
          {said && <span>{said}</span>}
        </a>
      </div>
      {isOpen && above && <Level parent={id} {...{ current, above }} />}
    </li>
  );
}

/** The list scrolls to the page that was opened by its address. */
function show(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest' });
}

function NewPage() {
  const known = {
    pagetitle: { required: true },
    alias: { description: texts.writing.aliasHelp },
    parent: { control: pageOfSite },
    template: { kind: 'choice', isOpen: false, choices: useTemplates() },
  } as const;
  return (
    <CommandDialog
      path="resource create"
      label={texts.writing.newPage}
      kind="small"
      groups={[{ names: Object.keys(known) }]}
      known={known}
      submit={texts.create}
      onDone={openMade('pages')}
    />
  );
}
