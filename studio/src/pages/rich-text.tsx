/** Rich text. What the site does not take is removed from pasted text here, and by the command for certain. */
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import Squire from 'squire-rte';
import { SiteContext } from '../site.js';
import { texts } from '../texts.js';
import { LinkDialog, MediaDialog } from './pickers.js';

interface RichTextProps {
  readonly id: string;
  readonly label: string;
  readonly describedBy: string;
  readonly isWrong: boolean;
  readonly value: string;
  readonly change: (html: string) => void;
}

type Act = (editor: Squire) => void;
/** `off` is for a selection that is of the tag already. */
type Tool = readonly [name: keyof typeof texts.writing.tools, tag: string, on: Act, off: Act];

function blocks(tag: string): Act {
  return (editor) => {
    editor.modifyBlocks((fragment) => {
      for (const block of fragment.querySelectorAll('p, h2, h3, h4, h5, h6, div')) {
        const made = document.createElement(tag);
        made.append(...block.childNodes);
        block.replaceWith(made);
      }
      return fragment;
    });
  };
}

const unlist: Act = (it) => it.removeList();

const tools: readonly Tool[] = [
  ['bold', 'B', (it) => it.bold(), (it) => it.removeBold()],
  ['italic', 'I', (it) => it.italic(), (it) => it.removeItalic()],
  ['heading', 'H2', blocks('H2'), blocks('P')],
  ['subheading', 'H3', blocks('H3'), blocks('P')],
  ['bullets', 'UL', (it) => it.makeUnorderedList(), unlist],
  ['numbers', 'OL', (it) => it.makeOrderedList(), unlist],
  ['quote', 'BLOCKQUOTE', (it) => it.increaseQuoteLevel(), (it) => it.decreaseQuoteLevel()],
];

export function RichText({ id, label, describedBy, isWrong, value, change }: RichTextProps) {
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<Squire | null>(null);
  const latest = useRef(change);
  latest.current = change;
  const { pictures } = useContext(SiteContext).about;
  const [formats, setFormats] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'link' | 'picture' | null>(null);
  const toolbar = useId();
  useEffect(() => {
    if (root.current === null) return;
    const made = new Squire(root.current, { blockTag: 'P', sanitizeToDOMFragment: cleaned, addLinks: false });
    editor.current = made;
    made.setHTML(value.replaceAll('"/files/', `"${pictures}/`));
    // It also fires where nothing but its own form of the text has changed.
    let before = made.getHTML();
    made.addEventListener('input', () => {
      if (made.getHTML() === before) return;
      before = made.getHTML();
      const html = before.replaceAll(`"${pictures}/`, '"/files/');
      latest.current(/^(<p>(<br>)?<\/p>)?$/.test(html) ? '' : html);
    });
    const follow = (): void => setFormats(new Set(tools.flatMap(([, tag]) => (made.hasFormat(tag) ? [tag] : []))));
    made.addEventListener('pathChange', follow);
    made.addEventListener('input', follow);
    return () => made.destroy();
  }, []);
  const act = (work: (made: Squire) => void): void => {
    if (editor.current === null) return;
    editor.current.focus();
    work(editor.current);
  };
  return (
    <div class="rich">
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a bar of tools */}
      <div class="tools" role="group" aria-label={texts.writing.toolbar(label)} id={toolbar}>
        {tools.map(([name, tag, on, off]) => (
          <button
            type="button"
            class={`small tool-${name}`}
            aria-pressed={formats.has(tag)}
            onClick={() => act((made) => (made.hasFormat(tag) ? off(made) : on(made)))}
          >
            {texts.writing.tools[name]}
          </button>
        ))}
        <button type="button" class="small" onClick={() => act((made) => made.removeAllFormatting())}>
          {texts.writing.plain}
        </button>
        <button type="button" class="small" onClick={() => setDialog('link')}>
          {texts.writing.link}
        </button>
        <button type="button" class="small" onClick={() => setDialog('picture')}>
          {texts.writing.picture}
        </button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a textarea holds no formatted text */}
      <div
        ref={root}
        id={id}
        class="rich-text"
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
      />
      {dialog === 'link' ? (
        <LinkDialog
          close={() => setDialog(null)}
          choose={(address) => act((made) => (address === '' ? made.removeLink() : made.makeLink(address)))}
        />
      ) : null}
      {dialog === 'picture' ? (
        <MediaDialog
          type="image"
          close={() => setDialog(null)}
          choose={({ url, width, height }) =>
            act((made) =>
              made.insertImage(url.replace(/^\/files/, pictures), {
                alt: '',
                ...(width === undefined ? {} : { width: String(width), height: String(height) }),
              }),
            )
          }
        />
      ) : null}
    </div>
  );
}

const kept = new Set(
  'A ABBR B BLOCKQUOTE BR CAPTION CITE CODE DD DEL DETAILS DFN DL DT EM FIGCAPTION FIGURE H2 H3 H4 H5 H6 HR I IMG INS KBD LI MARK OL P PRE Q S SMALL SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR'.split(
    ' ',
  ),
);
const keptAttributes = new Set(
  'href target src alt title width height loading class lang dir colspan rowspan scope start type datetime cite'.split(
    ' ',
  ),
);
const withoutText = 'script, style, template, iframe, object, svg, math, head, title, select, textarea, noscript';

function cleaned(html: string): DocumentFragment {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll(withoutText)) element.remove();
  for (const element of body.querySelectorAll('h1')) element.replaceWith(...wrapped(body, element));
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!keptAttributes.has(name)) element.removeAttribute(name);
    if (/^\s*javascript:/i.test(element.getAttribute('href') ?? '')) element.removeAttribute('href');
    if (!kept.has(element.tagName) && element.tagName !== 'DIV') element.replaceWith(...element.childNodes);
  }
  const fragment = document.createDocumentFragment();
  fragment.append(...[...body.childNodes].map((node) => document.importNode(node, true)));
  return fragment;
}

function wrapped(body: HTMLElement, element: Element): readonly Node[] {
  const made = body.ownerDocument.createElement('h2');
  made.append(...element.childNodes);
  return [made];
}
