/** Whether a banner's own dates and hours let it be shown at a moment. */
import type { BannerValues } from './banner.js';
import { isWithinHours } from './show-hours.js';

/** A moment in Unix milliseconds and the time zone of the hours. */
export interface Moment {
  readonly ms: number;
  readonly zone: string;
}

/** Both ends of the dates belong to them, to the second in which they are stored. */
export function isOnSchedule(
  { start, end, show_hours }: Pick<BannerValues, 'start' | 'end' | 'show_hours'>,
  { ms, zone }: Moment,
): boolean {
  const seconds = Math.floor(ms / 1000);
  if (start !== null && start > seconds) return false;
  if (end !== null && end < seconds) return false;
  return isWithinHours(show_hours, ms, zone);
}
