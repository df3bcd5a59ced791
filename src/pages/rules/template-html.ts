/** Finds where a template writes values. Accepts only HTML that every browser reads alike. */
import { invalidField } from '../../errors/app-error.js';
import { wordList } from '../../values/text.js';
import { readAttribute } from './html-fragment.js';

/** `inside` names the open elements of SVG and MathML, or the open `select`, outermost first. */
export type Place = { readonly inside: readonly string[] } & (
  | { readonly at: 'text' | 'comment' }
  /** Between two characters of a name or a mark: the text that follows would change what it is. */
  | { readonly at: 'cut' }
  | { readonly at: 'code'; readonly element: string }
  /** In an element whose content is text alone: markup in it is not read. */
  | { readonly at: 'plain'; readonly element: string }
  /** `gap` is whether the next attribute may begin here. */
  | { readonly at: 'tag'; readonly element: string; readonly gap: boolean }
  | {
      readonly at: 'value';
      readonly element: string;
      readonly attribute: string;
      readonly quote: string;
      /** The value so far, with `unknown` for outputs and blocks. */
      readonly before: string;
    }
);

/** Marks text that depends on data, and that may be empty. */
export const unknown = '\0';

export const startPlace: Place = Object.freeze({ at: 'text', inside: [] });

export const addressAttributes = wordList('action background cite data formaction href ping poster src xlink:href');

const codeElements = ['iframe', 'script', 'style'];
const plainElements = ['textarea', 'title'];
/** Their content depends on whether the browser runs scripts, never ends, or is left out of pages. */
const refusedElements = ['frameset', 'noembed', 'noframes', 'noscript', 'plaintext', 'xmp'];

const foreignElements = ['math', 'svg'];
/** HTML would begin again in these: they may hold text alone. */
const foreignPlain = ['desc', 'mi', 'mn', 'mo', 'ms', 'mtext', 'title'];
/** Inside SVG and MathML these end it, begin HTML in it, or have another content than in HTML. */
const refusedInForeign = [
  ...refusedElements,
  ...wordList(`
    annotation-xml foreignobject iframe select template textarea
    b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strike strong sub sup table tt u ul var
  `),
];
const inSelect = ['hr', 'optgroup', 'option'];

