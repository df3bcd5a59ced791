/** Times of banners by the clocks of their zone. */
import { type InputProps, TextInput } from '../inputs.js';
import { useRun } from '../use-run.js';
import { recordOf, textOf } from '../values.js';

/** In which banners run; empty while it is read. */
export function useZone(): string {
  const { result } = useRun('setting get', { arguments: ['banners_timezone'] });
  return textOf(recordOf(result?.data)['value']);
}

export function ZoneTime({ zone, value, change, ...field }: InputProps<string> & { readonly zone: string }) {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      value={localText(value, zone)}
      change={(local) => change(timeOf(local, zone))}
    />
  );
}

/** `2026-11-28T09:30` of a time with an offset; empty for none. */
function localText(time: string, zone: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? '' : new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 16);
}

/** With an offset; empty for none. */
function timeOf(local: string, zone: string): string {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return '';
  const near = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(near, zone)).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Milliseconds that the clocks are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(ms);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '00';
  const shown = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`;
  return Date.parse(shown) - Math.floor(ms / 1000) * 1000;
}
