/** Checks of banners: positions that no page can show, and sums of the statistics that do not fit their events. */

import { positionAttributes, positions } from '../../banners/models/positions.js';
import { addDays, dayText, localDay } from '../../banners/rules/local-time.js';
import { findWrongSums, keptDays, usualDays, type WrongSum } from '../../banners/statistics/find-wrong-sums.js';
import { readContextKeys } from '../../content/models/elements.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { type Check, count, type Finding, ok, orOk, type StoreFacts, warning } from './check.js';

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
      ),
    );
  return orOk(findings, count(all.length, 'position', 'positions'));
}

/** Only the last days, so that the check takes seconds however long the statistics go back. */
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
    `${count(wrong.length, 'sum', 'sums')} of the last ${usualDays} days ${wrong.length === 1 ? 'does' : 'do'} not match the events, such as ${textOf(first)}`,
    isAbove
      ? 'Check with hcd banner recount --dry-run, then run hcd banner recount --lower'
      : 'Recalculate them: hcd banner recount',
  );
}

function textOf(sum: WrongSum): string {
  const { day, figure, position, stored, counted } = sum;
  const what = 'ad' in sum ? `${figure} of banner ${sum.ad}` : `clicks from ${JSON.stringify(sum.referrer)}`;
  return `${what} at ${position === 0 ? 'all positions' : `position ${position}`} on ${dayText(day)}: ${stored}, not ${counted}`;
}
