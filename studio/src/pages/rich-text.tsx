/** Rich text. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import Squire from 'squire-rte';
import { sanitizeHtml } from '../../../src/pages/rules/sanitize-html.js';
import { Field, type InputProps } from '../inputs.js';
import { Button } from '../parts.js';
import { site } from '../site.js';
import { fill, texts } from '../texts.js';
import { textOf } from '../values.js';
import { LinkButton, MediaButton } from './pickers.js';

type Act = (editor: Squire) => unknown;
/** `off` is for a selection that is of the tag already. */
type Tool = readonly [name: keyof typeof texts.writing.tools, tag: string, on: Act, off: Act];

function blocks(tag: string): Act {
  return (editor) =>
    editor.modifyBlocks((fragment) => {
      for (const block of fragment.querySelectorAll('p, h2, h3, h4, h5, h6, div')) {
        const made = document.createElement(tag);
        made.append(...block.childNodes);
        block.replaceWith(made);
      }
      return fragment;
    });
}

const tools: readonly Tool[] = [
  ['bold', 'B', (it) => it.bold(), (it) => it.removeBold()],
  ['italic', 'I', (it) => it.italic(), (it) => it.removeItalic()],
  ['heading', 'H2', blocks('H2'), blocks('P')],
  ['subheading', 'H3', blocks('H3'), blocks('P')],
  ['bullets', 'UL', (it) => it.makeUnorderedList(), (it) => it.removeList()],
  ['numbers', 'OL', (it) => it.makeOrderedList(), (it) => it.removeList()],
  ['quote', 'BLOCKQUOTE', (it) => it.increaseQuoteLevel(), (it) => it.decreaseQuoteLevel()],
];

export function RichText({ value, change, ...field }: InputProps<string>) {
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<Squire | null>(null);
  const latest = useRef(change);
  latest.current = change;
  const { pictures } = site.about;
  const [formats, setFormats] = useState<readonly string[]>([]);
  // Before anything may focus the element: an editor that missed the focus writes at the start of its text.
  useLayoutEffect(() => {
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
    // Without the cursor the list that the editor stands in may count as a format.
    const hasFormat = ([, tag]: Tool): boolean => document.activeElement === root.current && made.hasFormat(tag);
    const follow = (): void => setFormats(tools.filter(hasFormat).map(([, tag]) => tag));
    for (const event of ['pathChange', 'input', 'focus']) made.addEventListener(event, follow);
    // The formats are those at the cursor.
    made.addEventListener('blur', () => setFormats([]));
    return () => made.destroy();
  }, []);
  const act = (work: Act): void => {
    if (editor.current !== null) work(editor.current.focus());
  };
  return (
    <Field
      {...field}
      control={({ 'aria-required': _required, ...tie }) => (
        <div class="rich">
          <fieldset class="tools" aria-label={fill(texts.writing.toolbar, field.label)}>
            {tools.map(([name, tag, on, off]) => (
              <Button
                {...{ label: texts.writing.tools[name], kind: 'small', 'aria-pressed': formats.includes(tag) }}
                act={() => act((made) => (made.hasFormat(tag) ? off(made) : on(made)))}
              />
            ))}
            <Button label={texts.writing.plain} kind="small" act={() => act((made) => made.removeAllFormatting())} />
            <LinkButton
              current={() => linkAt(editor.current)}
              choose={(to) => act((made) => (to === '' ? made.removeLink() : made.makeLink(to)))}
            />
            <MediaButton
              label={texts.writing.picture}
              kind="small"
              choose={({ url, width, height }) =>
                act((made) => {
                  const size = width === undefined ? {} : { width: String(width), height: String(height) };
                  made.insertImage(textOf(url).replace(/^\/files/, pictures), { alt: '', ...size });
                })
              }
            />
          </fieldset>
          {/* biome-ignore lint/a11y/useSemanticElements: a textarea holds no formatted text */}
          <div
            ref={root}
            {...tie}
            class="rich-text"
            role="textbox"
            tabIndex={0}
            aria-multiline="true"
            aria-label={field.label}
          />
        </div>
      )}
    />
  );
}

/** The address of the link at the cursor; empty where there is none. */
function linkAt(editor: Squire | null): string {
  const at = editor?.getSelection().startContainer.parentElement;
  return at?.closest('a')?.getAttribute('href') ?? '';
}

/** By the rule of the site, so that one sees what will be stored. */
function cleaned(html: string): DocumentFragment {
  return document.createRange().createContextualFragment(sanitizeHtml(html));
}
