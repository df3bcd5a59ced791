/** Checks of what is served: resources, page documents with their section types, banners and their statistics. */
import { Op } from 'sequelize';
import { positionAttributes, positions } from '../../banners/models/positions.js';
import { addDays, localDay } from '../../banners/rules/local-time.js';
import {
  describeSum,
  findWrongSums,
  keptDays,
  usualDays,
  type WrongSum,
} from '../../banners/statistics/find-wrong-sums.js';
import { readContextKeys } from '../../content/models/elements.js';
import { siteContent } from '../../content/models/resources.js';
import { tvs, tvValues } from '../../content/models/template-variables.js';
import { KnownFiles } from '../../content/reading/known-files.js';
import { longestPath, uriProblem } from '../../content/rules/uri.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { readPageResources } from '../../pages/authoring/page-resources.js';
import { findTypeUses, listSectionTypes } from '../../pages/authoring/section-types.js';
import { type PageRow, pageNumbers, pages } from '../../pages/models/pages.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import { readNow } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { findCycles } from '../../values/find-cycles.js';
import { countOf } from '../../values/text.js';
import {
  type Check,
  error,
  type Finding,
  fixCommand,
  ok,
  orOk,
  type StoreFacts,
  sample,
  warning,
  when,
} from './check.js';

export const contentChecks: readonly Check[] = [
  { name: 'duplicate-uris', needs: 'content', run: checkDuplicateUris },
  { name: 'unreachable-uris', needs: 'content', run: checkUnreachable },
  { name: 'parents', needs: 'content', run: checkParents },
  { name: 'tree', needs: 'content', run: checkTree },
  { name: 'publications', needs: 'content', run: checkPublications },
  { name: 'pictures', needs: 'content', run: checkPictures },
];

const shownDuplicates = 5;

