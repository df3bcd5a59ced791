/** What `hcd page publish` and `hcd page unpublish` share: schedules and results. */
import type { PageView } from '../../src/pages/authoring/page-view.js';
import type { PlanRequest } from '../../src/pages/authoring/plan-publication.js';
import type { DoneResult } from '../result.js';
import { isoTime, pageName, pageRecord } from './page-record.js';
import type { PlannedTime } from './parameters.js';

export function planOf({
  id,
  at,
  ...rest
}: Pick<PlanRequest, 'step' | 'expected'> & { readonly id: number; readonly at: PlannedTime }): PlanRequest {
  return { resource: id, at: at.seconds === null ? null : at.seconds * 1000, ...rest };
}

export function plannedResult(page: PageView, step: PlanRequest['step']): DoneResult {
  const time = step === 'publish' ? page.publishOn : page.unpublishOn;
  const verb = step === 'publish' ? 'published' : 'unpublished';
  const message =
    time === null
      ? `Cancelled the schedule: ${pageName(page)} is not going to be ${verb}.`
      : `Scheduled: ${pageName(page)} is going to be ${verb} at ${isoTime(time)}.`;
  return pageResult(page, message, time === null ? [] : ['This needs a running hcd worker.']);
}

export function pageResult(page: PageView, message: string, notes: readonly string[]): DoneResult {
  return { kind: 'done', message, data: pageRecord(page), notes };
}
