/** Which callers are programs by their own words: the only file that knows the list of their names. */
import { isbot } from 'isbot';

/** Longer texts no browser sends; the rest of one says nothing. */
const longest = 512;

/** True for known crawlers and tools, and for who names nothing at all. */
export function isBot(userAgent: string | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  return text === '' || isbot(text.slice(0, longest));
}
