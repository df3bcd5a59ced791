/** Names of time zones as settings take them: those of the IANA database that this runtime knows. */
import { accept } from '../values/checked.js';
import { refusal, type ValueType } from './value-type.js';

const accepts = 'the IANA name of a time zone such as UTC or Europe/Berlin';

/** Fixed offsets such as +02:00 are no zone: they know no summer time, and each database writes them otherwise. */
export const timeZoneValue: ValueType<string> = {
  kind: 'text',
  accepts,
  parse: (text) => (isTimeZone(text) ? accept(text) : refusal(accepts, text)),
  format: (zone) => zone,
};

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    // The constructor is the only question that the runtime answers about one name.
    return false;
  }
}
