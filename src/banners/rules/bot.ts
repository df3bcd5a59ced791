/** Recognises crawlers and tools by their User-Agent. */
import { isbot } from 'isbot';

/** Browsers do not send longer texts, so the rest is ignored. */
const longest = 512;

/** A comparison with the whole list takes longer than the rest of a click, and visitors use few browsers. */
const known = new Map<string, boolean>();
const mostKnown = 1000;

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
