/** Refuses templates that write values where escaping does not help: outside text and quoted attributes. */
import { invalidField } from '../../errors/app-error.js';
import { addressAttributes, advance, type Place, startPlace, unknown } from './template-html.js';

export interface TemplatePiece {
  readonly kind: 'html' | 'output' | 'assign' | 'begin' | 'else' | 'jump' | 'end';
  /** HTML, the inside of an output, the name that `assign` sets, or the inside of another tag. */
  readonly text: string;
  readonly filter?: string;
}

/** Their results are addresses that may be opened or loaded. */
const addressFilters = ['image', 'src', 'tel', 'url'];
const addressLists = ['imagesrcset', 'srcset'];
const codeAttributes = ['srcdoc', 'style'];
/** Schemes of addresses whose rest is code or another document. */
const codeSchemes = ['about', 'blob', 'data', 'filesystem', 'javascript', 'vbscript'];
/** Attributes that decide what runs on the page or where all of it leads: no value of an editor may do that. */
const powers: Readonly<Record<string, readonly string[]>> = {
  animate: ['attributename', 'by', 'from', 'to', 'values'],
  base: ['href'],
  embed: ['src'],
  link: ['href', 'imagesrcset', 'rel', 'type'],
  meta: ['charset', 'content', 'http-equiv', 'name'],
  object: ['data'],
  script: ['href', 'src', 'type', 'xlink:href'],
  set: ['attributename', 'to'],
  use: ['href', 'xlink:href'],
};
const loopForm = /^for\s+([\w-]+)/;

interface Block {
  readonly text: string;
  /** Branches begin there as well. */
  readonly start: Place;
  end: Place | null;
  /** The branch under way is the last one, for all other cases. */
  isElse: boolean;
  /** A branch has written what may end a scheme: a colon, or a reference that may be one. */
  hasColon: boolean;
}

/** Throws validation_failed for `template` at the first unsafe value, and where the place is not certain. */
export function checkPlaces(pieces: readonly TemplatePiece[]): void {
  const addresses = addressNames(pieces);
  const blocks: Block[] = [];
  let place = startPlace;
  for (const piece of pieces) place = after(piece, { place, blocks, addresses });
  // What follows on a page are other sections, written for a place between tags.
  if (!isSame(place, startPlace)) throw invalidField('template', `must not end ${nameOf(place)}`);
}

interface Reading {
  readonly place: Place;
  readonly blocks: Block[];
  readonly addresses: ReadonlySet<string>;
}

function after(piece: TemplatePiece, { place, blocks, addresses }: Reading): Place {
  const { kind, text } = piece;
  if (kind === 'html') return advance(place, text);
  if (kind === 'output') {
    const problem = problemOf(place, { piece, addresses });
    if (problem) throw invalidField('template', `must not write {{ ${text.trim().slice(0, 60)} }} ${problem}`);
    return place.at === 'value' ? { ...place, before: `${place.before}${unknown}` } : place;
  }
  const isInside = place.at === 'cut' || (place.at === 'value' && place.quote === '');
  if (isInside)
    throw invalidField('template', `must not have {% ${text.slice(0, 60)} %} inside a name or mark of HTML`);
  if (kind === 'assign') return place;
  if (kind === 'begin') {
    blocks.push({ text, start: place, end: null, isElse: false, hasColon: false });
    // The second round of a loop follows the output of the first.
    return loopForm.test(text) && place.at === 'value' ? { ...place, before: `${place.before}${unknown}:` } : place;
  }
  if (kind === 'jump') {
    checkJump(place, { text, blocks });
    return place;
  }
  const block = blocks.at(-1);
  // The parser of the library reports unbalanced tags.
  if (block === undefined) return place;
  endBranch(place, block);
  if (kind === 'else') return beginBranch(text, block);
  blocks.pop();
  return endBlock(place, block);
}

function endBranch(place: Place, block: Block): void {
  block.hasColon ||= place.at === 'value' && /[:&]/.test(place.before.slice(lengthBefore(block, place)));
  block.end ??= place;
  if (!isSame(place, block.end)) throw differentEnds(block);
  // Where branches differ in the blank after an attribute, the next attribute needs one.
  if (place.at === 'tag' && !place.gap) block.end = place;
}

/** How much of the value at the end of the block was there before it. */
function lengthBefore({ start }: Block, place: Place): number {
  return start.at === 'value' && isSame(start, place) ? start.before.length : 0;
}

function beginBranch(text: string, block: Block): Place {
  if (block.isElse) throw invalidField('template', `must not have {% ${text} %} after {% else %}`);
  block.isElse = text === 'else';
  const { start } = block;
  // Several branches of a case may be written one after the other.
  const follows = start.at === 'value' && block.text.startsWith('case') && !block.isElse;
  return follows ? { ...start, before: `${start.before}${unknown}${block.hasColon ? ':' : ''}` } : start;
}

