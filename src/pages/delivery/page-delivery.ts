/**
 * Delivers published pages, their lists and changes, and the catalogue of section types. Every answer begins with the
 * current state of the database; only what no longer changes (a published document and its rendering) is kept.
 */
import type { Clock } from '../../clock/clock.js';
import { sha256Hex } from '../../crypto/hash.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { DeliverySite } from './deliverable.js';
import { findPage, isHidden, type PageName, type PageSearch } from './find-page.js';
import { type FeedQuestion, listChanges, type PageFeed } from './list-changes.js';
import { type ListQuestion, listPages, type PageList } from './list-pages.js';
import { type AnswerOf, answerKey, type PageShape, pageObject } from './page-answer.js';
import { type KeptBody, type Memory, type PublishedPage, PublishedPages, type Rendering } from './published-pages.js';
import { ReconcileWatch, reconcilePages } from './reconcile.js';
import { catalogObject, catalogTypes, SectionTypeMemory } from './section-type-memory.js';

interface PageDeliveryDeps extends DeliverySite {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Log;
  /** The body that an API makes of an object. */
  readonly wrap: (object: unknown) => string;
  readonly memories: {
    readonly documents: Memory<PublishedPage>;
    readonly renderings: Memory<Rendering>;
    readonly answers: Memory<KeptBody>;
  };
}

interface PageQuestion extends PageShape {
  readonly name: PageName;
  /** Context that sections are shown for; null = that of the page. */
  readonly context: string | null;
  /** Gives the first value of each query parameter. */
  readonly query: () => ReadonlyMap<string, string>;
  /** What is said of a page that anonymous callers may not view. */
  readonly hiddenAs: 'missing' | 'denied';
}

/** What an API asks. */
export type PageSource = Pick<PageDelivery, 'page' | 'list' | 'changes' | 'catalog'>;

/** Texts from here on are kept as bytes; encoding shorter ones each time costs less than a second write after the headers. */
const largeText = 1024;
const overhead = 500;
const nothingAsked: ReadonlyMap<string, string> = new Map();

export class PageDelivery {
  readonly #deps: PageDeliveryDeps;
  readonly #types: SectionTypeMemory;
  readonly #pages: PublishedPages;
  readonly #watch: ReconcileWatch;
  #catalogs: { readonly generation: number; readonly byKeys: Map<string, KeptBody> } | null = null;

  constructor(deps: PageDeliveryDeps) {
    const { store, clock, log, memories } = deps;
    this.#deps = deps;
    this.#types = new SectionTypeMemory({ own: store.own, clock });
    this.#pages = new PublishedPages({ own: store.own, log, ...memories });
    this.#watch = new ReconcileWatch({ clock, reconcile: () => reconcilePages(deps) });
  }

  /** Something changed in the site: nothing that was looked up before counts for lists, feeds and section types. */
  noteChange(): void {
    this.#watch.noteChange();
    this.#types.forget();
  }

  /**
   * One page; a promise unless all of it is known already. Rejects with not_found, scope_denied, unavailable.
   */
  page(question: PageQuestion): KeptBody | Promise<KeptBody> {
    const found = findPage(this.#deps, question.name);
    if (found instanceof Promise) return found.then((result) => this.#pageOf(question, result));
    return this.#pageOf(question, found);
  }

  #pageOf(question: PageQuestion, found: PageSearch): KeptBody | Promise<KeptBody> {
    if (found === 'missing') return this.#refuse(question);
    if (found === 'not published') throw new AppError('not_found', { message: 'Page has no published content.' });
    // Both are in memory most of the time: waiting for what is there costs a turn of the loop.
    const page = this.#pages.load(found);
    const inForce = this.#types.current();
    if (page instanceof Promise || inForce instanceof Promise) {
      return Promise.all([page, inForce]).then((both) =>
        this.#answer(question, { found, page: both[0], inForce: both[1] }),
      );
    }
    return this.#answer(question, { found, page, inForce });
  }

  #answer(question: PageQuestion, { found, page, inForce }: Pick<AnswerOf, 'found' | 'page' | 'inForce'>): KeptBody {
    const { include, sectionTypes } = question;
    const context = question.context ?? found.facts.context;
    // Few pages ask for anything of the request.
    const query = page.conditional.length > 0 ? question.query() : nothingAsked;
    const asked = { found, page, inForce, include, sectionTypes, visit: { context, query, isLoggedIn: false } };
    const { answers } = this.#deps.memories;
    const key = answerKey(asked);
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    const { body, bytes } = this.#make(pageObject(asked, this.#pages));
    answers.set(key, body, bytes + 2 * key.length + overhead);
    return body;
  }

  /** One part of the list of pages. */
  async list(question: ListQuestion): Promise<PageList> {
    await this.#watch.fresh();
    return listPages(this.#deps, question);
  }

  /** One part of the change feed. */
  async changes(question: FeedQuestion): Promise<PageFeed> {
    await this.#watch.fresh();
    return listChanges(this.#deps, question);
  }

  /** The section types of a context; null = of all. */
  async catalog(context: string | null): Promise<KeptBody> {
    const { types, generation } = await this.#types.current();
    if (this.#catalogs?.generation !== generation) this.#catalogs = { generation, byKeys: new Map() };
    const offered = catalogTypes(types.values(), context);
    // By what is in it, which is the same for most contexts.
    const key = offered.map((type) => type.key).join(' ');
    const kept = this.#catalogs.byKeys.get(key) ?? this.#make(catalogObject(offered)).body;
    this.#catalogs.byKeys.set(key, kept);
    return kept;
  }

  async #refuse({ name, hiddenAs }: PageQuestion): Promise<never> {
    const isDenied = hiddenAs === 'denied' && name.kind !== 'either' && (await isHidden(this.#deps, name));
    throw isDenied
      ? new AppError('scope_denied', { message: 'Access denied.' })
      : new AppError('not_found', { message: 'Resource not found.' });
  }

  #make(object: unknown): { readonly body: KeptBody; readonly bytes: number } {
    const text = this.#deps.wrap(object);
    const bytes = Buffer.from(text);
    const body = text.length > largeText ? bytes : text;
    return { body: Object.freeze({ body, tag: `"${sha256Hex(bytes)}"` }), bytes: bytes.length };
  }
}
