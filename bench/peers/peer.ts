/** What the bench asks of each server, and what a server has to tell so that the answers can be checked. */
import type { DatabaseName } from '../generate.js';
import type { ServerProcess } from '../processes.js';

export const questions = ['list', 'read', 'address', 'search', 'words', 'create', 'update'] as const;
export type Question = (typeof questions)[number];

export const titles: Readonly<Record<Question, string>> = Object.freeze({
  list: '20 children of a parent in menu order, with content',
  read: 'single page by id',
  address: 'one page by its address',
  search: 'search for the words of a title',
  words: 'the same search, by an index where the product has one',
  create: 'create a page',
  update: 'change the title of a page',
});

/** A page as every server holds it. */
export interface Page {
  readonly id: number;
  readonly title: string;
  readonly uri: string;
  readonly parent: number;
  readonly order: number;
  readonly published: boolean;
  readonly content: string;
  /** Unix seconds. */
  readonly date: number;
}

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The pages of an answer; throws an Error for an answer of another form. */
export type ReadPages = (body: unknown) => readonly Pick<Page, 'id' | 'title' | 'content'>[];

/** The HTTP interface of a product: where each question is asked and how its answer is read. */
export interface Dialect {
  list(parent: number): Asked;
  read(id: number): Asked;
  address(uri: string): Asked;
  search(words: string): Asked;
  /** By an index of words; absent where `search` is all that there is. */
  indexSearch?(words: string): Asked;
  create(page: Omit<Page, 'id'>): Asked;
  update(id: number, title: string): Asked;
  readonly pages: ReadPages;
}

/** A server that is asked; several may be of one product. */
export interface Target {
  readonly name: string;
  readonly version: string;
  readonly server: Pick<ServerProcess, 'cpuSeconds' | 'checkRunning' | 'emptyLog'>;
  readonly port: number;
  readonly dialect: Dialect;
  /** Whether it answers from a cache: it is then asked only what it may keep. */
  readonly isCached: boolean;
  /** The questions that it answers; all when left out. */
  readonly asked?: readonly Question[];
}

export interface Place {
  readonly database: DatabaseName;
  /** Of the private server, for MariaDB. */
  readonly serverUrl: string;
  readonly folder: string;
  readonly rows: number;
  readonly say: (text: string) => void;
}

export interface RunningPeer {
  readonly targets: readonly Target[];
  stop(): Promise<void>;
}

/** The list of pages at a name of an answer, or its single page in a list. */
export function pagesAt(name: string, titleField: string): ReadPages {
  return (body) => {
    const held = isRecord(body) ? body[name] : undefined;
    return (Array.isArray(held) ? held : [held]).map((page: unknown) => {
      if (!isRecord(page)) throw new Error('an answer without pages');
      return { id: Number(page['id']), title: String(page[titleField]), content: String(page['content']) };
    });
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
