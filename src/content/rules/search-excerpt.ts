/** The part of a text around the words that were searched, as HTML with marks. */
import { escapeHtml } from '../../values/escape-html.js';
import { decodeEntities } from './html-entities.js';
import { type SearchTerms, wordsOf } from './search-words.js';
import { stripElementTags, stripHtmlTags } from './strip-tags.js';

/** Letters of an excerpt, and those before the first word that was found. */
const length = 200;
const before = 60;
/** More of a long text is not looked at. */
const mostLetters = 200_000;

/** A text as its readers see it: without markup, scripts and tags of the content system, with single spaces. */
export function plainText(stored: string): string {
  if (!/[<&[]/.test(stored)) return stored.replace(/\s+/g, ' ').trim();
  // A tag ends a word: `<li>one</li><li>two</li>`.
  const apart = withoutElement(withoutElement(stored, 'script'), 'style').replaceAll('<', ' <');
  return stripElementTags(decodeEntities(stripHtmlTags(apart)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Without the elements of the name and what is in them; one that does not end takes the rest. Looks at each letter once. */
function withoutElement(html: string, name: string): string {
  const opening = new RegExp(`<${name}`, 'gi');
  const closing = new RegExp(`</${name}[^>]{0,100}>?`, 'gi');
  let kept = '';
  let at = 0;
  for (let start = opening.exec(html); start !== null; start = opening.exec(html)) {
    kept += `${html.slice(at, start.index)} `;
    closing.lastIndex = start.index;
    if (closing.exec(html) === null) return kept;
    at = closing.lastIndex;
    opening.lastIndex = at;
  }
  return kept + html.slice(at);
}

/** From the first of the texts that has one of the words, else from the beginning of the first one that is not empty. */
export function excerptOf(texts: readonly string[], terms: SearchTerms): string {
  const plain = texts.map((text) => plainText(text.slice(0, mostLetters))).filter((text) => text !== '');
  for (const text of plain) {
    const places = placesOf(text, terms);
    const [first] = places;
    if (first !== undefined) return marked(text, places, Math.max(0, first.start - before));
  }
  return marked(plain[0] ?? '', [], 0);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placesOf(text: string, { words }: SearchTerms): Place[] {
  const whole = new Set(words);
  const beginning = words.at(-1) ?? '';
  const places: Place[] = [];
  for (const { 0: found, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const isFound = wordsOf(found).some((one) => whole.has(one) || one.startsWith(beginning));
    if (isFound) places.push({ start: index, end: index + found.length });
  }
  return places;
}

function marked(text: string, places: readonly Place[], from: number): string {
  // Not from the middle of a word, and not to it.
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from;
  const cut = text.length - start <= length ? text.length : text.lastIndexOf(' ', start + length);
  const end = cut > start ? cut : start + length;
  let html = start > 0 ? '… ' : '';
  let at = start;
  for (const place of places) {
    if (place.start < at || place.end > end) continue;
    html += `${escapeHtml(text.slice(at, place.start))}<mark>${escapeHtml(text.slice(place.start, place.end))}</mark>`;
    at = place.end;
  }
  html += escapeHtml(text.slice(at, end));
  return end < text.length ? `${html} …` : html;
}
