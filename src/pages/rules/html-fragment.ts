/** The HTML parser: a fragment as a tree, parsed as browsers do, with bounds. The only file that knows parse5. */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  Parser,
  Tokenizer,
} from 'parse5';
import { invalidField } from '../../errors/app-error.js';

export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly HtmlNode[];
}

/** Text nodes are decoded. Comments and doctypes are left out. */
export type HtmlNode = HtmlElement | string;

/** Misnested formatting elements multiply: a short text can ask for millions. */
export const maxHtmlElements = 10_000;

/** Reading takes time with the product of depth and elements. */
export const maxHtmlDepth = 200;

/** Each attribute is compared with all before it. */
export const maxHtmlAttributes = 200;

/** As a browser would put the text into a `div`. Throws validation_failed when it is over a bound. */
export function parseHtmlFragment(text: string): readonly HtmlNode[] {
  // The frequent case, and the only one that cannot hold markup.
  if (!/[<&]/.test(text)) return text === '' ? [] : [text.replace(/\0/g, '')];
  const options = { treeAdapter: boundedAdapter(), scriptingEnabled: true };
  const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(null, options);
  parser.tokenizer = new BoundedTokenizer({}, parser);
  parser.tokenizer.write(text, true);
  return convertAll(parser.getFragment().childNodes, 0);
}

export function readAttribute(value: string): string {
  const quote = value.includes('"') ? "'" : '"';
  const [element] = parseHtmlFragment(`<i title=${quote}${value}${quote}>`);
  return typeof element === 'object' ? (element.attributes.get('title') ?? '') : '';
}

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const tag = this.currentToken;
    if (tag && 'attrs' in tag && tag.attrs.length >= maxHtmlAttributes) {
      throw invalidField('html', `must have at most ${maxHtmlAttributes} attributes in one element`);
    }
    super._leaveAttrName();
  }
}

type Adapter = typeof defaultTreeAdapter;

function boundedAdapter(): Adapter & { onItemPush(): void; onItemPop(): void } {
  let elements = 0;
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...made) {
      elements += 1;
      if (elements > maxHtmlElements) throw invalidField('html', `must have at most ${maxHtmlElements} elements`);
      return defaultTreeAdapter.createElement(...made);
    },
    // A second `html` tag adds its attributes to the first one's, which is not part of the result.
    adoptAttributes() {},
    onItemPush() {
      depth += 1;
      if (depth > maxHtmlDepth) throw tooDeep();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

function convertAll(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], depth: number): HtmlNode[] {
  // Moving misnested elements can make a tree deeper than its reading ever was.
  if (depth > 2 * maxHtmlDepth) throw tooDeep();
  return nodes.flatMap((node): HtmlNode[] => {
    if ('value' in node) return [node.value];
    if (!('tagName' in node)) return [];
    // SVG and MathML are parsed by other rules: their names get a mark that no allow-list holds.
    const name = node.namespaceURI === html.NS.HTML ? node.tagName : `:${node.tagName}`;
    const attributes = new Map(node.attrs.map((attribute) => [attribute.name, attribute.value]));
    return [{ name, attributes, children: convertAll(node.childNodes, depth + 1) }];
  });
}

function tooDeep(): Error {
  return invalidField('html', `must have at most ${maxHtmlDepth} elements in one another`);
}
