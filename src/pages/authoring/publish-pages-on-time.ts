/** Publishes and withdraws pages on time, by the database's clock, in any number of workers. */
import { col, Op, type WhereOptions } from 'sequelize';
import { AppError } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import { readNow } from '../../store/state/state.js';
import { findPageRows, type PageRow, pages, updatePage } from '../models/pages.js';
import { formatPageProblem } from '../rules/page-problem.js';
import { type PlannedStep, putWithdrawal, readDraftFor } from './change-page.js';
import { findPlace } from './page-resources.js';
import { loadSectionTypes } from './section-types.js';
import { announcePublication, type PageAuthoring, type PageEvent, putPublication } from './write-page.js';

interface RefusedPlan {
  readonly resource: number;
  readonly problem: string;
}

type Step = 'published' | 'withdrawn' | 'skipped' | RefusedPlan;

const pageSize = 200;

/** `stop` ends it between two pages. A refused draft is tried again when it or a section type changes. */
export async function publishPagesOnTime(authoring: PageAuthoring, stop: AbortSignal) {
  const steps: Step[] = [];
  const own = authoring.store.own.primary;
  let after = 0;
  let due = await findDuePages(own, after);
  while (due.length > 0 && !stop.aborted) {
    for (const resource of due) {
      if (stop.aborted) break;
      after = resource;
      steps.push(...(await doSteps(authoring, resource)));
    }
    due = await findDuePages(own, after);
  }
  if (steps.includes('published')) await authoring.tellReaders();
  return {
    published: steps.filter((step) => step === 'published').length,
    withdrawn: steps.filter((step) => step === 'withdrawn').length,
    refused: steps.filter((step) => typeof step === 'object'),
  };
}

/** Beyond `after`, by id; each of the two plans has its index. */
async function findDuePages(own: Reader, after: number): Promise<readonly number[]> {
  const isDue = { [Op.lte]: fromNow(own) };
  const isNotRefused = { [Op.or]: [null, { [Op.ne]: col(pages.columnOf('revision')) }] };
  const plans: readonly WhereOptions<PageRow>[] = [
    { publishOn: isDue, failedDraft: isNotRefused },
    { unpublishOn: isDue },
  ];
  const due = new Set<number>();
  for (const plan of plans) {
    const where = { [Op.and]: [plan, { resource: { [Op.gt]: after } }] };
    const rows = await pages.on(own).findAll({ attributes: ['resource'], where, order: ['resource'], limit: pageSize });
    for (const { resource } of rows) due.add(resource);
  }
  return [...due].sort((left, right) => left - right).slice(0, pageSize);
}

/** The earlier one of two; null when another process was faster or the plan has changed. */
function dueStep({ publishOn, unpublishOn, failedDraft, revision }: PageRow, now: number): PlannedStep | null {
  const publishes = publishOn !== null && publishOn <= now && failedDraft !== revision;
  if (unpublishOn === null || unpublishOn > now) return publishes ? 'publish' : null;
  return publishes && publishOn <= unpublishOn ? 'publish' : 'withdraw';
}

/** After a pause of the worker both can be due: they happen in the order of their times. */
async function doSteps({ store, by }: PageAuthoring, resource: number): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const place = await findPlace(store, resource);
  while (steps.length < 2) {
    const step = await store.own.write((tx) => doStep(tx, { resource, by, place }));
    if (step === 'none') break;
    steps.push(step);
  }
  return steps;
}

async function doStep(
  tx: Tx,
  { resource, by, place }: { readonly resource: number; readonly by: string } & Pick<PageEvent, 'place'>,
): Promise<Step | 'none'> {
  const [page] = await findPageRows(tx, [resource], { lock: true });
  const step = page ? dueStep(page, await readNow(tx)) : null;
  if (!page || step === null) return 'none';
  if (step === 'withdraw') {
    await updatePage(tx, resource, { unpublishOn: null });
    if (!page.isPublished) return 'skipped';
    await putWithdrawal(tx, page, { place });
    return 'withdrawn';
  }
  const draft = await readDraftFor(tx, { page, types: await loadSectionTypes(tx) }).catch(refusalOf);
  const [problem] = draft.problems;
  if (problem) {
    await updatePage(tx, resource, { failedDraft: page.revision });
    return { resource, problem: formatPageProblem(problem) };
  }
  const how = { document: draft.text, restoredFrom: null, by, isPlanned: true };
  const { lastPublished } = await putPublication(tx, page, how);
  await announcePublication(tx, { action: 'published', resource, lastPublished, place });
  return 'published';
}

function refusalOf(error: unknown): Awaited<ReturnType<typeof readDraftFor>> {
  if (!(error instanceof AppError) || (error.code !== 'refused' && error.code !== 'not_found')) throw error;
  return { text: '', problems: [{ path: '', message: error.message }] };
}