const blanks = /[\t\n\f\r ]+/y;
const startTag = /<([a-z][\w:.-]*)(?=[\t\n\f\r />]|$)/iy;
const endTag = /<\/([a-z][\w:.-]*)[\t\n\f\r ]*>/iy;
const attributeStart = /([^\t\n\f\r />="'<]+)(?:([\t\n\f\r ]*=[\t\n\f\r ]*)(["']?))?/y;
const bareValue = /[^\t\n\f\r >"'=<`]+(?=[\t\n\f\r >])/y;
const mark = /<(?=[a-z/!?]|$)/gi;
const halfMark = /<(?:[a-z/!][^\t\n\f\r <>]*)?$/i;
const halfCommentEnd = /[-!<]$/;

/** The place, and how many characters of the HTML lead to it: at least one. */
type Step = readonly [Place, number];

/** Throws validation_failed for `template` at HTML that is not read alike everywhere. */
export function advance(from: Place, html: string): Place {
  if (html.includes(unknown)) throw invalidField('template', 'must not have the character U+0000');
  let place = from;
  let at = 0;
  while (at < html.length) {
    const [next, end] = step(place, html, at);
    place = next;
    at = end;
  }
  return place;
}

function step(place: Place, html: string, at: number): Step {
  switch (place.at) {
    case 'text':
      return readText(place, html, at);
    case 'comment':
      return readComment(place, html, at);
    case 'code':
    case 'plain':
      return readContent(place, html, at);
    case 'tag':
      return readTag(place, html, at);
    case 'value':
      return readValue(place, html, at);
    case 'cut':
      throw unclear('has a tag of the template inside a name or mark of HTML before', html, at);
    default:
      return place satisfies never;
  }
}

function readText(place: Place, html: string, from: number): Step {
  mark.lastIndex = from;
  const at = mark.exec(html)?.index ?? html.length;
  if (at > from) return [place, at];
  if (at === html.length - 1 || html.slice(at) === '<!' || html.slice(at) === '<!-') return cut(place, html);
  if (html.startsWith('<!--', at)) {
    if (/^-?>/.test(html.slice(at + 4, at + 6))) throw unclear('has a comment that ends where it begins:', html, at);
    return at + 4 === html.length ? cut(place, html) : [{ at: 'comment', inside: place.inside }, at + 4];
  }
  const start = match(startTag, html, at);
  if (start) return [openTag(place, (start[1] ?? '').toLowerCase()), startTag.lastIndex];
  const end = match(endTag, html, at);
  if (end) return [closeElement(place, (end[1] ?? '').toLowerCase()), endTag.lastIndex];
  if (/^<\/(?:[a-z][\w:.-]*[\t\n\f\r ]*)?$/i.test(html.slice(at))) return cut(place, html);
  throw unclear('has a tag or mark that browsers read in other ways than it looks:', html, at);
}

function openTag({ inside }: Place, element: string): Place {
  const around = inside.at(-1);
  const isRefused =
    around === undefined
      ? refusedElements.includes(element)
      : around === 'select'
        ? !inSelect.includes(element)
        : refusedInForeign.includes(element) || (foreignElements.includes(element) && element !== inside[0]);
  if (isRefused) {
    const where = around === undefined ? '' : ` inside ${around}`;
    throw invalidField('template', `must not have the element ${element}${where}`);
  }
  return { at: 'tag', element, gap: false, inside };
}

function openElement({ inside }: Place, element: string, isClosed: boolean): Place {
  const isForeign = inside.length > 0 && inside[0] !== 'select';
  if (isClosed && (isForeign || foreignElements.includes(element))) return { at: 'text', inside };
  if (codeElements.includes(element)) return { at: 'code', element, inside };
  if ((isForeign ? foreignPlain : plainElements).includes(element)) return { at: 'plain', element, inside };
  const isOpened = isForeign || element === 'select' || foreignElements.includes(element);
  return { at: 'text', inside: isOpened ? [...inside, element] : inside };
}

function closeElement({ inside }: Place, element: string): Place {
  const around = inside.at(-1);
  if (around === element) return { at: 'text', inside: inside.slice(0, -1) };
  if (around === undefined || (around === 'select' && inSelect.includes(element))) return { at: 'text', inside };
  throw invalidField('template', `must close the element ${around} before </${element}>`);
}

function readComment(place: Place, html: string, from: number): Step {
  const end = html.indexOf('-->', from);
  const comment = end < 0 ? html.slice(from) : html.slice(from, end);
  if (comment.includes('--!>')) throw unclear('has a comment that ends with --!>:', html, from);
  if (end >= 0) return [{ at: 'text', inside: place.inside }, end + 3];
  return halfCommentEnd.test(html) ? cut(place, html) : [place, html.length];
}

function readContent(place: Place & { readonly element: string }, html: string, from: number): Step {
  const { element, inside } = place;
  const close = new RegExp(`</${element}(?=[\\t\\n\\f\\r />])`, 'gi');
  close.lastIndex = from;
  const end = close.exec(html)?.index ?? html.length;
  const content = html.slice(from, end);
  if (element === 'script' && content.includes('<!--')) throw unclear('has <!-- in a script:', html, from);
  // Browsers read markup in elements of SVG and MathML whose content HTML takes as it is.
  if (inside.length > 0 && content.includes('<')) throw unclear(`has a < in the element ${element}:`, html, from);
  if (end === html.length) return halfMark.test(content) ? cut(place, html) : [place, html.length];
  if (match(endTag, html, end)) return [{ at: 'text', inside }, endTag.lastIndex];
  throw unclear('has an end tag that is not plain:', html, end);
}

function readTag(place: Place & { readonly at: 'tag' }, html: string, at: number): Step {
  const { element, inside, gap } = place;
  if (match(blanks, html, at)) return [{ ...place, gap: true }, blanks.lastIndex];
  if (html.startsWith('>', at)) return [openElement(place, element, false), at + 1];
  if (html.startsWith('/>', at)) return [openElement(place, element, true), at + 2];
  if (html.slice(at) === '/') return cut(place, html);
  const [, attribute = '', equals, quote = ''] = (gap && match(attributeStart, html, at)) || [];
  if (attribute === '') throw unclear('has a tag that is not plain:', html, at);
  const end = attributeStart.lastIndex;
  if (equals === undefined) return [{ ...place, gap: false }, end];
  const value: Place = { at: 'value', element, attribute: attribute.toLowerCase(), quote, before: '', inside };
  if (quote !== '' || end === html.length) return [value, end];
  const bare = match(bareValue, html, end);
  if (bare) {
    checkScheme(value.attribute, bare[0]);
    return [{ ...place, gap: false }, bareValue.lastIndex];
  }
  if (/^[^\t\n\f\r >"'=<`]+$/.test(html.slice(end))) return [value, html.length];
  throw unclear('has a value without quotes that is not plain:', html, at);
}

function readValue(place: Place & { readonly at: 'value' }, html: string, from: number): Step {
  const { element, attribute, inside, quote, before } = place;
  if (quote === '') throw unclear('has a value without quotes that goes on after a tag of the template:', html, from);
  const end = html.indexOf(quote, from);
  if (end < 0) return [{ ...place, before: before + html.slice(from) }, html.length];
  checkScheme(attribute, before + html.slice(from, end));
  return [{ at: 'tag', element, gap: false, inside }, end + 1];
}

/** Browsers run `java&#115;cript:` and a scheme with a line break, so an address shows its scheme unescaped. */
function checkScheme(attribute: string, value: string): void {
  if (!addressAttributes.includes(attribute)) return;
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(withoutDisguise(value))?.[0];
  if (scheme === undefined || value.replace(/^[\t\n\f\r ]+/, '').startsWith(scheme)) return;
  throw invalidField('template', `must not hide the scheme ${scheme} of ${attribute} behind references or line breaks`);
}

function withoutDisguise(value: string): string {
  const read = readAttribute(value).replaceAll(/[\t\n\r]/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave these out of an address.
  return read.replace(/^[\u0001-\u0020]+/, '');
}

function cut({ inside }: Place, html: string): Step {
  return [{ at: 'cut', inside }, html.length];
}

function match(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(html);
}

function unclear(problem: string, html: string, at: number): Error {
  return invalidField('template', `${problem} ${html.slice(at, at + 40)}`);
}
