/** Publishes and withdraws resources on their dates (docs/reference/storage.md#publication). */

import { Op } from 'sequelize';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { administrator } from '../live/administrator.js';
import type { Mutation } from '../live/mutation.js';
import { lockResource, type ResourceState, siteContent } from '../models/resources.js';
import { type ContentWriter, runMutation } from '../mutations/run-mutation.js';
import { type ResourceWork, startWork, toMutation } from './resource-write.js';

interface RefusedResource {
  readonly resource: number;
  readonly error: unknown;
}

/** `stop` ends it between two resources. A refused resource does not block the others. Throws unavailable. */
export async function publishScheduled(writer: ContentWriter, stop: AbortSignal) {
  const refused: RefusedResource[] = [];
  const done = { published: 0, withdrawn: 0, refused };
  for (const id of await readDue(writer)) {
    if (stop.aborted) return done;
    try {
      const isPublished = await publishOne(writer, id);
      if (isPublished === true) done.published += 1;
      if (isPublished === false) done.withdrawn += 1;
    } catch (error) {
      // The others would fail in the same way.
      if (error instanceof AppError && error.kind === 'unavailable') throw error;
      refused.push({ resource: id, error });
    }
  }
  return done;
}

async function publishOne(writer: ContentWriter, id: number): Promise<boolean | undefined> {
  return runMutation<boolean | undefined>({
    store: writer.store,
    listeners: writer.listeners,
    seal: null,
    async work(tx) {
      const caller = administrator(writer.live());
      const work = await startWork({ tx, writer, caller, context: caller.defaultContext, namesContext: false });
      const before = await lockResource(tx, work.table, id);
      const after = before && applyDates(before, work.now);
      if (!before || !after) return { mutation: null, result: undefined };
      return { mutation: await write(work, before, after), result: after.published };
    },
  });
}

async function write(work: ResourceWork, before: ResourceState, after: ResourceState): Promise<Mutation> {
  work.rows.add(before);
  work.rows.change(before.id, after);
  await work.rows.write();
  return toMutation(work, 'updated', { before, after });
}

/** Undefined when no date is due. Author and editor do not change. */
function applyDates(row: ResourceState, now: number): ResourceState | undefined {
  const isDue = (date: number | null): date is number => date !== null && date < now;
  if (isDue(row.unpub_date)) {
    return { ...row, published: false, publishedon: null, pub_date: null, unpub_date: null };
  }
  return isDue(row.pub_date) ? { ...row, published: true, publishedon: row.pub_date, pub_date: null } : undefined;
}

/** The lowest first. A condition on both dates would use the index of neither. */
async function readDue({ store, now }: ContentWriter): Promise<number[]> {
  const resources = siteContent.on(store.content.primary, store.prefix);
  const passed = { [Op.gt]: 0, [Op.lt]: Math.floor(now() / 1000) };
  const due = await Promise.all([
    resources.findAll({ attributes: ['id'], where: { pub_date: passed } }),
    resources.findAll({ attributes: ['id'], where: { unpub_date: passed } }),
  ]);
  return [...new Set(due.flat().map(({ id }) => id))].sort((one, other) => one - other);
}

export function makeReportRefused(log: Log): (refused: readonly RefusedResource[]) => void {
  let reported: ReadonlyMap<number, string> = new Map();
  return function reportRefused(refused) {
    const problems = new Map(refused.map(({ resource, error }) => [resource, problemOf(error)]));
    for (const { resource, error } of refused) {
      const problem = problemOf(error);
      if (reported.get(resource) === problem) continue;
      if (error instanceof AppError) log({ kind: 'resource_plan_refused', resource, problem });
      else log({ kind: 'unexpected_error', during: 'publishing a resource on its date', error });
    }
    reported = problems;
  };
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
