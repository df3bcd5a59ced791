/**
 * Where in the HTML of a template values are written. Escaping makes a value harmless in text and in quoted attributes
 * alone: elsewhere the template is refused when it is read, before any data can show the mistake.
 */
import { invalidField } from '../errors/app-error.js';

/** A piece of a template in its order. */
export interface TemplatePiece {
  readonly kind: 'html' | 'output' | 'assign' | 'begin' | 'else' | 'end';
  /** HTML as it stands; the inside of an output; what follows `assign`; what a block begins with, such as `for`. */
  readonly text: string;
}

/** Filters that give an address which may be opened or loaded. */
const addressFilters = ['image', 'src', 'tel', 'url'];
const addressAttributes = [
  'action',
  'background',
  'cite',
  'data',
  'formaction',
  'href',
  'ping',
  'poster',
  'src',
  'xlink:href',
];
const codeAttributes = ['srcdoc', 'style'];
/** Attributes that decide what runs on the page or where all of it leads: no value of an editor may do that. */
const powers: Readonly<Record<string, readonly string[]>> = {
  animate: ['by', 'from', 'to', 'values'],
  base: ['href'],
  embed: ['src'],
  link: ['href'],
  meta: ['content'],
  object: ['data'],
  script: ['href', 'src', 'xlink:href'],
  set: ['to'],
};
/** Elements whose content browsers do not read as text. */
const codeElements = ['iframe', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style', 'xmp'];

type Place =
  | { readonly at: 'text' | 'comment' | 'opening' | 'closing' }
  | { readonly at: 'code'; readonly element: string }
  | { readonly at: 'tag'; readonly element: string }
  | {
      readonly at: 'value';
      readonly element: string;
      readonly attribute: string;
      /** Empty for a value without quotes. */
      readonly quote: string;
      /** What the value has so far, with `unknown` for outputs and blocks. */
      readonly before: string;
    };

/** Stands for text that depends on data, and that may be empty. */
const unknown = '\0';

/** The beginning of a loop, with the variable that it gives a value of its own. */
const loopForm = /^for\s+([\w-]+)/;

/** The place at the beginning of a block, and whether any of its branches has written a colon. */
interface Block {
  readonly place: Place;
  hasColon: boolean;
}

/**
 * Throws validation_failed for `template` at the first value that stands where escaping does not help, and when the
 * template ends at such a place.
 */
export function checkPlaces(pieces: readonly TemplatePiece[]): void {
  const addresses = addressNames(pieces);
  const blocks: Block[] = [];
  let place: Place = { at: 'text' };
  for (const { kind, text } of pieces) {
    if (kind === 'html') place = advance(place, text);
    if (kind === 'begin') {
      blocks.push({ place, hasColon: false });
      // The second round of a loop stands after the first, whatever that has written.
      if (loopForm.test(text) && place.at === 'value') place = { ...place, before: `${place.before}${unknown}:` };
    }
    if (kind === 'else') place = leaveBranch(place, blocks.at(-1))?.place ?? place;
    if (kind === 'end') place = leaveBlock(place, blocks.pop());
    if (kind !== 'output') continue;
    const problem = problemOf(place, { text, addresses });
    if (problem) throw invalidField('template', `must not write {{ ${text.trim().slice(0, 60)} }} ${problem}`);
    if (place.at === 'value') place = { ...place, before: `${place.before}${unknown}` };
  }
  // What follows on a page are other sections, written for a place between tags.
  if (place.at !== 'text') throw invalidField('template', `must not end ${nameOf(place)}`);
}

function nameOf(place: Exclude<Place, { readonly at: 'text' }>): string {
  if (place.at === 'comment') return 'in a comment';
  return place.at === 'code' ? `in the element ${place.element}` : 'in a tag';
}

/** The block when both its ends are in one value of an attribute; then every branch begins where the block began. */
function leaveBranch(place: Place, block: Block | undefined): Block | null {
  if (place.at !== 'value' || block?.place.at !== 'value' || place.attribute !== block.place.attribute) return null;
  block.hasColon ||= place.before.slice(block.place.before.length).includes(':');
  return block;
}

/** A branch may be left out, so nothing in it decides what an address is. */
function leaveBlock(place: Place, block: Block | undefined): Place {
  const left = leaveBranch(place, block);
  if (left?.place.at !== 'value') return place;
  return { ...left.place, before: `${left.place.before}${unknown}${left.hasColon ? ':' : ''}` };
}

/** Variables that hold an address wherever they get a value. */
function addressNames(pieces: readonly TemplatePiece[]): ReadonlySet<string> {
  const assigned = pieces.flatMap(({ kind, text }) => {
    const [, name, value] = kind === 'assign' ? (/^\s*([\w-]+)\s*=(.*)$/s.exec(text) ?? []) : [];
    return name === undefined ? [] : [{ name, isAddress: addressFilters.includes(lastFilter(value ?? '')) }];
  });
  const loops = pieces.flatMap(({ kind, text }) => (kind === 'begin' ? (loopForm.exec(text)?.[1] ?? []) : []));
  const others = new Set([...assigned.filter(({ isAddress }) => !isAddress).map(({ name }) => name), ...loops]);
  return new Set(assigned.map(({ name }) => name).filter((name) => !others.has(name)));
}

/** Name of the last filter; empty when there is none. */
function lastFilter(text: string): string {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '');
  return /\|\s*([\w-]+)[^|]*$/.exec(bare)?.[1] ?? '';
}

