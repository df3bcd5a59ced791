/** Times by the clocks of banners: a moment, and a week of hours to paint, in which all chosen days have the same hours. */
import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type Json, recordOf, useRun } from '../api.js';
import { Field, type InputProps, TextInput } from '../inputs.js';
import { Button } from '../parts.js';
import { fill, texts } from '../texts.js';
import { isoTime, textOf, weekdayName } from '../values.js';

function useZone(): string {
  return textOf(useRun('setting get', { arguments: ['banners_timezone'] }).record['value']);
}

export function ZoneTime({ value, change, ...field }: InputProps<string>) {
  const zone = useZone();
  if (zone === '') return null;
  return (
    <TextInput
      {...field}
      help={fill(texts.banners.timeHelp, zone)}
      type="datetime-local"
      value={clockText(Date.parse(value), zone)}
      change={(local) => change(timeOf(local, zone))}
    />
  );
}

/** `2026-11-28T09:30` by the clocks of a zone; empty for none. Swedes write times as ISO 8601 does. */
function clockText(ms: number, zone: string): string {
  if (Number.isNaN(ms)) return '';
  return new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T').slice(0, 16);
}

function timeOf(clock: string, zone: string): string {
  const shown = Date.parse(`${clock}Z`);
  if (Number.isNaN(shown)) return '';
  const ahead = (ms: number): number => Date.parse(`${clockText(ms, zone)}Z`) - ms;
  return isoTime(shown - ahead(shown - ahead(shown)));
}

/** Monday is 1. */
const allDays = [1, 2, 3, 4, 5, 6, 7];
const allHours = Array.from({ length: 24 }, (_, hour) => hour);
const dayName = (day: number): string => weekdayName(day, 'short');
const clock = (hour: number, minutes = '00'): string => `${String(hour).padStart(2, '0')}:${minutes}`;

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ...{ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] },
};

type Cell = readonly [day: number, hour: number];

/** The value is JSON; empty: always. */
export function WeekHours({ value, change, ...field }: InputProps<string>) {
  const zone = useZone();
  const stored = recordOf(value === '' ? null : JSON.parse(value));
  const [days, hours] = [listOf(stored['days'], allDays), listOf(stored['hours'], allHours)];
  const start = useRef<Cell | null>(null);
  const choose = (ofDays: readonly number[], ofHours: readonly number[]): void => {
    // Every day and every hour is no restriction.
    const limited = { days: ofDays.length === 7 ? [] : ofDays, hours: ofHours.length === 24 ? [] : ofHours };
    change(limited.days.length + limited.hours.length === 0 ? '' : JSON.stringify(limited));
  };
  const paint = ([day, hour]: Cell): void => {
    const [first, from] = start.current ?? [day, hour];
    choose(allDays.filter(isBetween(first, day)), allHours.filter(isBetween(from, hour)));
  };
  const begin = (event: PointerEvent, cell: Cell): void => {
    // Else a finger that moves on would stay with its first cell.
    if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
    start.current = cell;
    addEventListener('pointerup', () => (start.current = null), { once: true });
    paint(cell);
  };
  /** From the buttons of days and hours into the grid; with Shift the way is painted. */
  const step = (event: TargetedKeyboardEvent<HTMLTableElement>): void => {
    const [down, right] = arrows[event.key] ?? [0, 0];
    const from = event.target instanceof Element ? event.target.closest<HTMLTableCellElement>('th, td') : null;
    const row = from?.closest('tr');
    if (from === null || !row || (down === 0 && right === 0)) return;
    event.preventDefault();
    const [day, hour] = [from.cellIndex + right, row.rowIndex + down - 1];
    event.currentTarget.rows[hour + 1]?.cells[day]?.querySelector('button')?.focus();
    start.current = event.shiftKey ? (start.current ?? [from.cellIndex, row.rowIndex - 1]) : null;
    if (event.shiftKey && allDays.includes(day) && allHours.includes(hour)) paint([day, hour]);
  };
  const daysText = days.length === 7 ? texts.banners.everyDay : days.map(dayName).join(', ');
  const last = hours.filter((hour) => !hours.includes(hour + 1));
  const first = hours.filter((hour) => !hours.includes(hour - 1));
  const spans = first.map((hour, index) => `${clock(hour)}–${clock(last[index] ?? hour, '59')}`);
  return (
    <Field {...field} label={texts.banners.hours} help={fill(texts.banners.hoursHelp, zone)}>
      <table class="week" onKeyDown={step}>
        <thead>
          <tr>
            <td />
            {allDays.map((day) => (
              <th scope="col">
                <Button
                  {...{ label: dayName(day), 'aria-pressed': days.includes(day) }}
                  act={() => choose(toggled(days, day, allDays), hours)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {allHours.map((hour) => (
            <tr>
              <th scope="row">
                <Button
                  {...{ label: clock(hour), 'aria-pressed': hours.includes(hour) }}
                  act={() => choose(days, toggled(hours, hour, allHours))}
                />
              </th>
              {allDays.map((day) => (
                <td
                  class={days.includes(day) && hours.includes(hour) ? 'hour on' : 'hour'}
                  title={`${dayName(day)} ${clock(hour)}`}
                  onPointerDown={(event) => begin(event, [day, hour])}
                  onPointerEnter={({ buttons }) => buttons > 0 && start.current && paint([day, hour])}
                >
                  <Button
                    {...{ label: '', tabIndex: -1, 'aria-label': `${dayName(day)} ${clock(hour)}` }}
                    act={() => choose([day], [hour])}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="bar" role="status">
        {value === '' ? texts.banners.always : `${daysText}: ${spans.join(', ')}`}
        <Button label={texts.banners.always} kind="small" disabled={value === ''} act={() => change('')} />
      </p>
    </Field>
  );
}

function listOf(list: Json | undefined, all: readonly number[]): readonly number[] {
  return Array.isArray(list) && list.length > 0 ? list.map(Number) : all;
}

/** Of all, the first that is named stands alone; the last one stays. */
function toggled(list: readonly number[], one: number, all: readonly number[]): readonly number[] {
  if (list.length === all.length) return [one];
  const next = all.filter((other) => (other === one ? !list.includes(one) : list.includes(other)));
  return next.length === 0 ? list : next;
}

function isBetween(one: number, other: number) {
  return (value: number): boolean => value >= Math.min(one, other) && value <= Math.max(one, other);
}
