/** The list of redirects as administrators see and change it (docs/gateway.md#moved-pages). */
import { AppError, Problems } from '../../errors/app-error.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { isoTimeOfMs } from '../../values/dates.js';
import type { Administration } from '../live/administrator.js';
import { contextSetting } from '../live/live-state.js';
import { type NewRedirect, redirectDigest, redirects, writeRedirects } from '../models/redirects.js';
import { planRead, type RowPlan } from '../query/plan.js';
import { findPageIds, readUris } from '../reading/find-page.js';
import { readOldAddress, readTarget, redirectStatuses } from '../rules/redirect.js';
import { everything } from './browse-content.js';

export interface GivenRedirect {
  /** Of its problems: empty, or such as `line 3: `. */
  readonly place: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly status?: unknown;
}

type Target = Pick<NewRedirect, 'resource' | 'target'> | { readonly path: string };

interface Line extends Pick<NewRedirect, 'source' | 'status'> {
  readonly place: string;
  readonly to: Target;
}

type Site = Administration & { readonly store: Store };

/** All or none. Targets that are old addresses become the page that they lead to. Throws validation_failed. */
export async function saveRedirects(
  site: Site,
  given: readonly GivenRedirect[],
  { context, dryRun = false }: { readonly context: string; readonly dryRun?: boolean },
): Promise<{ readonly redirects: number }> {
  const work = { ...site, plan: planOf(site, context), problems: new Problems() };
  const lines = given.flatMap((one) => readLine(one, work) ?? []);
  const rows = await resolveTargets(work, lines);
  work.problems.throwIfAny();
  if (!dryRun && rows.length > 0) {
    await site.store.own.write(async (tx) => {
      await writeRedirects(tx, rows);
      await bumpContentGeneration(tx);
    }, repeatable);
  }
  return { redirects: rows.length };
}

interface Work extends Site {
  readonly plan: RowPlan;
  readonly problems: Problems;
}

function planOf({ reader, caller }: Administration, context: string): RowPlan {
  const { registry } = reader;
  const intent = { ...everything, includeDeleted: false, context };
  return planRead(intent, { definition: registry.resources, registry, caller });
}

function readLine({ place, from, to, status }: GivenRedirect, { reader, plan, problems }: Work): Line | null {
  const source = readOldAddress(String(from ?? ''));
  const target = readTarget(String(to ?? ''), reader.site.place(plan.context).origin);
  const code = status === undefined || status === null || status === '' ? 301 : Number(status);
  if ('problem' in source) problems.add(`${place}from`, source.problem);
  if ('problem' in target) problems.add(`${place}to`, target.problem);
  if (!redirectStatuses.includes(code))
    problems.add(`${place}status`, `must be one of: ${redirectStatuses.join(', ')}`);
  if ('problem' in source || 'problem' in target) return null;
  const known = 'address' in target ? { resource: null, target: target.address } : target;
  return { place, source: source.path, status: code, to: known };
}

const batchSize = 100;

/** A path is that of a page, or an old address whose target is followed. */
async function resolveTargets(work: Work, lines: readonly Line[]): Promise<NewRedirect[]> {
  const { context } = work.plan;
  const digestOf = (path: string) => redirectDigest(context, path);
  const paths = new Set(lines.flatMap(({ to }) => ('path' in to ? to.path : [])));
  const { pages, old } = await readTargets(work, [...paths]);
  for (const { source, to } of lines) old.set(digestOf(source), to);
  return lines.flatMap(({ place, source, status, to: first }) => {
    const met = new Set([digestOf(source)]);
    let to = first;
    while ('path' in to) {
      const digest = digestOf(to.path);
      const next = pages.get(digest) ?? old.get(digest);
      if (next === undefined || met.has(digest)) {
        const problem = next ? 'leads in a circle' : `is not the address of a page of ${context}: ${to.path}`;
        work.problems.add(`${place}to`, problem);
        return [];
      }
      met.add(digest);
      to = next;
    }
    // Each step of a chain is taken once.
    for (const digest of met) old.set(digest, to);
    return { context, source, status, resource: to.resource, target: to.target };
  });
}

async function readTargets({ reader, live, store, plan }: Work, paths: readonly string[]) {
  const startPage = Number(contextSetting(live, plan.context, 'site_start') ?? 1);
  const [pages, old] = [new Map<string, Target>(), new Map<string, Target>()];
  for (const some of batchesOf(paths, batchSize)) {
    const digest = some.map((path) => redirectDigest(plan.context, path));
    const ids = await findPageIds(reader, { plan, paths: some, startPage });
    ids.forEach((resource, at) => {
      if (resource !== null) pages.set(digest[at] ?? '', { resource, target: null });
    });
    for (const row of await redirects.on(store.own.primary).lookUpAll({ digest })) old.set(row.digest, row);
  }
  return { pages, old };
}

/** Throws not_found. */
export async function removeRedirect(
  store: Store,
  { from, context }: { readonly from: string; readonly context: string },
) {
  const read = readOldAddress(from);
  const source = 'path' in read ? read.path : from;
  const digest = redirectDigest(context, source);
  await store.own.write(async (tx) => {
    if ((await redirects.on(tx).destroy({ where: { digest } })) === 0) {
      throw new AppError('not_found', { message: `There is no redirect from ${source} in the context ${context}` });
    }
    await bumpContentGeneration(tx);
  });
  return source;
}

/** Also those that lead to no visible page, with null as `to`; in the order in which they were made. */
export async function showRedirects(
  site: Site,
  { context, limit, offset }: { readonly context: string; readonly limit: number; readonly offset: number },
) {
  const where = { context };
  const own = site.store.own.primary;
  const rows = await redirects.on(own).findAll({ where, order: ['id'], limit, offset });
  const visible = { reader: site.reader, plan: planOf(site, context) };
  const ids = rows.flatMap(({ resource }) => resource ?? []);
  const uris = await readUris(visible, ids);
  return {
    total: await redirects.on(own).count({ where }),
    rows: rows.map(({ source, resource, target, status, createdOn }) => ({
      ...{ from: source, to: resource === null ? target : (uris.get(resource) ?? null), status, resource },
      created: isoTimeOfMs(createdOn),
    })),
  };
}