function endBlock(place: Place, block: Block): Place {
  const { start, end, hasColon } = block;
  const mayBeLeftOut = !block.isElse || !/^(if|unless)/.test(block.text);
  if (mayBeLeftOut && !isSame(place, start)) throw differentEnds(block);
  if (place.at === 'value') {
    // A branch may be left out, so nothing in it decides what an address is.
    const before = place.before.slice(0, lengthBefore(block, place));
    return { ...place, before: `${before}${unknown}${hasColon ? ':' : ''}` };
  }
  if (place.at !== 'tag') return place;
  const gaps = [end, mayBeLeftOut ? start : end].map((one) => one?.at === 'tag' && one.gap);
  return { ...place, gap: gaps.every((gap) => gap) };
}

/** `break` and `continue` go to the end of a loop, or outside of loops to the end of the template. */
function checkJump(place: Place, { text, blocks }: { readonly text: string; readonly blocks: readonly Block[] }): void {
  const inner = [...blocks].reverse();
  const loop = inner.findIndex((block) => loopForm.test(block.text) && !block.isElse);
  const left = loop < 0 ? inner : inner.slice(0, loop + 1);
  for (const block of left) block.hasColon = true;
  const starts = [...left.map(({ start }) => start), ...(loop < 0 ? [startPlace] : [])];
  if (starts.every((start) => isSame(start, place))) return;
  throw invalidField(
    'template',
    `must not have {% ${text} %} in another place of the HTML than where its blocks begin`,
  );
}

function differentEnds({ text }: Block): Error {
  return invalidField('template', `must not have branches of {% ${text.slice(0, 60)} %} that end in different places`);
}

/** Whether what follows is read alike at both places; of a value, what it has so far may differ. */
function isSame(one: Place, other: Place): boolean {
  const bare = (place: Place) => JSON.stringify({ ...place, before: '', gap: true }, placeMembers);
  return one === other || bare(one) === bare(other);
}

const placeMembers = ['at', 'attribute', 'element', 'inside', 'quote'];

function nameOf(place: Place): string {
  if (place.at === 'comment') return 'in a comment';
  if (place.at === 'code' || place.at === 'plain') return `in the element ${place.element}`;
  return place.at === 'text' ? `in the element ${place.inside.at(-1)}` : 'in a tag';
}

function addressNames(pieces: readonly TemplatePiece[]): ReadonlySet<string> {
  const assigned = pieces
    .filter(({ kind }) => kind === 'assign')
    .map(({ text, filter }) => ({ name: text, isAddress: addressFilters.includes(filter ?? '') }));
  const loops = pieces.flatMap(({ kind, text }) => (kind === 'begin' ? (loopForm.exec(text)?.[1] ?? []) : []));
  const others = new Set([...assigned.filter(({ isAddress }) => !isAddress).map(({ name }) => name), ...loops]);
  return new Set(assigned.map(({ name }) => name).filter((name) => !others.has(name)));
}

function problemOf(
  place: Place,
  { piece, addresses }: { readonly piece: TemplatePiece; readonly addresses: ReadonlySet<string> },
): string | null {
  const { text, filter = '' } = piece;
  if (filter === 'rich' && (place.at === 'plain' || (place.at === 'text' && place.inside.length > 0))) {
    return `${nameOf(place)}: rich text belongs between tags of HTML`;
  }
  if (place.at === 'text' || place.at === 'plain') return null;
  if (place.at === 'comment' || place.at === 'code') return nameOf(place);
  if (place.at !== 'value') return 'in a tag outside the quotes of an attribute';
  const { element, attribute, quote } = place;
  if (quote === '') return `in ${attribute} without quotes`;
  if (filter === 'rich') return `in ${attribute}: rich text belongs between tags`;
  if (attribute.startsWith('on') || codeAttributes.includes(attribute)) return `in ${attribute}`;
  if (powers[element]?.includes(attribute)) return `in ${attribute} of the element ${element}`;
  const isList = addressLists.includes(attribute);
  const before = isList ? place.before.slice(place.before.lastIndexOf(',') + 1) : place.before;
  if (!(isList || addressAttributes.includes(attribute)) || isDecided(before)) return null;
  // In a list, the width or density of a picture follows its address after a blank.
  if (isList && /[^\t\n\f\r ][\t\n\f\r ]/.test(before)) return null;
  const isAddress = addressFilters.includes(filter) || addresses.has(text.trim());
  const literal = before.replaceAll(unknown, '').trim();
  if (literal === '') return isAddress ? null : `in ${attribute} without the filter url or src`;
  return `in ${attribute} after ${before.slice(0, 40).replaceAll(unknown, '…')}`;
}

/** What follows is neither part of a scheme nor code. References such as `&#58;` may be a colon and decide nothing. */
function isDecided(before: string): boolean {
  const [start = ''] = before.split(unknown, 1);
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(start)?.[1];
  if (scheme !== undefined) return !codeSchemes.includes(scheme.toLowerCase());
  return /^[^:&]*[/?#]/.test(start.trim() === '' ? before : start);
}
