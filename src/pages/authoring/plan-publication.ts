/** Plans the publication or withdrawal of a page; the worker does it at that time. */
import { invalidField } from '../../errors/app-error.js';
import { readNow } from '../../store/state/state.js';
import { updatePage } from '../models/pages.js';
import { refuseProblems } from '../rules/page-problem.js';
import type { PageAuthoring } from './announce.js';
import { type PageView, readPage, viewPage } from './page-view.js';
import { readDraftFor } from './publish-page.js';
import { loadSectionTypes } from './section-types.js';
import { checkRevision, lockPage } from './write-page.js';

export type PlannedStep = 'publish' | 'withdraw';

export interface PlanRequest {
  readonly resource: number;
  readonly step: PlannedStep;
  /** Unix milliseconds; null cancels the plan. */
  readonly at: number | null;
  /** Expected revision of the draft; null = any. */
  readonly expected: number | null;
}

/**
 * The page with its plan. The worker will publish the draft of that moment; the current draft is checked now, so that the
 * caller sees its problems. Throws not_found, conflict, and validation_failed for a time that has passed.
 */
export async function planPage({ store }: PageAuthoring, request: PlanRequest): Promise<PageView> {
  const { resource, step, at, expected } = request;
  const planned = await store.own.write(async (tx) => {
    const page = await lockPage(tx, resource);
    checkRevision(page, expected);
    if (at !== null && at <= (await readNow(tx))) {
      throw invalidField('at', 'The time must be in the future; without it the page changes now');
    }
    if (step === 'publish' && at !== null) {
      const { problems } = await readDraftFor(tx, { page, types: await loadSectionTypes(tx) });
      refuseProblems(problems, `The page of resource ${resource} could not be published now`);
    }
    await updatePage(tx, resource, step === 'publish' ? { publishOn: at, failedDraft: null } : { unpublishOn: at });
    return readPage(tx, resource);
  });
  return viewPage(store, planned);
}
