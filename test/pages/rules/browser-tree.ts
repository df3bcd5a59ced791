/** What a browser makes of HTML, as lines that can be compared: the parser of parse5, without any of our own reading. */
import { type DefaultTreeAdapterMap, html, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];

/** One node of the tree. */
export interface TreeLine {
  readonly depth: number;
  /** An element by namespace and name, or one attribute, text or comment of the element above it. */
  readonly kind: 'element' | 'attribute' | 'text' | 'comment';
  /** Names of the element and, for an attribute, of the attribute. */
  readonly element: string;
  readonly name: string;
  readonly value: string;
}

/** Every node of the fragment in its order. */
export function treeOf(text: string, { hasScripts = true } = {}): TreeLine[] {
  return parseFragment(text, { scriptingEnabled: hasScripts }).childNodes.flatMap((node) => linesOf(node, 0, ''));
}

function linesOf(node: Node, depth: number, element: string): TreeLine[] {
  if (node.nodeName === '#text' && 'value' in node) {
    return [{ depth, kind: 'text', element, name: '', value: node.value }];
  }
  if (node.nodeName === '#comment' && 'data' in node) {
    return [{ depth, kind: 'comment', element, name: '', value: node.data }];
  }
  if (!('tagName' in node)) return [];
  const name = node.namespaceURI === html.NS.HTML ? node.tagName : `:${node.tagName.toLowerCase()}`;
  const attributes = node.attrs.map((attribute): TreeLine => {
    const full = attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name;
    return { depth, kind: 'attribute', element: name, name: full.toLowerCase(), value: attribute.value };
  });
  const children = 'content' in node ? node.content.childNodes : node.childNodes;
  return [
    { depth, kind: 'element', element: name, name: '', value: '' },
    ...attributes,
    ...children.flatMap((child) => linesOf(child, depth + 1, name)),
  ];
}
