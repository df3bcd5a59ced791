/** What the commands for pages share. */
import { integerValue, timeValue } from '../../src/config/value-type.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { type PlanRequest, planPage } from '../../src/pages/authoring/change-page.js';
import type { DocumentChoice, PageView } from '../../src/pages/authoring/page-view.js';
import type { PageAuthoring } from '../../src/pages/authoring/write-page.js';
import { type DeliverySite, isOpen } from '../../src/pages/delivery/deliverable.js';
import { reconcilePages } from '../../src/pages/delivery/reconcile.js';
import { formatPageProblem, type PageProblem } from '../../src/pages/rules/page-problem.js';
import { isoTimeOfMs } from '../../src/values/dates.js';
import { type DoneResult, type Notes, recordOf } from '../command.js';
import type { SiteDeps } from '../deps.js';
import { idValue, optional, readableValue, required } from '../parameters.js';

export const pageParameter = required(idValue, 'Id of the resource', { placeholder: 'ID' });

const highest = 2 ** 32 - 1;

export const publishedNumber = integerValue({ min: 1, max: highest });

export const expectedParameter = optional(
  integerValue({ min: 0, max: highest }),
  'Expected revision of the draft; fails with revision_conflict when the draft is newer',
);

export const documentValue = readableValue<DocumentChoice>(
  { kind: 'choice', accepts: 'draft, published or the number of a publication', choices: ['draft', 'published'] },
  (text) => {
    if (text === 'draft' || text === 'published') return text;
    const number = publishedNumber.parse(text);
    return number.ok ? number.value : undefined;
  },
);

export const plannedValue = readableValue<{ readonly ms: number | null }>(
  { kind: 'time', accepts: `${timeValue.accepts}, or never`, choices: ['never'] },
  (text) => {
    const time = timeValue.parse(text);
    return text === 'never' ? { ms: null } : time.ok ? { ms: time.value * 1000 } : undefined;
  },
);

export function pageRecord(page: PageView) {
  return {
    resource_id: page.resource,
    pagetitle: page.about?.pagetitle ?? null,
    context_key: page.about?.context ?? null,
    uri: page.about?.uri ?? null,
    ...recordOf(page, ['state', 'revision', 'publishedRevision', 'lastPublished', 'publishedOn', 'publishOn']),
    ...recordOf(page, ['unpublishOn', 'createdOn', 'editedOn', 'editedBy']),
  };
}

export function pageName({ resource, about }: PageView): string {
  return about === null ? `page ${resource}` : `page ${resource} "${about.pagetitle}" (${about.uri})`;
}

export function missingNotes(missing: readonly PageProblem[], intro: string): readonly string[] {
  return missing.length === 0 ? [] : [intro, ...missing.map((problem) => `  ${formatPageProblem(problem)}`)];
}

export async function planResult(deps: SiteDeps, plan: PlanRequest): Promise<DoneResult> {
  const page = await planPage(authoringOf(deps), plan);
  const { step } = plan;
  const time = step === 'publish' ? page.publishOn : page.unpublishOn;
  const verb = step === 'publish' ? 'published' : 'unpublished';
  const message =
    time === null
      ? `Cancelled the schedule: ${pageName(page)} is not going to be ${verb}.`
      : `Scheduled: ${pageName(page)} is going to be ${verb} at ${isoTimeOfMs(time)}.`;
  return pageResult(page, message, [time !== null && 'This needs a running hcd worker.']);
}

export function pageResult(page: PageView, message: string, notes: Notes = []): DoneResult {
  return { kind: 'done', message, data: pageRecord(page), notes };
}

export function authoringOf(deps: SiteDeps): PageAuthoring {
  return {
    store: deps.store,
    by: deps.writer,
    async tellReaders() {
      await reconcilePages(await deliverySiteOf(deps));
    },
  };
}

async function deliverySiteOf(deps: SiteDeps): Promise<DeliverySite> {
  const { reader, live } = await openAdministration(deps.store, deps);
  return { store: deps.store, registry: reader.registry, reader, live: () => live };
}

export async function visibilityNotes({ resource, about }: PageView, deps: SiteDeps): Promise<readonly string[]> {
  if (about === null) return [`The page is not visible: resource ${resource} no longer exists.`];
  if (about.isDeleted)
    return [`The page is not visible: its resource is deleted. Restore it: hcd resource restore ${resource}`];
  if (!about.isPublished)
    return [`The page is not visible: its resource is not published. Publish it: hcd resource publish ${resource}`];
  if (await isOpen(await deliverySiteOf(deps), resource)) return [];
  return ['The page is not visible: access rules do not let anonymous visitors see its resource.'];
}
