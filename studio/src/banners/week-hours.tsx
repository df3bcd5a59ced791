/** A week of hours to paint. All chosen days have the same hours, as the command keeps them. */
import { useRef, useState } from 'preact/hooks';
import type { Json } from '../api.js';
import { FieldGroup } from '../parts.js';
import type { FieldProps } from '../record-form.js';
import { language, texts } from '../texts.js';
import { recordOf } from '../values.js';

interface Hours {
  /** Monday is 1; empty: every day. */
  readonly days: readonly number[];
  readonly hours: readonly number[];
}

const allDays = [1, 2, 3, 4, 5, 6, 7];
const allHours = Array.from({ length: 24 }, (_, hour) => hour);
const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
// The 5th of January 2026 is a Monday.
const dayNames = allDays.map((day) => weekday.format(Date.UTC(2026, 0, 4 + day)));

function listOf(list: Json | undefined): readonly number[] {
  return Array.isArray(list) ? list.map(Number) : [];
}

interface Cell {
  readonly day: number;
  readonly hour: number;
}

/** The value is JSON; empty: always. */
export function WeekHours({ value, zone, problems, change }: FieldProps & { readonly zone: string }) {
  const stored = recordOf(value === '' ? null : JSON.parse(value));
  const [ownDays, ownHours] = [listOf(stored['days']), listOf(stored['hours'])];
  const days = ownDays.length === 0 ? allDays : ownDays;
  const hours = ownHours.length === 0 ? allHours : ownHours;
  const [at, setAt] = useState<Cell>({ day: 1, hour: 9 });
  const start = useRef<Cell | null>(null);
  const isPainting = useRef(false);
  const table = useRef<HTMLTableElement>(null);
  const choose = (next: Hours): void => {
    // Every day and every hour is no restriction.
    const [isWeek, isDay] = [next.days.length === 7, next.hours.length === 24];
    const limited = { days: isWeek ? [] : next.days, hours: isDay ? [] : next.hours };
    change(isWeek && isDay ? '' : JSON.stringify(limited));
  };
  const paintTo = (end: Cell): void => {
    const from = start.current ?? end;
    choose({ days: between(from.day, end.day), hours: between(from.hour, end.hour) });
  };
  const begin = (cell: Cell): void => {
    start.current = cell;
    setAt(cell);
    choose({ days: [cell.day], hours: [cell.hour] });
  };
  const endPainting = (): void => {
    isPainting.current = false;
  };
  const toggled = (list: readonly number[], one: number): readonly number[] => {
    const next = list.includes(one) ? list.filter((other) => other !== one) : [...list, one].sort((a, b) => a - b);
    return next.length === 0 ? list : next;
  };
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = { day: within(at.day + step[0], 1, 7), hour: within(at.hour + step[1], 0, 23) };
    setAt(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.day}-${next.hour}"]`)?.focus();
    if (event.shiftKey) paintTo(next);
    else start.current = next;
  };
  return (
    <FieldGroup label={texts.banners.hours} help={texts.banners.hoursHelp(zone)} problems={problems}>
      <table ref={table} class="week">
        <thead>
          <tr>
            <td />
            {allDays.map((day) => (
              <th scope="col">
                <button
                  type="button"
                  aria-pressed={days.includes(day)}
                  onClick={() => choose({ days: toggled(days, day), hours })}
                >
                  {dayNames[day - 1]}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {allHours.map((hour) => (
            <tr>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={hours.includes(hour)}
                  onClick={() => choose({ days, hours: toggled(hours, hour) })}
                >
                  {clock(hour)}
                </button>
              </th>
              {allDays.map((day) => (
                <td>
                  <button
                    type="button"
                    class="hour"
                    data-cell={`${day}-${hour}`}
                    tabIndex={at.day === day && at.hour === hour ? 0 : -1}
                    aria-pressed={days.includes(day) && hours.includes(hour)}
                    aria-label={`${dayNames[day - 1]} ${clock(hour)}`}
                    onKeyDown={move}
                    onClick={() => begin({ day, hour })}
                    onPointerDown={(event) => {
                      // Else a finger that moves on would stay with its first cell.
                      event.currentTarget.releasePointerCapture(event.pointerId);
                      isPainting.current = true;
                      addEventListener('pointerup', endPainting, { once: true });
                      begin({ day, hour });
                    }}
                    onPointerEnter={() => {
                      if (isPainting.current) paintTo({ day, hour });
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="bar" role="status">
        {value === '' ? texts.banners.always : `${daysText(days)}: ${spansText(hours)}`}
        <button type="button" class="small" disabled={value === ''} onClick={() => change('')}>
          {texts.banners.always}
        </button>
      </p>
    </FieldGroup>
  );
}

const steps: Readonly<Record<string, readonly [days: number, hours: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function between(one: number, other: number): readonly number[] {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function daysText(days: readonly number[]): string {
  return days.length === 7 ? texts.banners.everyDay : days.map((day) => dayNames[day - 1]).join(', ');
}

/** `09:00–17:59, 20:00–20:59`. */
function spansText(hours: readonly number[]): string {
  const first = hours.filter((hour) => !hours.includes(hour - 1));
  const last = hours.filter((hour) => !hours.includes(hour + 1));
  return first.map((hour, index) => `${clock(hour)}–${String(last[index]).padStart(2, '0')}:59`).join(', ');
}