function problemOf(
  place: Place,
  { text, addresses }: { readonly text: string; readonly addresses: ReadonlySet<string> },
): string | null {
  if (place.at === 'text') return null;
  if (place.at === 'comment') return 'in a comment';
  if (place.at === 'code') return `in the element ${place.element}`;
  if (place.at !== 'value') return 'in a tag outside the quotes of an attribute';
  const { element, attribute, quote, before } = place;
  if (quote === '') return `in ${attribute} without quotes`;
  if (lastFilter(text) === 'rich') return `in ${attribute}: rich text belongs between tags`;
  if (attribute.startsWith('on') || codeAttributes.includes(attribute)) return `in ${attribute}`;
  if (powers[element]?.includes(attribute)) return `in ${attribute} of the element ${element}`;
  if (!addressAttributes.includes(attribute) || isDecided(before)) return null;
  const isAddress = addressFilters.includes(lastFilter(text)) || addresses.has(text.trim());
  const literal = before.replaceAll(unknown, '').trim();
  if (literal === '') return isAddress ? null : `in ${attribute} without the filter url or src`;
  return `in ${attribute} after ${before.slice(0, 40).replaceAll(unknown, '…')}`;
}

/** Whether what follows cannot be the scheme of an address any more, nor make what stands there one that runs code. */
function isDecided(before: string): boolean {
  const [start = ''] = before.split(unknown, 1);
  if (start.trim() !== '') return /[/?#:]/.test(start) && !/^\s*(javascript|vbscript|data)\s*:/i.test(start);
  return /^[^:]*[/?#]/.test(before);
}

/** Where one is after some HTML. */
function advance(from: Place, html: string): Place {
  let place = from;
  let at = 0;
  while (at < html.length) {
    const [next, length] = step(place, html.slice(at, at + longestStep));
    place = next;
    at += length;
  }
  return place;
}

/** Longer than any name; a text or a value may take several steps. */
const longestStep = 2000;

/** The next place, and how many characters lead to it: at least one. */
function step(place: Place, rest: string): [Place, number] {
  switch (place.at) {
    case 'text':
      return stepInText(place, rest);
    case 'comment':
      return until(rest, '-->', { found: { at: 'text' }, else: place });
    case 'code':
      return until(rest.toLowerCase(), `</${place.element}`, { found: { at: 'closing' }, else: place });
    case 'opening':
    case 'closing':
      return stepInName(place, rest);
    case 'tag':
      return stepInTag(place, rest);
    case 'value':
      return stepInValue(place, rest);
    default:
      return place satisfies never;
  }
}

function stepInText(place: Place, rest: string): [Place, number] {
  const start = rest.indexOf('<');
  if (start < 0) return [place, rest.length];
  if (start > 0) return [place, start];
  if (rest.startsWith('<!--')) return [{ at: 'comment' }, 4];
  if (rest.startsWith('</')) return [{ at: 'closing' }, 2];
  // At the end of a piece a value may follow: then it would be the name of the element.
  return /^<([a-z]|$)/i.test(rest) ? [{ at: 'opening' }, 1] : [place, 1];
}

function stepInName(place: Place, rest: string): [Place, number] {
  const name = /^[a-z][^\s/>]*/i.exec(rest)?.[0] ?? '';
  const element = place.at === 'closing' ? '' : name.toLowerCase();
  return name === '' && rest.startsWith('>') ? [{ at: 'text' }, 1] : [{ at: 'tag', element }, Math.max(1, name.length)];
}

function stepInTag(place: Place & { readonly at: 'tag' }, rest: string): [Place, number] {
  const { element } = place;
  if (rest.startsWith('>')) return [codeElements.includes(element) ? { at: 'code', element } : { at: 'text' }, 1];
  const [whole, attribute, quote] = /^([^\s/>=]+)\s*=\s*(["']?)/.exec(rest) ?? [];
  if (whole === undefined || attribute === undefined) return [place, /^[^\s/>=]+/.exec(rest)?.[0].length ?? 1];
  return [{ at: 'value', element, attribute: attribute.toLowerCase(), quote: quote ?? '', before: '' }, whole.length];
}

function stepInValue(place: Place & { readonly at: 'value' }, rest: string): [Place, number] {
  const { element, quote, before } = place;
  const end = quote === '' ? rest.search(/[\s>]/) : rest.indexOf(quote);
  if (end < 0) return [{ ...place, before: before + rest }, rest.length];
  const tag: Place = { at: 'tag', element };
  return quote === '' ? (end === 0 ? [tag, 0] : [tag, end]) : [tag, end + 1];
}

function until(rest: string, mark: string, to: { readonly found: Place; readonly else: Place }): [Place, number] {
  const at = rest.indexOf(mark);
  if (at >= 0) return [to.found, at + mark.length];
  // The mark may lie across the end of what is looked at.
  return [to.else, Math.max(1, rest.length - mark.length)];
}
