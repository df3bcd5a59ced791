/** The part of a text around the searched words, as HTML with marks. */
import { escapeHtml } from '../../values/text.js';
import { beginningOf, plainText, type SearchTerms, wordsOf, writtenWord } from './search-words.js';

const length = 200;
const before = 60;
const mostLetters = 200_000;

export function excerptOf(texts: readonly string[], terms: SearchTerms): string {
  let beginning = '';
  for (const stored of texts) {
    const text = plainText(stored.slice(0, mostLetters));
    if (beginning === '') beginning = text;
    const places = placesOf(text, terms);
    const [first] = places;
    if (first !== undefined) return marked(text, places, first.start);
  }
  return marked(beginning, [], 0);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placesOf(text: string, terms: SearchTerms): Place[] {
  const whole = new Set(terms.words);
  const beginning = beginningOf(terms);
  const isFound = (one: string) => whole.has(one) || (beginning !== null && one.startsWith(beginning));
  const places: Place[] = [];
  for (const { 0: found, index: start } of text.matchAll(writtenWord)) {
    if (start > (places[0]?.start ?? start) + length) break;
    if (!wordsOf(found).some(isFound)) continue;
    const end = start + found.length;
    const last = places.at(-1);
    // Signs of scripts without spaces follow each other.
    if (last?.end === start) places[places.length - 1] = { start: last.start, end };
    else places.push({ start, end });
  }
  return places;
}

function marked(text: string, places: readonly Place[], first: number): string {
  const start = startOf(text, first);
  const end = endOf(text, start);
  let html = start > 0 ? '… ' : '';
  let at = start;
  for (const place of places) {
    const to = Math.min(place.end, end);
    if (to <= place.start) break;
    html += `${escapeHtml(text.slice(at, place.start))}<mark>${escapeHtml(text.slice(place.start, to))}</mark>`;
    at = to;
  }
  html += escapeHtml(text.slice(at, end));
  return end < text.length ? `${html} …` : html;
}

/** Does not start inside a word if the text has spaces. */
function startOf(text: string, first: number): number {
  const from = first - before;
  if (from <= 0) return 0;
  const space = text.indexOf(' ', from);
  return space !== -1 && space < first ? space + 1 : wholeLetter(text, from);
}

function endOf(text: string, start: number): number {
  const most = start + length;
  if (text.length <= most) return text.length;
  const space = text.lastIndexOf(' ', most);
  return space > start + before ? space : wholeLetter(text, most);
}

/** Does not end inside a surrogate pair. */
function wholeLetter(text: string, at: number): number {
  return /^[\u{10000}-\u{10ffff}]/u.test(text.slice(at - 1, at + 1)) ? at - 1 : at;
}
