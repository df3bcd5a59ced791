/** Delivers pages, lists, changes and section types. Only published documents and answers with them are kept. */

import { anonymousPrincipal, type Principal } from '../../access/acl.js';
import type { PreviewIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { callerAs } from '../../content/live/live-state.js';
import { rowPolicy, visible } from '../../content/query/authorize.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { ByteLru } from '../../values/kept-values.js';
import { findDrafts } from '../models/pages.js';
import { type DeliverySite, factsStatement, hasId, hasValue, readFacts } from './deliverable.js';
import { type FoundPage, findPage, isHidden, type PageName, readId } from './find-page.js';
import {
  type FeedQuestion,
  type ListQuestion,
  listChanges,
  listPages,
  type PageFeed,
  type PageList,
} from './list-pages.js';
import { type AnswerOf, answerKey, languageLinks, type PageShape } from './page-answer.js';
import { pageMemoryBytes, publishedPages, readDelivered, valueOverhead } from './published-pages.js';
import { ReconcileWatch, reconcilePages } from './reconcile.js';
import { catalogObject, catalogTypes, SectionTypeMemory } from './section-type-memory.js';

interface PageDeliveryDeps extends DraftSite {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Log;
  /** The body that an API makes of an object. */
  readonly wrap: (object: unknown) => string;
}

interface PageQuestion extends PageShape {
  readonly name: PageName;
  /** Context that sections are shown for; null = the page's own. */
  readonly context: string | null;
  readonly query: () => ReadonlyMap<string, string>;
  /** For a page that anonymous callers may not view. */
  readonly hiddenAs: 'missing' | 'denied';
}

export interface KeptBody {
  readonly body: string | Buffer;
  readonly tag: string;
}

/** Encoding a shorter text costs less than a second write after the headers, so only longer ones are kept as bytes. */
const largeText = 1024;
const nothingAsked: ReadonlyMap<string, string> = new Map();

export class PageDelivery {
  readonly #deps: PageDeliveryDeps;
  readonly #types: SectionTypeMemory;
  readonly #load: ReturnType<typeof publishedPages>;
  readonly #watch: ReconcileWatch;
  readonly #answers = new ByteLru<KeptBody>(pageMemoryBytes);
  /** Number of the last change that was reported. */
  #heard = 0;

  constructor(deps: PageDeliveryDeps) {
    const { store, clock } = deps;
    const heard = () => this.#heard;
    this.#deps = deps;
    this.#types = new SectionTypeMemory({ own: store.own, clock, heard });
    this.#load = publishedPages(store.own);
    this.#watch = new ReconcileWatch({ clock, heard, reconcile: () => reconcilePages(deps) });
  }

  /** Makes the first page as fast as others. Throws unavailable. */
  async warm(): Promise<void> {
    await Promise.all([import('./page-objects.js'), this.#types.current()]);
  }

  noteChange(): void {
    this.#heard += 1;
  }

  /** Throws not_found, scope_denied, unavailable. */
  async page(question: PageQuestion): Promise<KeptBody> {
    const { name, hiddenAs } = question;
    const found = await findPage(this.#deps, name);
    if (found === 'missing') {
      const isDenied = hiddenAs === 'denied' && (await isHidden(this.#deps, name));
      throw isDenied
        ? new AppError('scope_denied', { message: 'Access denied.' })
        : new AppError('not_found', { message: 'Resource not found.' });
    }
    if (found === 'not published') throw new AppError('not_found', { message: 'Page has no published content.' });
    const page = await this.#load(found);
    const inForce = await this.#types.current();
    const asked = askedOf(question, { found, page, inForce, hreflang: await this.#links(question, found) });
    const key = answerKey(asked);
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const { body, bytes } = this.#make(await this.#object(asked));
    this.#answers.set(key, body, bytes + 2 * key.length + valueOverhead);
    return body;
  }

  /** Null where the preview shows no draft of the page. Throws conflict for another draft than that of the preview. */
  async draft(question: PageQuestion, preview: PreviewIdentity): Promise<Readonly<Record<string, unknown>> | null> {
    const draft = await findDraftPage(this.#deps, { name: question.name, preview });
    if (draft === null) return null;
    const inForce = await this.#types.current();
    const hreflang = await this.#links(question, draft.found);
    const object = await this.#object(askedOf(question, { ...draft, inForce, hreflang }));
    return { ...object, state: 'draft', draftRevision: draft.page.revision };
  }

  async list(question: ListQuestion): Promise<PageList> {
    await this.#watch.fresh();
    return listPages(this.#deps, question);
  }

  async changes(question: FeedQuestion): Promise<PageFeed> {
    await this.#watch.fresh();
    return listChanges(this.#deps, question);
  }

  /** Null = all contexts. */
  async catalog(context: string | null): Promise<KeptBody> {
    const { types } = await this.#types.current();
    return this.#make(catalogObject(catalogTypes(types.values(), context))).body;
  }

  async #links({ include }: PageQuestion, { facts }: FoundPage): Promise<AnswerOf['hreflang']> {
    return include.has('hreflang') ? languageLinks(this.#deps, facts.id) : null;
  }

  async #object(asked: AnswerOf): Promise<Readonly<Record<string, unknown>>> {
    return (await import('./page-objects.js')).pageObject(asked, this.#deps.log);
  }

  #make(object: unknown): { readonly body: KeptBody; readonly bytes: number } {
    const text = this.#deps.wrap(object);
    const bytes = Buffer.from(text);
    const body = text.length > largeText ? bytes : text;
    return { body: Object.freeze({ body, tag: `"${sha256Hex(bytes)}"` }), bytes: bytes.length };
  }
}

function askedOf(
  { context, query, include, sectionTypes }: PageQuestion,
  { found, page, ...loaded }: Pick<AnswerOf, 'found' | 'page' | 'inForce' | 'hreflang'>,
): AnswerOf {
  const visit = {
    context: context ?? found.facts.context,
    // Few pages depend on parameters of the request.
    query: page.conditional.length > 0 ? query() : nothingAsked,
    isLoggedIn: false,
  };
  return { found, page, ...loaded, include, sectionTypes, visit };
}

interface DraftSite extends DeliverySite {
  readonly principal: (userId: number) => Promise<Principal | null>;
}

const mostSameNames = 500;

/** The draft that a preview shows (docs/previews.md), by the rights of the preview's maker, without a memory. */
async function findDraftPage(
  site: DraftSite,
  { name, preview }: { readonly name: PageName; readonly preview: PreviewIdentity },
): Promise<Pick<AnswerOf, 'found' | 'page'> | null> {
  const { own, content } = site.store;
  const seen = await whatPreviewSees(site, preview);
  for (const named of conditionsOf(site, name)) {
    const rows = await content.primary.select(factsStatement(site, [named, seen], { limit: mostSameNames }));
    const resources = rows
      .map((row) => readFacts(site, row))
      .filter(({ id, context }) => context === preview.context && (preview.resource ?? id) === id);
    const drafts = new Map(
      (
        await findDrafts(
          own.primary,
          resources.map(({ id }) => id),
        )
      ).map((draft) => [draft.resource, draft]),
    );
    for (const facts of resources) {
      const { draft, revision, lastPublished, publishedOn, editedOn } = drafts.get(facts.id) ?? {};
      if (preview.resource !== null && preview.draftRevision !== (revision || null)) {
        const message = 'The draft was changed after this preview was made: make a new preview.';
        throw new AppError('conflict', { message });
      }
      if (!draft || !revision) continue;
      const key = `draft:${facts.id}:${revision}:${editedOn ?? ''}`;
      const page = await readDelivered(draft, { key, resource: facts.id, revision });
      const found = { facts, publishedRevision: lastPublished ?? 0, publishedOn: publishedOn ?? null, text: '' };
      return { found, page };
    }
    if (rows.length > 0) return null;
  }
  return null;
}

async function whatPreviewSees(site: DraftSite, preview: PreviewIdentity) {
  const principal = preview.userId === null ? null : await site.principal(preview.userId);
  const caller = callerAs(site.live(), { identity: preview, principal: principal ?? anonymousPrincipal });
  const { resources } = site.registry;
  const asked = { context: preview.context, preview: false, includeDeleted: false, purpose: 'read' } as const;
  return visible(resources, rowPolicy(resources, caller, asked));
}

function conditionsOf(site: DeliverySite, name: PageName) {
  const id = name.kind === 'id' ? name.id : name.kind === 'either' ? readId(name.text) : null;
  return [
    ...(id === null ? [] : [hasId(site, [id])]),
    ...(name.kind === 'id' || name.text === '' ? [] : [hasValue(site, 'alias', name.text)]),
  ];
}
