/** Checks of banners: positions that no page can show, and sums of the statistics that do not fit their events. */

import { positionAttributes, positions } from '../../banners/models/positions.js';
import { addDays, dayText, localDay } from '../../banners/rules/local-time.js';
import { findWrongSums, keptDays, usualDays, type WrongSum } from '../../banners/statistics/find-wrong-sums.js';
import { readContextKeys } from '../../content/models/elements.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { hasTable } from '../../store/state/ledger.js';
import { type Check, count, type Finding, ok, type StoreFacts, warning } from './check.js';

export const bannerChecks: readonly Check[] = [
  { name: 'banner-positions', needs: 'content', run: checkPositions },
  { name: 'banner-sums', needs: 'content', run: checkSums },
];

/** Positions that are looked at in one statement. */
const together = 500;
const shown = 5;

/** A context may have been removed after the position was made for it. */
async function checkPositions({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const own = store.own.primary;
  // Before the migrations have run there is nothing to look at, and their own check says so.
  if (!(await hasTable(own, 'hcd_ad_positions'))) return ok('no table of positions yet');
  const contexts = new Set(await readContextKeys(store.content.primary, store.prefix));
  const findings: Finding[] = [];
  let all = 0;
  for (let offset = 0; ; offset += together) {
    const page = { attributes: positionAttributes, order: ['id'], limit: together, offset };
    const found = await positions.on(own).findAll(page);
    all += found.length;
    for (const { id, name, context_key: context } of found) {
      if (context === '' || contexts.has(context) || findings.length === shown) continue;
      findings.push(
        warning(
          `position ${id} "${name}" is of the context ${context}, which does not exist, so its banners are never shown`,
          `Set an existing context: hcd position update ${id} --context-key KEY`,
        ),
      );
    }
    if (found.length < together) break;
  }
  return findings.length > 0 ? findings : ok(count(all, 'position', 'positions'));
}

/** Only the last days, so that the check takes seconds however long the statistics go back. */
async function checkSums({ store, env, clock }: StoreFacts): Promise<Finding> {
  const own = store.own.primary;
  if (!(await hasTable(own, 'hcd_ad_days'))) return ok('no sums yet');
  const { values } = await readRuntimeSettings(store, env);
  const now = clock.now();
  const from = addDays(localDay(now, values.banners_timezone), 1 - usualDays);
  const wrong: WrongSum[] = [];
  for await (const sum of findWrongSums(own, { from, keptFrom: keptDays(values, now) })) wrong.push(sum);
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