async function checkDuplicateUris({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const { content, prefix } = store;
  const { exactText } = dialectOf(content.dialect);
  const groups = await content.primary.select({
    sql: `SELECT MIN(\`context_key\`), MIN(\`uri\`) FROM \`${prefix}site_content\`
      WHERE \`deleted\` = 0 AND \`uri\` IS NOT NULL AND \`uri\` <> ''
      GROUP BY ${exactText('`context_key`')}, ${exactText('`uri`')} HAVING COUNT(*) > 1 ORDER BY 1, 2`,
    params: [],
    heavy: true,
  });
  if (groups.length === 0) return ok('no two resources of a context have the same URI');
  const findings: Finding[] = [];
  for (const [context, uri] of groups.slice(0, shownDuplicates)) {
    findings.push(await describeDuplicate(store, { context: String(context), uri: String(uri) }));
  }
  const more = groups.length - findings.length;
  return more === 0
    ? findings
    : [...findings, warning(`${countOf(more, 'more URI')} that several resources have`, null)];
}

/** The order is the one in which the page lookup decides. */
async function describeDuplicate(
  { content, prefix }: Store,
  { context, uri }: { readonly context: string; readonly uri: string },
): Promise<Finding> {
  const { exactText, exactMark } = dialectOf(content.dialect);
  const rows = await content.primary.select({
    sql: `SELECT \`id\`, \`published\` FROM \`${prefix}site_content\`
      WHERE ${exactText('`context_key`')} = ${exactMark} AND ${exactText('`uri`')} = ${exactMark} AND \`deleted\` = 0
      ORDER BY \`published\` DESC, \`parent\`, \`menuindex\`, \`id\``,
    params: [context, uri],
    heavy: true,
  });
  const [winner, ...others] = rows.map(([id]) => Number(id));
  const served =
    Number(rows[0]?.[1]) === 1 ? `resource ${winner} is served` : `none of them is published (first ${winner})`;
  return warning(
    `${context}: ${JSON.stringify(uri)}: ${served}, not ${sample(others)}`,
    'Give each of them another alias or URI',
  );
}

/** Every URI that uriProblem refuses matches one of these; a character has at most four bytes. */
const suspicious = ['/%', '%//%', '%?%', '%#%', '%:%', '.%', '%/.%', `${'_'.repeat(longestPath / 4)}%`];

async function checkUnreachable({ store: { content, prefix } }: StoreFacts): Promise<Finding> {
  const where = { deleted: false, [Op.or]: suspicious.map((pattern) => ({ uri: { [Op.like]: pattern } })) };
  const rows = await siteContent
    .on(content.primary, prefix)
    .findAll({ attributes: ['id', 'uri'], where, order: ['id'] });
  const ids = rows.filter(({ uri }) => uriProblem(uri ?? '') !== null).map(({ id }) => id);
  if (ids.length === 0) return ok('a request can reach every URI');
  return warning(
    `${countOf(ids.length, 'resource has', 'resources have')} a URI that no request can reach: ${sample(ids)}`,
    'Give each of them another URI: hcd resource update ID --uri-override true --uri about/team.html',
  );
}

async function checkParents({ store: { content, prefix } }: StoreFacts): Promise<Finding> {
  const table = `\`${prefix}site_content\``;
  const rows = await content.primary.select({
    sql: `SELECT c.\`id\` FROM ${table} AS c LEFT JOIN ${table} AS p ON p.\`id\` = c.\`parent\`
      WHERE c.\`parent\` <> 0 AND p.\`id\` IS NULL ORDER BY c.\`id\``,
    params: [],
    heavy: true,
  });
  if (rows.length === 0) return ok('every parent exists');
  const ids = rows.map(([id]) => Number(id));
  return warning(
    `${countOf(ids.length, 'resource has', 'resources have')} a parent that does not exist: ${sample(ids)}`,
    'Move them below another parent',
  );
}

async function checkTree({ store: { content, prefix } }: StoreFacts): Promise<Finding> {
  const sql = `SELECT \`id\`, \`parent\` FROM \`${prefix}site_content\` WHERE \`parent\` <> 0 ORDER BY \`id\``;
  const rows = await content.primary.select({ sql, params: [], heavy: true });
  const cycles = findCycles(new Map(rows.map(([id, parent]) => [Number(id), Number(parent)])));
  if (cycles.length === 0) return ok('every chain of parents ends at the root');
  return warning(
    `${countOf(cycles.length, 'chain of parents forms', 'chains of parents form')} a loop: ${sample(cycles.map((ids) => [...ids, ids[0]].join(' > ')))}`,
    'Move one resource of each loop to the root',
  );
}

const hourSeconds = 3600;

/** A worker that runs, or is started by cron, publishes on time. */
async function checkPublications({ store: { content, prefix }, clock }: StoreFacts): Promise<Finding> {
  const passed = { [Op.gt]: 0, [Op.lt]: Math.floor(clock.now() / 1000) - hourSeconds };
  const where = { [Op.or]: [{ pub_date: passed }, { unpub_date: passed }] };
  const late = await siteContent.on(content.primary, prefix).findAll({ attributes: ['id'], where, order: ['id'] });
  if (late.length === 0) return ok('no planned publication or withdrawal of a resource is overdue');
  return warning(
    `${countOf(late.length, 'resource')} should have been published or withdrawn more than an hour ago: ${sample(late.map(({ id }) => id))}`,
    'Run a worker: hcd worker, or hcd worker --once from cron',
  );
}

/** Those of an attached site are on the server of the CMS. */
async function checkPictures({ store, configuration: { config } }: StoreFacts): Promise<Finding> {
  const { content, prefix, kind } = store;
  if (kind !== 'own') return ok('the CMS has the files');
  const images = await tvs.on(content.primary, prefix).findAll({ attributes: ['id'], where: { type: 'image' } });
  const where = { tmplvarid: images.map(({ id }) => id) };
  const values = await tvValues.on(content.primary, prefix).findAll({ where, order: ['contentid', 'tmplvarid'] });
  const files = new KnownFiles(config.files_dir);
  const missing: string[] = [];
  for (const { contentid, value } of values) {
    const problem = await files.problemOf(value, { content: content.primary, prefix });
    if (problem !== null) missing.push(`${value} (resource ${contentid})`);
  }
  if (missing.length === 0) return ok('the folder of files has every picture of a template variable');
  return warning(
    `${countOf(missing.length, 'picture is', 'pictures are')} not among the files of the site: ${sample(missing)}`,
    'Put each of them there: hcd media put FILE PATH',
    fixCommand('media put'),
  );
}

export const pageChecks: readonly Check[] = [
  { name: 'section-types', needs: 'content', table: 'hcd_section_types', run: checkTypes },
  { name: 'pages', needs: 'content', table: 'hcd_pages', run: checkPages },
];

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
        `the section type ${key} is hidden, and ${countOf(uses.length, 'page uses', 'pages use')} it: ${sample(uses)}`,
        `Restore it: hcd section-type show ${key} --definition | hcd section-type import -`,
      ),
    );
  }
  return orOk(findings, `${views.length} section types`);
}

