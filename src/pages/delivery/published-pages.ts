/**
 * Published documents, kept as they are read, and what was rendered of them: by page, number of the publication and its
 * time, so that a database that was put back to an earlier state shows nothing of the other one.
 */

import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { parseJson } from '../../values/json.js';
import { findPublished } from '../models/page-revisions.js';
import type { PageDocument, PageSection } from '../rules/page-document.js';
import { formatPageProblem } from '../rules/page-problem.js';
import { readStoredDocument } from '../rules/read-page-document.js';
import { type RenderedSection, renderSections } from '../rules/render.js';
import { isConditional } from '../rules/section-settings.js';
import type { FoundPage } from './find-page.js';
import type { TypesInForce } from './section-type-memory.js';

export interface PublishedPage {
  /** Names this publication in the memories of its parts. */
  readonly key: string;
  /** With its enabled sections alone. */
  readonly document: PageDocument;
  /** Sections that not every request sees. */
  readonly conditional: readonly PageSection[];
}

/** What was made of each section. */
export type Rendering = ReadonlyMap<PageSection, RenderedSection>;

interface PublishedPagesDeps {
  readonly own: { readonly primary: Reader };
  readonly documents: Memory<PublishedPage>;
  readonly renderings: Memory<Rendering>;
  readonly log: Log;
}

/** Bytes that a document takes as objects, for each character of its text. */
const perCharacter = 3;
/** Bytes of a kept value besides its text. */
const overhead = 500;

export class PublishedPages {
  readonly #deps: PublishedPagesDeps;
  readonly #loading = new Map<string, Promise<PublishedPage>>();

  constructor(deps: PublishedPagesDeps) {
    this.#deps = deps;
  }

  /** The document of a publication; a promise only when it has to be read. Many requests at once read it once. */
  load(found: FoundPage): PublishedPage | Promise<PublishedPage> {
    const key = `${found.facts.id}:${found.publishedRevision}:${found.publishedOn ?? ''}`;
    const kept = this.#deps.documents.get(key);
    if (kept !== undefined) return kept;
    const loading = this.#loading.get(key) ?? this.#read(found, key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** The HTML of all sections, hidden ones included: they share one budget, so the result is always the same. */
  render({ key, document }: PublishedPage, { types, generation }: TypesInForce): Rendering {
    const renderingKey = `${key}:${generation}`;
    const kept = this.#deps.renderings.get(renderingKey);
    if (kept !== undefined) return kept;
    const rendered = renderSections(document.sections, types);
    const rendering: Rendering = new Map(rendered.flatMap((one, at) => pairOf(document.sections[at], one)));
    this.#report(key, rendering);
    const size = rendered.reduce((sum, { html }) => sum + 2 * html.length, overhead * (rendered.length + 1));
    this.#deps.renderings.set(renderingKey, rendering, size);
    return rendering;
  }

  async #read({ facts, publishedRevision }: FoundPage, key: string): Promise<PublishedPage> {
    const { own, documents } = this.#deps;
    const name = { resource: facts.id, revision: publishedRevision };
    const text = await findPublished(own.primary, name);
    if (text === null) throw broken(name, 'its document is missing');
    const { value, problems } = readStoredDocument(parseJson(text));
    if (value === null) throw broken(name, problems.map(formatPageProblem).join('; '));
    // Trash and disabled sections are never delivered, in no part (docs/reference/pages.md#members-of-a-page), and so
    // not kept.
    const sections = value.sections.filter(({ enabled }) => enabled);
    const document: PageDocument = Object.freeze({ ...value, sections, trash: [] });
    const conditional = sections.filter(isConditional);
    const page: PublishedPage = Object.freeze({ key, document, conditional });
    documents.set(key, page, text.length * perCharacter + overhead);
    return page;
  }

  /** Once for each rendering; what is missing on a page is to be found in the log. */
  #report(key: string, rendering: Rendering): void {
    const [resource, revision] = key.split(':').map(Number);
    for (const [{ id, type }, { failure }] of rendering) {
      if (failure === null) continue;
      this.#deps.log({
        kind: 'section_not_rendered',
        resource: resource ?? 0,
        revision: revision ?? 0,
        section: id,
        type,
        reason: failure,
      });
    }
  }
}

function pairOf(section: PageSection | undefined, rendered: RenderedSection): [PageSection, RenderedSection][] {
  return section === undefined ? [] : [[section, rendered]];
}

function broken({ resource, revision }: { resource: number; revision: number }, why: string): AppError {
  return new AppError('internal_error', { cause: new Error(`page ${resource}, revision ${revision}: ${why}`) });
}

/** Keeps values by key as long as there is room; the one not used for longest goes first. */
export interface Memory<T> {
  get(key: string): T | undefined;
  /** `bytes` is an estimate of what the value takes. */
  set(key: string, value: T, bytes: number): void;
}

/** A body, made once, with its entity tag. */
export interface KeptBody {
  readonly body: string | Buffer;
  readonly tag: string;
}
