/** Checks of pages: plans that wait, section types that cannot be used, and pages whose resource is gone. */

import { findTypeUses } from '../../pages/authoring/change-section-types.js';
import { readPageResources } from '../../pages/authoring/page-resources.js';
import { listSectionTypes } from '../../pages/authoring/section-types.js';
import { type PageRow, pageNumbers, pages } from '../../pages/models/pages.js';
import { hasTable } from '../../store/state/ledger.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { databaseTime } from '../../webhooks/rules/deciding-time.js';
import { type Check, count, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const pageChecks: readonly Check[] = [
  { name: 'section-types', needs: 'content', run: checkTypes },
  { name: 'pages', needs: 'content', run: checkPages },
];

/** Pages that are looked at in one statement. */
const together = 500;

/** Types that are not in force, and the pages that show nothing for them. */
async function checkTypes({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const own = store.own.primary;
  // Before the migrations have run there is nothing to look at, and their own check says so.
  if (!(await hasTable(own, 'hcd_section_types'))) return ok('no table of section types yet');
  const views = await listSectionTypes(own);
  const findings: Finding[] = [];
  for (const { key, state, problem } of views) {
    if (state === 'unreadable') {
      findings.push(error(`the section type ${key} cannot be read: ${problem}`, 'Import it again, or remove it'));
    }
    const uses = state === 'hidden' ? await findTypeUses(own, key) : [];
    if (uses.length === 0) continue;
    findings.push(
      warning(
        `the section type ${key} is hidden, and ${count(uses.length, 'page uses', 'pages use')} it: ${sample(uses)}`,
        `Restore it: hcd section-type show ${key} --definition | hcd section-type import -`,
      ),
    );
  }
  return findings.length > 0 ? findings : ok(`${views.length} section types`);
}

async function checkPages({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const own = store.own.primary;
  if (!(await hasTable(own, 'hcd_pages'))) return ok('no table of pages yet');
  const gone: number[] = [];
  const refused: PageRow[] = [];
  const overdue: PageRow[] = [];
  let seen = 0;
  // A plan that is late by less than this waits for the next turn of the worker.
  const late = (await databaseTime(own)) - 60_000;
  for (let offset = 0; ; offset += together) {
    const part = await pages.on(own).findAll({ attributes: pageNumbers, order: ['resource'], limit: together, offset });
    const known = await readPageResources(
      store,
      part.map(({ resource }) => resource),
    );
    for (const row of part) {
      seen += 1;
      if (!known.has(row.resource)) gone.push(row.resource);
      if (isRefused(row)) refused.push(row);
      else if ([row.publishOn, row.unpublishOn].some((time) => time !== null && time < late)) overdue.push(row);
    }
    if (part.length < together) break;
  }
  const findings = [...refusedFindings(refused), ...overdueFindings(overdue), ...goneFindings(gone)];
  return findings.length > 0 ? findings : ok(count(seen, 'page document', 'page documents'));
}

function isRefused({ publishOn, failedDraft, revision }: PageRow): boolean {
  return publishOn !== null && failedDraft === revision;
}

function refusedFindings(rows: readonly PageRow[]): readonly Finding[] {
  return rows
    .slice(0, 5)
    .map(({ resource, publishOn }) =>
      warning(
        `page ${resource} was to be published at ${isoTimeOfMs(publishOn ?? 0)}, and its draft is incomplete`,
        `See what is missing: hcd page show ${resource}`,
      ),
    );
}

function overdueFindings(rows: readonly PageRow[]): readonly Finding[] {
  if (rows.length === 0) return [];
  const named = sample(rows.map(({ resource }) => resource));
  return [
    warning(
      `${count(rows.length, 'planned page is', 'planned pages are')} overdue: ${named}`,
      'Run a worker: hcd worker, or hcd worker --once from cron',
    ),
  ];
}

function goneFindings(ids: readonly number[]): readonly Finding[] {
  if (ids.length === 0) return [];
  const named = `${count(ids.length, 'page belongs', 'pages belong')} to a resource that does not exist: ${sample(ids)}`;
  return [warning(named, 'These pages are never delivered: restore the resources, or ignore this')];
}
