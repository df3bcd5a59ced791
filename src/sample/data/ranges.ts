/** All product groups of the catalogue, in the order of the menu. */
import type { ProductGroup } from './range.js';
import { groupsForDays } from './ranges-for-days.js';
import { groupsForNights } from './ranges-for-nights.js';

export const groups: readonly ProductGroup[] = [...groupsForNights, ...groupsForDays];
