/** A time of the site in the words and the zone of the reader. */
import type { Json } from './api.js';
import { language } from './texts.js';

const place = navigator.languages.find((one) => one.startsWith(language)) ?? language;
const format = new Intl.DateTimeFormat(place, { dateStyle: 'medium', timeStyle: 'medium' });

/** Of a time as ISO 8601; nothing for null. */
export function Moment({ at }: { readonly at: Json | undefined }) {
  if (typeof at !== 'string') return null;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? (
    <span>{at}</span>
  ) : (
    <time dateTime={at} title={at}>
      {format.format(time)}
    </time>
  );
}
