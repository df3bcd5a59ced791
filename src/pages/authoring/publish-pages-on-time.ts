/**
 * Does what is planned for pages once its time has come, by the database's clock. Any number of workers may do it at
 * once: each step is decided again with the page locked.
 */
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { readDuePages, readDueStep } from '../rows/page-schedule.js';
import { markPlanRefused, writePlan } from '../rows/page-writes.js';
import { formatPageProblem } from '../rules/page-problem.js';
import { announcePublication } from './announce-publication.js';
import { loadSectionTypes } from './load-section-types.js';
import type { PageAuthoring } from './page-authoring.js';
import { readDraftFor } from './publish-page.js';
import { putWithdrawal } from './withdraw-page.js';
import { lockPage, putPublication } from './write-page.js';

export interface RefusedPlan {
  readonly resource: number;
  readonly problem: string;
}

export interface DonePlans {
  readonly published: number;
  readonly withdrawn: number;
  /** Drafts that could not be published. They are tried again when the draft or a section type changes. */
  readonly refused: readonly RefusedPlan[];
}

/** `skipped` is the withdrawal of a page that is not published. */
type Step = 'published' | 'withdrawn' | 'skipped' | RefusedPlan;

/** Pages that are looked up at once. */
const together = 200;

/** Everything that is due; `stop` ends it between two pages. */
export async function publishPagesOnTime(authoring: PageAuthoring, stop: AbortSignal): Promise<DonePlans> {
  const steps: Step[] = [];
  const own = authoring.store.own.primary;
  let after = 0;
  let due = await readDuePages(own, { after, limit: together });
  while (due.length > 0 && !stop.aborted) {
    for (const resource of due) {
      if (stop.aborted) break;
      after = resource;
      steps.push(...(await doSteps(authoring, resource)));
    }
    due = await readDuePages(own, { after, limit: together });
  }
  if (steps.includes('published')) await authoring.tellReaders();
  return {
    published: steps.filter((step) => step === 'published').length,
    withdrawn: steps.filter((step) => step === 'withdrawn').length,
    refused: steps.filter((step) => typeof step === 'object'),
  };
}

/** A worker that was away finds both of them due: they happen in the order of their times. */
async function doSteps({ store, by }: PageAuthoring, resource: number): Promise<readonly Step[]> {
  const steps: Step[] = [];
  while (steps.length < 2) {
    const step = await store.own.write((tx) => doStep(tx, { resource, by }));
    if (step === 'none') break;
    steps.push(step);
  }
  return steps;
}

async function doStep(
  tx: Tx,
  { resource, by }: { readonly resource: number; readonly by: string },
): Promise<Step | 'none'> {
  const page = await lockPage(tx, resource);
  const step = page ? await readDueStep(tx, resource) : null;
  if (!page || step === null) return 'none';
  if (step === 'withdraw') {
    await writePlan(tx, { resource, unpublishOn: null });
    if (!page.isPublished) return 'skipped';
    await putWithdrawal(tx, resource);
    return 'withdrawn';
  }
  const draft = await readDraftFor(tx, { page, types: await loadSectionTypes(tx) }).catch(refusalOf);
  const [problem] = draft.problems;
  if (problem) {
    await markPlanRefused(tx, { resource, revision: page.revision });
    return { resource, problem: formatPageProblem(problem) };
  }
  await putPublication(tx, page, { document: draft.text, restoredFrom: null, by, isPlanned: true });
  await announcePublication(tx);
  return 'published';
}

/** A draft that cannot be read is refused like an incomplete one. */
function refusalOf(error: unknown): Awaited<ReturnType<typeof readDraftFor>> {
  if (!(error instanceof AppError) || (error.code !== 'refused' && error.code !== 'not_found')) throw error;
  return { text: '', problems: [{ path: '', message: error.message }] };
}
