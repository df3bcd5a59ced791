/** Renders the reference pages that are derived from tables of the program: settings and error codes. */
import { configDefinitions } from '../../src/config/definitions.js';
import { settingDefinitions } from '../../src/config/setting-definitions.js';
import { catalogue } from '../../src/errors/catalogue.js';

const notice = '<!-- Generated from the tables of the program by `npm run docs`; do not edit. -->';

/** Text of `docs/settings.md`. */
export function renderSettings(): string {
  const configuration = Object.entries(configDefinitions).map(([name, row]) => [
    code(name),
    code(row.env),
    plain(row.default),
    accepts(row),
    row.description,
  ]);
  const settings = Object.entries(settingDefinitions).map(([key, row]) => [
    code(key),
    plain(row.default),
    accepts(row),
    row.since,
    row.description,
  ]);
  return page('Settings', [
    '## Process configuration',
    'Sources, strongest first: flag, environment, configuration file (`hcd.toml`), default. `hcd config show` prints every value with its source.',
    table(['Name', 'Environment', 'Default', 'Accepts', 'Meaning'], configuration),
    '## Runtime settings',
    'They live in the database and change without a restart: `hcd setting set KEY VALUE`. The environment variable `HCD_` + the key in upper case wins over the database.',
    table(['Key', 'Default', 'Accepts', 'Since', 'Meaning'], settings),
  ]);
}

/** Text of `docs/errors.md`. */
export function renderErrors(): string {
  const rows = Object.entries(catalogue).map(([name, row]) => [code(name), row.kind, row.title, row.cause, row.fix]);
  return page('Error codes', [
    'Every refusal or failure carries one of these codes; commands print it with `--json`.',
    table(['Code', 'Kind', 'Title', 'Cause', 'What to do'], rows),
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

function accepts(row: { readonly type: { readonly accepts: string }; readonly unit: string | null }): string {
  return row.unit === null ? row.type.accepts : `${row.type.accepts} (${row.unit})`;
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
