/** A week of hours to paint. All chosen days have the same hours, as the command keeps them. */
import { useRef } from 'preact/hooks';
import type { Json } from '../api.js';
import { Field, type InputProps } from '../inputs.js';
import { Button } from '../parts.js';
import { texts } from '../texts.js';
import { recordOf, weekdayName } from '../values.js';

/** Monday is 1. */
const allDays = [1, 2, 3, 4, 5, 6, 7];
const allHours = Array.from({ length: 24 }, (_, hour) => hour);
const dayName = (day: number): string => weekdayName(day, 'short');
const twoDigits = (hour: number): string => String(hour).padStart(2, '0');

type Cell = readonly [day: number, hour: number];

/** The value is JSON; empty: always. */
export function WeekHours({ value, zone, change, ...field }: InputProps<string> & { readonly zone: string }) {
  const stored = recordOf(value === '' ? null : JSON.parse(value));
  const [days, hours] = [listOf(stored['days'], allDays), listOf(stored['hours'], allHours)];
  /** Null while nothing is painted. */
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
  const toggle = (text: string, isOn: boolean, act: () => void) => (
    <Button label={text} aria-pressed={isOn} act={act} />
  );
  return (
    <Field {...field} label={texts.banners.hours} help={texts.banners.hoursHelp(zone)}>
      <table class="week">
        <thead>
          <tr>
            <td />
            {allDays.map((day) => (
              <th scope="col">
                {toggle(dayName(day), days.includes(day), () => choose(toggled(days, day, allDays), hours))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {allHours.map((hour) => (
            <tr>
              <th scope="row">
                {toggle(`${twoDigits(hour)}:00`, hours.includes(hour), () =>
                  choose(days, toggled(hours, hour, allHours)),
                )}
              </th>
              {allDays.map((day) => (
                <td
                  class={days.includes(day) && hours.includes(hour) ? 'hour on' : 'hour'}
                  title={`${dayName(day)} ${twoDigits(hour)}:00`}
                  onPointerDown={(event) => begin(event, [day, hour])}
                  onPointerEnter={() => start.current && paint([day, hour])}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="bar" role="status">
        {value === '' ? texts.banners.always : `${daysText(days)}: ${spansText(hours)}`}
        <Button label={texts.banners.always} kind="small" disabled={value === ''} act={() => change('')} />
      </p>
    </Field>
  );
}

/** An empty list stands for all. */
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

function daysText(days: readonly number[]): string {
  return days.length === 7 ? texts.banners.everyDay : days.map(dayName).join(', ');
}

/** `09:00–17:59, 20:00–20:59`. */
function spansText(hours: readonly number[]): string {
  const first = hours.filter((hour) => !hours.includes(hour - 1));
  const last = hours.filter((hour) => !hours.includes(hour + 1));
  return first.map((hour, index) => `${twoDigits(hour)}:00–${twoDigits(last[index] ?? hour)}:59`).join(', ');
}
