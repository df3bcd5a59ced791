/**
 * The columns of an event file: those of /stats/export of that type (docs/banners-statistics.md#csv). Each knows how
 * its cell is read and what of the event it gives; names of banners and positions are for people and not read.
 */
import { isIP } from 'node:net';
import { timeValue } from '../../../src/config/time-values.js';

export type EventType = 'clicks' | 'impressions';

export const eventTypes = ['clicks', 'impressions'] as const;

/** One event of a file. */
export interface FileEvent {
  /** Null: the database counts. */
  readonly id: number | null;
  readonly ad: number;
  readonly position: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly referrer: string;
  readonly ip: string;
  readonly orderId: string | null;
}

export interface EventColumn {
  readonly name: string;
  /** The header must have it. */
  readonly required: boolean;
  /** Member of the event; null for what is not read. */
  readonly member: keyof FileEvent | null;
  /** The value, or what is wrong with the text. */
  readonly read: (text: string) => CellValue;
}

export type CellValue = { readonly value: string | number | null } | { readonly problem: string };

const largestId = 2 ** 32 - 1;

const ignored = (name: string): EventColumn => ({
  name,
  required: false,
  member: null,
  read: (text) => ({ value: text }),
});

const idOf = (name: string, member: 'ad' | 'position'): EventColumn => ({ name, required: true, member, read: readId });

const momentOf = (name: string): EventColumn => ({ name, required: true, member: 'at', read: readMoment });

const common: readonly EventColumn[] = [
  { name: 'id', required: false, member: 'id', read: (text) => (text === '' ? { value: null } : readId(text)) },
  idOf('ad_id', 'ad'),
  ignored('ad_name'),
  idOf('position_id', 'position'),
  ignored('position_name'),
];

const address: EventColumn = { name: 'ip', required: false, member: 'ip', read: readAddress };

/** In the order of the export; a file may have them in any order. */
export const eventColumns: Readonly<Record<EventType, readonly EventColumn[]>> = Object.freeze({
  clicks: [
    ...common,
    momentOf('clicked_at'),
    { name: 'referrer', required: false, member: 'referrer', read: (text) => readText(text, 255) },
    address,
    {
      name: 'order_id',
      required: false,
      member: 'orderId',
      read: (text) => (text === '' ? { value: null } : readText(text, 64)),
    },
  ],
  impressions: [...common, momentOf('shown_at'), address],
});

function readId(text: string): CellValue {
  const isId = /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestId;
  return isId ? { value: Number(text) } : { problem: `must be an id, not ${shown(text)}` };
}

function readMoment(text: string): CellValue {
  const parsed = timeValue.parse(text);
  if (!parsed.ok) return { problem: parsed.problem };
  // Ranges of the statistics start in 1970.
  return parsed.value >= 0
    ? { value: parsed.value * 1000 }
    : { problem: `must be in 1970 or later, not ${shown(text)}` };
}

function readAddress(text: string): CellValue {
  const isAddress = text === '' || (isIP(text) !== 0 && !text.includes('%'));
  return isAddress ? { value: text } : { problem: `must be an IP address or empty, not ${shown(text)}` };
}

function readText(text: string, most: number): CellValue {
  if (text.includes('\0')) return { problem: 'must not have a NUL character' };
  const length = [...text].length;
  return length <= most ? { value: text } : { problem: `must have at most ${most} characters, not ${length}` };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
