/** Renders the reference pages that are derived from tables of the program: settings and error codes. */
import { explainCode } from '../../commands/explain.js';
import { configDefinitions, variableOf } from '../../src/config/definitions.js';
import { settingDefinitions } from '../../src/config/settings.js';
import { errorCodes } from '../../src/errors/catalogue.js';

interface Row {
  readonly type: { readonly kind: string; readonly accepts: string };
  readonly unit: string | null;
}

const notice = '<!-- Generated from the tables of the program by `npm run docs`; do not edit. -->';

/** Text of `docs/settings.md`. */
export function renderSettings(): string {
  const accepted = acceptedTexts();
  const configuration = Object.entries(configDefinitions).map(([name, row]) => [
    `${code(name)}, ${code(variableOf(name))}`,
    plain(row.default),
    accepted(name, row),
    row.description,
  ]);
  const settings = Object.entries(settingDefinitions).map(([key, row]) => [
    code(key),
    plain(row.default),
    accepted(key, row),
    row.description,
  ]);
  return page('Settings', [
    'Settings that accept `1, 0` also accept `true`, `yes`, `on`, `false`, `no` and `off`.',
    '## Process configuration',
    table(['Name, variable', 'Default', 'Accepts', 'Meaning'], configuration),
    '## Runtime settings',
    '`hcd setting set KEY VALUE` changes them without a restart. The variable `HCD_` + the key in upper case wins.',
    table(['Key', 'Default', 'Accepts', 'Meaning'], settings),
  ]);
}

/** Text of `docs/errors.md`. */
export function renderErrors(): string {
  const rows = errorCodes().map((name) => {
    const { status, cause, fix } = explainCode(name);
    return [code(name), status === null ? '' : String(status), cause, fix];
  });
  return page('Error codes', [
    'The status is that of the gateway; codes without one are printed by commands (`--json`). `hcd explain CODE` shows a row.',
    table(['Code', 'Status', 'Cause', 'What to do'], rows),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, notice, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What Markdown would take for a cell border or a tag. */
function escapeCell(text: string): string {
  return text.replace(/[|<]/g, (character) => `\\${character}`);
}

/** What values a row accepts, in few words; a long text that an earlier row has is a reference to it. */
function acceptedTexts(): (name: string, row: Row) => string {
  const first = new Map<string, string>();
  return (name, { type, unit }) => {
    if (type.kind === 'boolean') return code('1, 0');
    const [, list = '', text = ''] = /^(a comma list, each element )?(.*)$/s.exec(type.accepts) ?? [];
    const before = first.get(text);
    if (before === undefined && text.split(' ').length > 6) first.set(text, name);
    const said = before === undefined ? text.replace(/^(?:an? integer from|one of|an?) /, '') : `as ${code(before)}`;
    return `${list === '' ? '' : 'comma list: '}${said}${unit === null ? '' : ` ${unit}`}`;
  };
}

function plain(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return code(value ? '1' : '0');
  if (Array.isArray(value)) return value.length === 0 ? 'none' : code(value.join(','));
  return code(String(value));
}

function code(text: string): string {
  return `\`${text}\``;
}
