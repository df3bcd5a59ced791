/**
 * Static resources send files of the server to visitors. To make one, to make a resource one and to change what it sends
 * needs a right of its own, and the path may not leave the folder of such files.
 */

import { AppError, type Problems } from '../../errors/app-error.js';
import type { FieldValues } from '../live/mutation.js';
import { type ResourceState, siteContent } from '../models/resources.js';
import { mayWriteStatic } from '../query/authorize.js';
import { isStaticClass, staticPathProblem } from '../rules/static-path.js';
import type { ResourceWork } from './resource-write.js';

export interface StaticQuestion {
  /** The resource as it is; null for a new one. */
  readonly before: Pick<ResourceState, 'id' | 'class_key'> | null;
  readonly values: FieldValues;
  readonly problems: Problems;
}

/** Throws scope_denied; adds a problem for a path that is refused. */
export async function checkStatic(work: ResourceWork, { before, values, problems }: StaticQuestion): Promise<void> {
  const { class_key: classKey = before?.class_key, content } = values;
  if (!isStaticClass(String(classKey ?? ''))) return;
  const wasStatic = before !== null && isStaticClass(before.class_key);
  if (wasStatic && content === undefined) return;
  const stored = before === null ? '' : await storedContent(work, before.id);
  const path = content === undefined ? stored : String(content ?? '');
  if (wasStatic && path === stored) return;
  if (!mayWriteStatic(work.caller)) {
    throw new AppError('scope_denied', {
      message: 'Insufficient permissions: a static resource and its content need the scope resources.static',
    });
  }
  const problem = staticPathProblem(path);
  if (problem !== null) problems.add('content', problem, 'Invalid field value');
}

async function storedContent({ tx, prefix }: ResourceWork, id: number): Promise<string> {
  const [row] = await siteContent.on(tx, prefix).lookUpAll({ id }, { attributes: ['content'] });
  return row?.content ?? '';
}
