/** The pages that all servers hold, and the requests of each question with the check of their answers. */
import { fullParents, isPublished, resourceRow, spreadIds } from '../site-shape.js';
import type { Asked, Dialect, Page, Question } from './peer.js';

export interface Request extends Asked {
  /** Throws an Error that says what is wrong with the answer. */
  check(body: unknown): void;
  /** Whether an answer with the same bytes as a checked one is right too. */
  readonly isRepeatable: boolean;
}

const variants = 16;

/** The page `id` of a site with so many. */
export function pageOf(id: number, rows: number): Page {
  const row = resourceRow(id, rows);
  return {
    ...{ id, title: row.pagetitle, uri: row.uri, parent: row.parent, order: row.menuindex },
    ...{ published: row.published === 1, content: row.content, date: row.createdon },
  };
}

export function* allPages(rows: number): Generator<Page> {
  for (let id = 1; id <= rows; id += 1) yield pageOf(id, rows);
}

let written = 0;

/** A function that gives the requests of the question in turn. */
export function requestsOf(question: Question, dialect: Dialect, rows: number): () => Request {
  const reads = readsOf(question, dialect, rows);
  let next = 0;
  return () => {
    next += 1;
    const read = reads[next % reads.length];
    if (read !== undefined) return read;
    written += 1;
    const title = `Measured page ${Date.now()} ${written}`;
    return question === 'create' ? creation(title, dialect) : change(title, { dialect, rows });
  };
}

function readsOf(question: Question, dialect: Dialect, rows: number): Request[] {
  const pages = spreadIds({ count: rows, wanted: variants, highest: rows, test: isPublished }).map((id) =>
    pageOf(id, rows),
  );
  const each = (ask: (page: Page) => Asked, isAmongOthers = false) =>
    pages.map((page) => ({
      ...ask(page),
      isRepeatable: true,
      check: (body: unknown) => checkPages(dialect.pages(body), [page], isAmongOthers),
    }));
  if (question === 'read') return each(({ id }) => dialect.read(id));
  if (question === 'address') return each(({ uri }) => dialect.address(uri));
  if (question === 'search') return each(({ id }) => dialect.search(wordsOf(id, rows)), true);
  const byIndex = dialect.indexSearch ?? dialect.search;
  if (question === 'words') return each(({ id }) => byIndex(wordsOf(id, rows)), true);
  if (question !== 'list') return [];
  return fullParents(rows, variants).map((parent) => {
    const children = [...allPages(rows)].filter((page) => page.parent === parent).sort((a, b) => a.order - b.order);
    return {
      ...dialect.list(parent),
      isRepeatable: true,
      check: (body: unknown) => checkPages(dialect.pages(body), children),
    };
  });
}

/** Updates change the titles, so the words come from the content, whose heading ends with the number of the page. */
function wordsOf(id: number, rows: number): string {
  return /<h2>(.*)<\/h2>/.exec(pageOf(id, rows).content)?.[1] ?? '';
}

function creation(title: string, dialect: Dialect): Request {
  const { order, published, content, date } = pageOf(1, 1);
  const uri = `measured-${Date.now()}-${written}`;
  const page = { title, uri, parent: 0, order, published, content, date };
  return {
    ...dialect.create(page),
    isRepeatable: false,
    check: (body) => checkWritten(dialect.pages(body), { title, content }),
  };
}

function change(title: string, { dialect, rows }: { readonly dialect: Dialect; readonly rows: number }): Request {
  // A page that is not published may be hidden from the credential.
  const ids = Array.from({ length: rows }, (_, at) => 1 + ((written + at) % rows));
  const { id, content } = pageOf(ids.find(isPublished) ?? 1, rows);
  return {
    ...dialect.update(id, title),
    isRepeatable: false,
    check: (body) => checkWritten(dialect.pages(body), { title, content }),
  };
}

type Answered = ReturnType<Dialect['pages']>;

function checkPages(found: Answered, wanted: readonly Page[], isAmongOthers = false): void {
  const own = isAmongOthers ? found.filter(({ id }) => wanted.some((page) => page.id === id)) : found;
  if (own.length !== wanted.length) throw new Error(`${own.length} pages, not ${wanted.length}`);
  for (const [at, page] of wanted.entries()) {
    if (own[at]?.id !== page.id) throw new Error(`page ${own[at]?.id}, not ${page.id}`);
    if (own[at]?.content !== page.content) throw new Error(`page ${page.id} with other content`);
  }
}

function checkWritten([page]: Answered, wanted: Pick<Page, 'title' | 'content'>): void {
  if (page?.title !== wanted.title) throw new Error(`title ${page?.title}, not ${wanted.title}`);
  if (page.content !== wanted.content) throw new Error(`page ${page.id} with other content`);
}
