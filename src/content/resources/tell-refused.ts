/** Tells the log of resources whose planned publication is refused: once each as long as the refusal lasts. */
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { RefusedResource } from './publish-scheduled.js';

/** The function that is given what was refused each time, and tells what is new about it. */
export function makeTellRefused(log: Log): (refused: readonly RefusedResource[]) => void {
  let told: ReadonlyMap<number, string> = new Map();
  return function tellRefused(refused) {
    const problems = new Map(refused.map(({ resource, error }) => [resource, problemOf(error)]));
    for (const { resource, error } of refused) {
      const problem = problemOf(error);
      if (told.get(resource) === problem) continue;
      if (error instanceof AppError) log({ kind: 'resource_plan_refused', resource, problem });
      else log({ kind: 'unexpected_error', during: 'publishing a resource on its date', error });
    }
    told = problems;
  };
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
