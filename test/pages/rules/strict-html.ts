/**
 * A strict reader of HTML for assertions, written independently of the one under test: it accepts only what a careful
 * writer makes (lower-case tags, every attribute quoted, every element closed) and fails on everything else.
 */

export interface FoundElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of the elements around it, outermost first. */
  readonly inside: readonly string[];
}

const voidElements = new Set(['br', 'col', 'hr', 'img', 'wbr', 'source']);
const bare = new Set(['open', 'reversed', 'controls', 'allowfullscreen']);

/** Every element in order. Throws at the first thing that is not exactly right. */
export function readStrictHtml(html: string): FoundElement[] {
  const found: FoundElement[] = [];
  const open: string[] = [];
  let at = 0;
  while (at < html.length) {
    if (html[at] !== '<') {
      const next = html.indexOf('<', at);
      const text = html.slice(at, next === -1 ? html.length : next);
      checkText(text);
      at += text.length;
      continue;
    }
    const close = /^<\/([a-z][a-z0-9]*)>/.exec(html.slice(at, at + 40));
    if (close) {
      if (open.pop() !== close[1]) throw new Error(`</${close[1]}> closes nothing at ${at}`);
      at += close[0].length;
      continue;
    }
    const start = /^<([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/.exec(html.slice(at));
    if (!start) throw new Error(`no tag at ${at}: ${html.slice(at, at + 80)}`);
    const [whole, name = '', list = ''] = start;
    found.push({ name, attributes: readAttributes(list), inside: [...open] });
    if (!voidElements.has(name)) open.push(name);
    at += whole.length;
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`);
  return found;
}

function readAttributes(list: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', quoted] of list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
    if (quoted === undefined && !bare.has(name)) throw new Error(`${name} has no value`);
    if (attributes.has(name)) throw new Error(`${name} stands twice`);
    checkText(quoted ?? '');
    attributes.set(name, decode(quoted ?? ''));
  }
  return attributes;
}

function checkText(text: string): void {
  if (/[<>]/.test(text)) throw new Error(`a bare angle bracket in ${text.slice(0, 80)}`);
  if (/&(?!(amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`a bare ampersand in ${text.slice(0, 80)}`);
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => references[name] ?? whole);
}

const urlAttributes = ['href', 'src', 'cite', 'poster', 'action', 'formaction', 'data', 'srcset', 'background'];
const activeElements = ['script', 'style', 'object', 'embed', 'applet', 'base', 'form', 'link', 'meta', 'svg', 'math'];

/** What could run or load something in the strictly read HTML; empty when nothing could. */
export function findActiveContent(html: string): string[] {
  return readStrictHtml(html).flatMap(({ name, attributes }) => [
    ...(activeElements.includes(name) ? [`<${name}>`] : []),
    ...[...attributes].flatMap(([attribute, value]) => {
      if (attribute.startsWith('on') || attribute === 'style' || attribute === 'srcdoc')
        return [`${name} ${attribute}`];
      return urlAttributes.includes(attribute) && !isHarmless(value) ? [`${name} ${attribute}=${value}`] : [];
    }),
  ]);
}

/** Relative, or one of four schemes, as WHATWG's own parser sees the address. */
function isHarmless(address: string): boolean {
  const url = new URL(address, 'https://base.example/');
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol);
}
