/**
 * Published documents and their HTML, kept when they are read: by page, number of the publication and its
 * time, so that a database that was restored to an earlier state shows nothing of the later one.
 */
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { ByteLru } from '../../values/byte-lru.js';
import { parseJson } from '../../values/json.js';
import { findPublished } from '../models/page-revisions.js';
import type { PageDocument, PageSection } from '../rules/page-document.js';
import { formatPageProblem } from '../rules/page-problem.js';
import { readStoredDocument } from '../rules/read-page-document.js';
import { notRendered, type RenderedSection, renderSections } from '../rules/render.js';
import { isConditional } from '../rules/section-settings.js';
import type { FoundPage } from './find-page.js';
import type { TypesInForce } from './section-type-memory.js';

export interface PublishedPage {
  /** Names this publication in the memories of its parts. */
  readonly key: string;
  readonly resource: number;
  readonly revision: number;
  /** With its enabled sections alone. */
  readonly document: PageDocument;
  /** Sections that not every request sees. */
  readonly conditional: readonly PageSection[];
}

type Rendering = ReadonlyMap<PageSection, RenderedSection>;

/** Bytes of each memory of pages: of documents, of their HTML, and of answers with them. */
export const pageMemoryBytes = 24 * 1024 * 1024;
/** Bytes of a kept value besides its text. */
export const valueOverhead = 500;
/** Bytes that a document takes as objects, for each character of its text. */
const perCharacter = 3;

/** Names a publication in memories. */
function keyOf({ facts, publishedRevision, publishedOn }: FoundPage): string {
  return `${facts.id}:${publishedRevision}:${publishedOn ?? ''}`;
}

export class PublishedPages {
  readonly #deps: { readonly own: { readonly primary: Reader }; readonly log: Log };
  readonly #documents = new ByteLru<PublishedPage>(pageMemoryBytes);
  readonly #renderings = new ByteLru<Rendering>(pageMemoryBytes);
  readonly #loading = new Map<string, Promise<PublishedPage>>();

  constructor(deps: { readonly own: { readonly primary: Reader }; readonly log: Log }) {
    this.#deps = deps;
  }

  /** The document of a publication if it is in memory. */
  kept(found: FoundPage): PublishedPage | undefined {
    return this.#documents.get(keyOf(found));
  }

  /** Reads the document of a publication. Many requests at once read it once. */
  async load(found: FoundPage): Promise<PublishedPage> {
    const key = keyOf(found);
    const loading = this.#loading.get(key) ?? this.#read(found, key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** The HTML of all sections, hidden ones included: they share one budget, so the result is always the same. */
  render(page: PublishedPage, { types, generation }: TypesInForce): Rendering {
    const { sections } = page.document;
    const key = `${page.key}:${generation}`;
    const kept = this.#renderings.get(key);
    if (kept !== undefined) return kept;
    const rendered = renderSections(sections, types);
    const rendering: Rendering = new Map(sections.map((section, at) => [section, rendered[at] ?? notRendered]));
    this.#report(page, rendering);
    let size = valueOverhead * (sections.length + 1);
    for (const { html } of rendering.values()) size += 2 * html.length;
    this.#renderings.set(key, rendering, size);
    return rendering;
  }

  async #read({ facts, publishedRevision: revision }: FoundPage, key: string): Promise<PublishedPage> {
    const resource = facts.id;
    const text = await findPublished(this.#deps.own.primary, { resource, revision });
    if (text === null) throw broken(`page ${resource}, revision ${revision}: its document is missing`);
    const { value, problems } = readStoredDocument(parseJson(text));
    if (value === null) {
      throw broken(`page ${resource}, revision ${revision}: ${problems.map(formatPageProblem).join('; ')}`);
    }
    // Trash and disabled sections are never delivered, in no part (docs/reference/pages.md#members-of-a-page), and so
    // not kept.
    const sections = value.sections.filter(({ enabled }) => enabled);
    const document = { ...value, sections, trash: [] };
    const page = { key, resource, revision, document, conditional: sections.filter(isConditional) };
    this.#documents.set(key, page, text.length * perCharacter + valueOverhead);
    return page;
  }

  /** Logged once for each rendering: the log explains a section that is missing on a page. */
  #report({ resource, revision }: PublishedPage, rendering: Rendering): void {
    for (const [{ id: section, type }, { failure: reason }] of rendering) {
      if (reason !== null) this.#deps.log({ kind: 'section_not_rendered', resource, revision, section, type, reason });
    }
  }
}

function broken(why: string): AppError {
  return new AppError('internal_error', { cause: new Error(why) });
}
