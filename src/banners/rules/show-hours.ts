/**
 * Hours of the week in which a banner is shown: weekdays and hours of the day by the clocks of the banners' time zone,
 * as lists on the wire and as bits for searching.
 */
import { localTime } from './local-time.js';

export interface ShowHours {
  /** Monday 1 to Sunday 7, ascending; empty = every day. */
  readonly days: readonly number[];
  /** 0 to 23, ascending; empty = every hour. */
  readonly hours: readonly number[];
}

/** The lists as bits: bit 0 is Monday and hour 0; 0 = every day, every hour. */
export interface HourBits {
  readonly days: number;
  readonly hours: number;
}

/** Bits to store beside the lists. */
export function hourBits(showHours: ShowHours | null): HourBits {
  return {
    days: bitsOf((showHours?.days ?? []).map((day) => day - 1)),
    hours: bitsOf(showHours?.hours ?? []),
  };
}

/** The one day and the one hour of a moment (Unix milliseconds), as bits. */
export function momentBits(ms: number, zone: string): HourBits {
  const { weekday, hour } = localTime(ms, zone);
  return { days: bitsOf([weekday - 1]), hours: bitsOf([hour]) };
}

/** Whether the moment (Unix milliseconds) lies in the hours. */
export function isWithinHours(showHours: ShowHours | null, ms: number, zone: string): boolean {
  if (showHours === null) return true;
  const { weekday, hour } = localTime(ms, zone);
  const { days, hours } = showHours;
  return (days.length === 0 || days.includes(weekday)) && (hours.length === 0 || hours.includes(hour));
}

function bitsOf(places: readonly number[]): number {
  return places.reduce((bits, place) => bits | (1 << place), 0);
}
