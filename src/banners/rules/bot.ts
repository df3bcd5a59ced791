/** Which callers are programs by their own words: the only file that knows the list of their names. */
import { isbot } from 'isbot';

/** Longer texts no browser sends; the rest of one says nothing. */
const longest = 512;

/** Comparing with the whole list takes longer than all else that a click does, and visitors use few browsers. */
const known = new Map<string, boolean>();
const mostKnown = 1000;

/** True for known crawlers and tools, and for who names nothing at all. */
export function isBot(userAgent: string | undefined): boolean {
  const text = userAgent?.trim() ?? '';
  if (text === '') return true;
  if (text.length > longest) return isbot(text.slice(0, longest));
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const found = isbot(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, found);
  return found;
}
