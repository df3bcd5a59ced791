/** Publishes and withdraws for `hcd page publish|unpublish`, now or by a plan. */
import type { PageView } from '../../src/pages/authoring/page-view.js';
import { type PlanRequest, planPage } from '../../src/pages/authoring/plan-publication.js';
import { publishPage } from '../../src/pages/authoring/publish-page.js';
import { withdrawPage } from '../../src/pages/authoring/withdraw-page.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { isoTime, pageName, pageRecord } from './page-record.js';
import type { PlannedTime } from './parameters.js';
import { visibilityNotes } from './visibility-notes.js';

interface Target {
  readonly id: number;
  readonly at: PlannedTime | undefined;
}

export async function runPublish(
  { id, at, revision }: Target & { readonly revision: number | undefined },
  deps: Deps,
): Promise<DoneResult> {
  const store = await openReady(deps);
  const authoring = authoringOf(store, deps);
  const expected = revision ?? null;
  if (at !== undefined)
    return plan(await planPage(authoring, planOf({ id, at, step: 'publish', expected })), 'publish');
  const page = await publishPage(authoring, { resource: id, expected });
  const notes = await visibilityNotes(page, { store, deps });
  return done(page, `Published ${pageName(page)} as revision ${page.lastPublished}.`, notes);
}

export async function runUnpublish({ id, at }: Target, deps: Deps): Promise<DoneResult> {
  const authoring = authoringOf(await openReady(deps), deps);
  if (at !== undefined) {
    return plan(await planPage(authoring, planOf({ id, at, step: 'withdraw', expected: null })), 'withdraw');
  }
  const { page, wasPublished, wasPlanned } = await withdrawPage(authoring, id);
  const what = wasPublished ? `Withdrew ${pageName(page)}` : `Nothing to withdraw: ${pageName(page)} is not published`;
  return done(page, `${what}${wasPlanned ? '; what was planned for it is taken back' : ''}.`, []);
}

function planOf({
  id,
  at,
  ...rest
}: Pick<PlanRequest, 'step' | 'expected'> & { readonly id: number; readonly at: PlannedTime }): PlanRequest {
  return { resource: id, at: at.seconds === null ? null : at.seconds * 1000, ...rest };
}

function plan(page: PageView, step: PlanRequest['step']): DoneResult {
  const time = step === 'publish' ? page.publishOn : page.unpublishOn;
  const verb = step === 'publish' ? 'published' : 'withdrawn';
  const message =
    time === null
      ? `It is not planned any more that ${pageName(page)} is ${verb}.`
      : `Planned: ${pageName(page)} is ${verb} at ${isoTime(time)}.`;
  return done(page, message, time === null ? [] : ['A running hcd worker does it then.']);
}

function done(page: PageView, message: string, notes: readonly string[]): DoneResult {
  return { kind: 'done', message, data: pageRecord(page), notes };
}
