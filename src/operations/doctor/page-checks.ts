/** Checks of pages: plans that wait, section types that cannot be used, and pages whose resource is gone. */

import { findTypeUses } from '../../pages/authoring/change-section-types.js';
import { readPageResources } from '../../pages/authoring/page-resources.js';
import { listSectionTypes } from '../../pages/authoring/section-types.js';
import { type PageRow, pageNumbers, pages } from '../../pages/models/pages.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { databaseTime } from '../../webhooks/rules/deciding-time.js';
import { type Check, count, error, type Finding, orOk, type StoreFacts, sample, warning, when } from './check.js';

export const pageChecks: readonly Check[] = [
  { name: 'section-types', needs: 'content', table: 'hcd_section_types', run: checkTypes },
  { name: 'pages', needs: 'content', table: 'hcd_pages', run: checkPages },
];

/** Pages that are looked at in one statement. */
const together = 500;

/** Types that are not in force, and the pages that show nothing for them. */
async function checkTypes({ store }: StoreFacts): Promise<readonly Finding[]> {
  const own = store.own.primary;
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
  return orOk(findings, `${views.length} section types`);
}

async function checkPages({ store }: StoreFacts): Promise<readonly Finding[]> {
  const own = store.own.primary;
  const gone: number[] = [];
  const refused: PageRow[] = [];
  const overdue: number[] = [];
  let seen = 0;
  // A plan that is late by less than this waits for the next turn of the worker.
  const late = (await databaseTime(own)) - 60_000;
  for (let isFull = true; isFull; ) {
    const page = { order: ['resource'], limit: together, offset: seen };
    const part = await pages.on(own).findAll({ attributes: pageNumbers, ...page });
    const known = await readPageResources(
      store,
      part.map(({ resource }) => resource),
    );
    for (const row of part) {
      if (!known.has(row.resource)) gone.push(row.resource);
      if (row.publishOn !== null && row.failedDraft === row.revision) refused.push(row);
      else if (Math.min(row.publishOn ?? late, row.unpublishOn ?? late) < late) overdue.push(row.resource);
    }
    seen += part.length;
    isFull = part.length === together;
  }
  const refusedTexts = refused
    .slice(0, 5)
    .map(({ resource, publishOn }) =>
      warning(
        `page ${resource} was to be published at ${isoTimeOfMs(publishOn ?? 0)}, and its draft is incomplete`,
        `See what is missing: hcd page show ${resource}`,
      ),
    );
  const overdueText = warning(
    `${count(overdue.length, 'planned page is', 'planned pages are')} overdue: ${sample(overdue)}`,
    'Run a worker: hcd worker, or hcd worker --once from cron',
  );
  const goneText = warning(
    `${count(gone.length, 'page belongs', 'pages belong')} to a resource that does not exist: ${sample(gone)}`,
    'These pages are never delivered: restore the resources, or ignore this',
  );
  const findings = [...refusedTexts, ...when(overdue.length > 0, overdueText), ...when(gone.length > 0, goneText)];
  return orOk(findings, count(seen, 'page document', 'page documents'));
}
