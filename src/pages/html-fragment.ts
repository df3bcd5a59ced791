/**
 * The HTML parser behind a small face: a fragment as a tree, parsed as browsers do, with a bound on its nodes.
 * The only file that knows parse5.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5';
import { invalidField } from '../errors/app-error.js';

export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly HtmlNode[];
}

/** An element, or the text of a text node with its references decoded. Comments and doctypes are left out. */
export type HtmlNode = HtmlElement | string;

/**
 * Nodes of one fragment. Misnested formatting elements multiply: a short text can ask for millions of nodes, and
 * elements inside one another cost time with the square of their number.
 */
export const maxHtmlNodes = 10_000;

/** Elements inside one another; deeper ones are left out. Browsers stop at 512. */
const maxHtmlDepth = 200;

/** The top nodes of the text as a browser would put them into a `div`. Throws validation_failed over `maxHtmlNodes`. */
export function parseHtmlFragment(text: string): readonly HtmlNode[] {
  // The frequent case, and the only one that cannot hold markup.
  if (!/[<&]/.test(text)) return text === '' ? [] : [text.replace(/\0/g, '')];
  const fragment = parseFragment(text, { treeAdapter: boundedAdapter(), scriptingEnabled: true });
  return convertAll(fragment.childNodes, 0);
}

type Adapter = typeof defaultTreeAdapter;

function boundedAdapter(): Adapter {
  let nodes = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...made) {
      nodes += 1;
      if (nodes > maxHtmlNodes) throw invalidField('html', `must have at most ${maxHtmlNodes} elements`);
      return defaultTreeAdapter.createElement(...made);
    },
  };
}

function convertAll(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], depth: number): HtmlNode[] {
  if (depth > maxHtmlDepth) return [];
  return nodes.flatMap((node): HtmlNode[] => {
    if ('value' in node) return [node.value];
    if (!('tagName' in node)) return [];
    // Elements of SVG and MathML follow other rules of parsing: their names get a mark that no allow-list holds.
    const name = node.namespaceURI === html.NS.HTML ? node.tagName : `:${node.tagName}`;
    const attributes = new Map(node.attrs.map((attribute) => [attribute.name, attribute.value]));
    return [{ name, attributes, children: convertAll(node.childNodes, depth + 1) }];
  });
}
