/** The part of a text around the words that were searched, as HTML with marks. */
import { escapeHtml } from '../../values/escape-html.js';
import { plainText, type SearchTerms, wordsOf } from './search-words.js';

/** Letters of an excerpt, and those before the first word that was found. */
const length = 200;
const before = 60;
/** More of a long text is not looked at. */
const mostLetters = 200_000;

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
