/** Finds the draft that a preview shows (docs/previews.md), by the rights of the preview's maker, without a memory. */
import { anonymousPrincipal, type Principal } from '../../access/acl.js';
import type { PreviewIdentity } from '../../access/identity.js';
import { rowPolicy, visible } from '../../content/query/authorize.js';
import { AppError } from '../../errors/app-error.js';
import { findDrafts } from '../models/pages.js';
import { callerAs, type DeliverySite, factsStatement, hasId, hasValue, readFacts } from './deliverable.js';
import { type FoundPage, type PageName, readId } from './find-page.js';
import { type DeliveredPage, readDelivered } from './published-pages.js';

export interface DraftSite extends DeliverySite {
  /** Null = the user is gone. */
  readonly principal: (userId: number) => Promise<Principal | null>;
}

interface DraftPage {
  readonly found: FoundPage;
  readonly page: DeliveredPage;
}

const mostNamesakes = 500;

/** Null where the preview shows no draft of the page. Throws conflict for another draft than that of the preview. */
export async function findDraftPage(
  site: DraftSite,
  { name, preview }: { readonly name: PageName; readonly preview: PreviewIdentity },
): Promise<DraftPage | null> {
  const { own, content } = site.store;
  const seen = await whatPreviewSees(site, preview);
  for (const named of meanings(site, name)) {
    const rows = await content.primary.select(factsStatement(site, [named, seen], { limit: mostNamesakes }));
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
      if (preview.resource !== null && preview.draftRevision !== (revision || null)) throw otherDraft();
      if (!draft || !revision) continue;
      const key = `draft:${facts.id}:${revision}:${editedOn ?? ''}`;
      const page = await readDelivered(draft, { key, resource: facts.id, revision });
      return { found: { facts, publishedRevision: lastPublished ?? 0, publishedOn: publishedOn ?? null }, page };
    }
    if (rows.length > 0) return null;
  }
  return null;
}

function otherDraft(): AppError {
  return new AppError('conflict', {
    message: 'The draft was changed after this preview was made: make a new preview.',
  });
}

async function whatPreviewSees(site: DraftSite, preview: PreviewIdentity) {
  const principal = preview.userId === null ? null : await site.principal(preview.userId);
  const caller = callerAs(site.live(), { identity: preview, principal: principal ?? anonymousPrincipal });
  const { resources } = site.registry;
  const asked = { context: preview.context, preview: false, includeDeleted: false, purpose: 'read' } as const;
  return visible(resources, rowPolicy(resources, caller, asked));
}

function meanings(site: DeliverySite, name: PageName) {
  const id = name.kind === 'id' ? name.id : name.kind === 'either' ? readId(name.text) : null;
  return [
    ...(id === null ? [] : [hasId(site, [id])]),
    ...(name.kind === 'id' || name.text === '' ? [] : [hasValue(site, 'alias', name.text)]),
  ];
}