async function checkPages({ store, env }: StoreFacts): Promise<readonly Finding[]> {
  const own = store.own.primary;
  const gone: number[] = [];
  const refused: PageRow[] = [];
  const overdue: number[] = [];
  // A plan that is late by less than this waits for the next turn of the worker.
  const late = (await readNow(own)) - 60_000;
  const all = await pages.on(own).findAll({ attributes: pageNumbers, order: ['resource'] });
  for (const part of batchesOf(all, 500)) {
    const known = await readPageResources(
      store,
      part.map(({ resource }) => resource),
    );
    for (const row of part) {
      if (!known.has(row.resource)) gone.push(row.resource);
      if (row.publishOn !== null && row.failedDraft === row.revision) refused.push(row);
      else if (Math.min(row.publishOn ?? late, row.unpublishOn ?? late) < late) overdue.push(row.resource);
    }
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
    `${countOf(overdue.length, 'planned page is', 'planned pages are')} overdue: ${sample(overdue)}`,
    'Run a worker: hcd worker, or hcd worker --once from cron',
  );
  const goneText = warning(
    `${countOf(gone.length, 'page belongs', 'pages belong')} to a resource that does not exist: ${sample(gone)}`,
    'These pages are never delivered: restore the resources, or ignore this',
  );
  const { values } = await readRuntimeSettings(store, env);
  const published = all.filter(({ isPublished }) => isPublished).length;
  const offText = warning(
    `${countOf(published, 'published page is', 'published pages are')} not served: pages_rest_api_enabled is off`,
    'hcd setting set pages_rest_api_enabled 1',
    fixCommand('setting set', ['pages_rest_api_enabled', 1]),
  );
  const findings = [
    ...when(published > 0 && !values.pages_rest_api_enabled, offText),
    ...refusedTexts,
    ...when(overdue.length > 0, overdueText),
    ...when(gone.length > 0, goneText),
  ];
  return orOk(findings, countOf(all.length, 'page document'));
}

export const bannerChecks: readonly Check[] = [
  { name: 'banner-positions', needs: 'content', table: 'hcd_ad_positions', run: checkPositions },
  { name: 'banner-sums', needs: 'content', table: 'hcd_ad_days', run: checkSums },
];

const shown = 5;

/** A context may have been removed after the position was made for it. */
async function checkPositions({ store }: StoreFacts): Promise<readonly Finding[]> {
  const contexts = new Set(await readContextKeys(store.content.primary, store.prefix));
  const all = await positions.on(store.own.primary).findAll({ attributes: positionAttributes, order: ['id'] });
  const lost = all.filter(({ context_key: context }) => context !== '' && !contexts.has(context));
  const findings = lost
    .slice(0, shown)
    .map(({ id, name, context_key: context }) =>
      warning(
        `position ${id} "${name}" is of the context ${context}, which does not exist, so its banners are never shown`,
        `Set an existing context: hcd position update ${id} --context-key KEY`,
        fixCommand('position update', [id], { 'context-key': null }),
      ),
    );
  return orOk(findings, countOf(all.length, 'position'));
}

/** Only the last days, so that the check takes seconds. */
async function checkSums({ store, env, clock }: StoreFacts): Promise<Finding> {
  const { values } = await readRuntimeSettings(store, env);
  const now = clock.now();
  const from = addDays(localDay(now, values.banners_timezone), 1 - usualDays);
  const wrong: WrongSum[] = [];
  for await (const sum of findWrongSums(store.own.primary, { from, keptFrom: keptDays(values, now) })) wrong.push(sum);
  const [first] = wrong;
  if (first === undefined) return ok(`those of the last ${usualDays} days match their events`);
  const isAbove = wrong.some(({ stored, counted }) => stored > counted);
  return warning(
    `${countOf(wrong.length, 'sum')} of the last ${usualDays} days ${wrong.length === 1 ? 'does' : 'do'} not match the events, such as ${describeSum(first)}`,
    isAbove
      ? 'Check with hcd banner recount --dry-run, then run hcd banner recount --lower'
      : 'Recalculate them: hcd banner recount',
    fixCommand('banner recount', [], isAbove ? { lower: true } : {}),
  );
}
