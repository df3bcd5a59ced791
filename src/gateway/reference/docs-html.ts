/** HTML that is escaped by construction: parts of a template are text, unless they are Html. */
import { escapeHtml } from '../../values/escape-html.js';

export class Html {
  constructor(readonly text: string) {}
}

/** `false` and null leave nothing behind, so that parts can be optional. */
export type HtmlPart = string | number | Html | false | null | readonly HtmlPart[];

/** Attributes with values must use double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, index) => text + render(parts[index] ?? null)).join(''));
}

function render(part: HtmlPart): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

export function prose(text: string): HtmlPart {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

export function anchor(kind: string, name: string): string {
  return `${kind}-${name.replace(/[^A-Za-z0-9_.-]+/g, '-')}`;
}

interface TableParts {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: HtmlPart;
  readonly kind?: string;
}

export function table({ label, columns, rows, kind }: TableParts): Html {
  return html`<div class="table" tabindex="0" role="group" aria-label="${label}">
<table${kind !== undefined && html` class="${kind}"`}>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`;
}
