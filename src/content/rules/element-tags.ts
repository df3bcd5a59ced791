/** Finds the CMS's tags in texts, and reads them. Every function reads a text a fixed number of times. */

export function firstTag(text: string): number {
  return text.indexOf('[[');
}

export interface OpenTag {
  /** The first sign, behind `!`. */
  readonly sign: string;
  readonly isInLink: boolean;
  readonly levels: number;
  /** Tags that stayed are in it as they were. */
  readonly inner: () => string;
}

interface Frame {
  readonly mark: number;
  readonly sign: string;
  readonly isInLink: boolean;
  levels: number;
  /** A value has the sign that ends values. */
  isUnreadable: boolean;
}

/** Calls `show` for each pair of brackets, inner ones first; null keeps the tag. Unpaired brackets stay. */
export function replaceTags(text: string, show: (tag: OpenTag) => string | null): string {
  // What stays is never joined before the end, however deep it is.
  const pieces: string[] = [];
  let copied = 0;
  const open: Frame[] = [];
  let opening = nextOpening(text, 0);
  for (let closing = opening === -1 ? -1 : text.indexOf(']]', opening); closing !== -1; ) {
    if (opening !== -1 && opening < closing) {
      pieces.push(text.slice(copied, opening));
      copied = opening;
      const outer = open.at(-1);
      const isInLink = outer !== undefined && (outer.isInLink || outer.sign === '~');
      open.push({ mark: pieces.length, sign: signAt(text, opening + 2), isInLink, levels: 0, isUnreadable: false });
      opening = nextOpening(text, opening + 2);
      continue;
    }
    const tag = open.pop();
    if (tag !== undefined) {
      const { mark, sign, isInLink, levels, isUnreadable } = tag;
      const rest = text.slice(copied, closing);
      const inner = () => (pieces.slice(mark).join('') + rest).slice(2);
      const value = isUnreadable ? null : show({ sign, isInLink, levels, inner });
      const outer = open.at(-1);
      if (outer !== undefined) {
        outer.levels = Math.max(outer.levels, levels + 1);
        outer.isUnreadable ||= isUnreadable || (value?.includes('`') ?? false);
      }
      if (value !== null) {
        pieces.length = mark;
        pieces.push(value);
        copied = closing + 2;
      }
    }
    closing = text.indexOf(']]', closing + 2);
  }
  pieces.push(text.slice(copied));
  return pieces.length === 1 ? text : pieces.join('');
}

function nextOpening(text: string, from: number): number {
  const at = text.indexOf('[[', from);
  if (at === -1 || text[at - 1] === '[') return at;
  let end = at + 2;
  while (text[end] === '[') end += 1;
  return at + ((end - at) % 2);
}

const signForm = /\s*!?(\S)/y;

function signAt(text: string, at: number): string {
  signForm.lastIndex = at;
  return signForm.exec(text)?.[1] ?? ' ';
}

export function stripTags(text: string): string {
  return replaceTags(text, () => '');
}

export interface TagFilter {
  readonly name: string;
  readonly value: string;
}

export interface Tag {
  readonly kind: string;
  readonly name: string;
  readonly filters: readonly TagFilter[];
  readonly parameters: ReadonlyMap<string, string>;
}

const head = /!?(\+\+|[*+~$])#?([^?:`[\]]{0,200})/y;
const filterForm = /:\s{0,20}([\w!]{1,30})\s{0,20}(?:=`([^`]*)`)?\s*/y;
/** "&name=`value`", also with `&amp;`, without quotes, and as `name[]`. */
const separators = /[\s&]*(?:amp;)?/y;
const parameterForm = /([\w.[\]-]{1,100})\s{0,20}=\s{0,20}(?:`([^`]*)`|([^&`]*))/y;
const mostFilters = 20;
const noParameters: Tag['parameters'] = new Map();

/** Null for what is not a field, placeholder, setting, link or chunk, or has signs that the CMS reads otherwise. */
export function readTag(inner: string): Tag | null {
  const text = inner.trim();
  head.lastIndex = 0;
  const [, kind, name = ''] = head.exec(text) ?? [];
  if (kind === undefined) return null;
  let at = head.lastIndex;
  const filters: TagFilter[] = [];
  while (text[at] === ':') {
    filterForm.lastIndex = at;
    const found = filterForm.exec(text);
    if (found === null || filters.length === mostFilters) return null;
    filters.push({ name: found[1] ?? '', value: found[2] ?? '' });
    at = filterForm.lastIndex;
  }
  if (at < text.length && text[at] !== '?') return null;
  const parameters = at < text.length ? readParameters(text, at + 1) : noParameters;
  return { kind, name: name.trim(), filters, parameters };
}

function readParameters(text: string, from: number): Tag['parameters'] {
  const found = new Map<string, string>();
  for (let at = from; at !== -1 && at < text.length; ) {
    separators.lastIndex = at;
    separators.exec(text);
    parameterForm.lastIndex = separators.lastIndex;
    const pair = parameterForm.exec(text);
    if (pair !== null) found.set(pair[1] ?? '', pair[2] ?? pair[3]?.trim() ?? '');
    at = pair === null ? text.indexOf('&', separators.lastIndex) : parameterForm.lastIndex;
  }
  return found;
}
