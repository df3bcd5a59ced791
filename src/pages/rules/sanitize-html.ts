/** Sanitises rich text: parses it as browsers do and writes it again from an allow-list of elements and attributes. */
import { escapeHtml, wordList } from '../../values/text.js';
import { type HtmlElement, type HtmlNode, parseHtmlFragment } from './html-fragment.js';
import { safeLink, safeSource } from './safe-url.js';

type AttributeRule = (value: string) => string | null;

const anyText: AttributeRule = (value) => value;
const digits: AttributeRule = (value) => (/^\d{1,5}$/.test(value.trim()) ? value.trim() : null);
const oneOf =
  (...allowed: readonly string[]): AttributeRule =>
  (value) =>
    allowed.includes(value.trim().toLowerCase()) ? value.trim().toLowerCase() : null;
/** Classes, languages and ids: letters that can neither end an attribute nor look like an address. */
const words: AttributeRule = (value) => (/^[\w\- ]{1,200}$/.test(value) ? value : null);
/** Dates, times, zones and durations: nothing in them can end an attribute. */
const moment: AttributeRule = (value) => (/^[\w\-:.+ ]{1,60}$/.test(value) ? value : null);

const globalAttributes: Readonly<Record<string, AttributeRule>> = {
  class: words,
  title: anyText,
  lang: words,
  dir: oneOf('ltr', 'rtl', 'auto'),
};
const cell = { colspan: digits, rowspan: digits };
const quotation = { cite: safeLink };

const plainElements = wordList(`
  abbr b bdi bdo br caption cite code dd dfn div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i kbd mark p pre s samp small
  span strong sub summary sup table tbody tfoot thead tr u ul var wbr
`);

const allowed: ReadonlyMap<string, Readonly<Record<string, AttributeRule>>> = new Map(
  Object.entries({
    ...Object.fromEntries(plainElements.map((name) => [name, {}])),
    a: { href: safeLink, target: oneOf('_blank'), hreflang: words },
    blockquote: quotation,
    col: { span: digits },
    colgroup: { span: digits },
    del: quotation,
    details: { open: () => '' },
    img: { src: safeSource, alt: anyText, width: digits, height: digits, loading: oneOf('lazy', 'eager') },
    ins: quotation,
    li: { value: digits },
    ol: { start: digits, reversed: () => '', type: (value) => (/^[1aAiI]$/.test(value) ? value : null) },
    q: quotation,
    td: cell,
    th: { ...cell, scope: oneOf('row', 'col', 'rowgroup', 'colgroup') },
    time: { datetime: moment },
  } satisfies Readonly<Record<string, Readonly<Record<string, AttributeRule>>>>),
);

const voidElements = ['br', 'col', 'hr', 'img', 'wbr'];

/** Their content is not readable text, so it is removed too; other elements leave theirs. */
const dropped = new Set(
  wordList(`
    applet audio base button canvas embed form frame frameset head iframe input link math meta noembed noframes noscript
    object option param plaintext script select style svg template textarea title video xmp
  `),
);

/** `removed` gets the names of what is left out. Throws validation_failed when the text is too large. */
export function sanitizeHtml(text: string, removed: Set<string> = new Set()): string {
  // Leaving out an element can join neighbours that parse differently, so the output is parsed until it is stable.
  let html = write(parseHtmlFragment(text), removed);
  for (let round = 0; round < mostRounds; round += 1) {
    const again = write(parseHtmlFragment(html), removed);
    if (again === html) return html;
    html = again;
  }
  return escapeHtml(textOf(parseHtmlFragment(html)));
}

/** Two passes are enough for real texts; a text that still changes after them is kept as plain text. */
const mostRounds = 8;

/** The text that people would read, blocks set apart by a space. */
export function htmlToText(html: string): string {
  return textOf(parseHtmlFragment(html)).replace(/\s+/g, ' ').trim();
}

function write(nodes: readonly HtmlNode[], removed: Set<string>): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node) : writeElement(node, removed))).join('');
}

/** Names come from outside. */
const mostNames = 20;
const longestName = 40;

function note(removed: Set<string>, name: string, attribute?: string): void {
  const of = attribute === undefined ? '' : `${attribute.slice(0, longestName)} of `;
  if (removed.size < mostNames) removed.add(`${of}<${name.slice(0, longestName).replace(/^:/, '')}>`);
}

function writeElement({ name: given, attributes, children }: HtmlElement, removed: Set<string>): string {
  // The title of the page is its only heading of the first level.
  const name = given === 'h1' ? 'h2' : given;
  const own = dropped.has(name) ? undefined : allowed.get(name);
  if (!own || name !== given) note(removed, given);
  if (!own) return name.startsWith(':') || dropped.has(name) ? '' : write(children, removed);
  const kept = writeAttributes(attributes, { ...globalAttributes, ...own });
  // An image without an address shows nothing but its alternative text.
  if (name === 'img' && !kept.has('src')) {
    note(removed, name);
    return escapeHtml(kept.get('alt') ?? '');
  }
  // A page opened in another window must not get access to the one that opened it.
  if (kept.has('target')) kept.set('rel', 'noopener noreferrer');
  for (const attribute of attributes.keys()) if (!kept.has(attribute)) note(removed, name, attribute);
  const text = [...kept].map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`).join('');
  if (voidElements.includes(name)) return `<${name}${text}>`;
  // A parser drops the first line break of preformatted text; a second one keeps it.
  const inner = write(children, removed);
  const first = name === 'pre' && inner.startsWith('\n') ? '\n' : '';
  return `<${name}${text}>${first}${inner}</${name}>`;
}

function writeAttributes(
  attributes: ReadonlyMap<string, string>,
  rules: Readonly<Record<string, AttributeRule>>,
): Map<string, string> {
  const kept = new Map<string, string>();
  for (const [name, value] of attributes) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const written = rule?.(value) ?? null;
    if (written !== null) kept.set(name, written);
  }
  return kept;
}

const inline = new Set(['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'em', 'i', 'mark', 's', 'small', 'span', 'strong']);

function textOf(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.name.startsWith(':') || dropped.has(node.name)) return '';
      const text = textOf(node.children);
      return inline.has(node.name) ? text : ` ${text} `;
    })
    .join('');
}
