/** `hcd redirect`: redirects of old addresses. */
import { choiceValue, fileValue } from '../src/config/value-type.js';
import {
  type GivenRedirect,
  removeRedirect,
  saveRedirects,
  showRedirects,
} from '../src/content/administration/edit-redirects.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { redirectStatuses } from '../src/content/rules/redirect.js';
import { AppError } from '../src/errors/app-error.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import { defineSiteCommand } from './command.js';
import type { SiteDeps } from './deps.js';
import { anyText, defaultRows, optional, required, rowParameters, toggle } from './parameters.js';
import { readTextFile, sourceName } from './read-file.js';

const contextParameter = optional(anyText, 'Context of the old addresses (default: gateway_context)');

async function openRedirects(deps: SiteDeps, context: string | undefined) {
  const admin = { ...(await openAdministration(deps.store, deps)), store: deps.store };
  return { admin, context: context ?? admin.live.settings.values.gateway_context };
}

const statusParameter = optional(choiceValue(redirectStatuses.map(String)), 'Status to redirect with (default: 301)');

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists the old addresses of moved pages, and those that were added or imported, in the order in which they were made. An entry without a target leads to a page that is deleted or in another context, and is not served.',
    options: { context: contextParameter, ...rowParameters },
    examples: {
      'redirect list': 'List old addresses',
      'redirect list --context de --limit 100 --json': 'List those of a context as JSON',
    },
    async run({ context: named, limit = defaultRows, offset = 0 }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      const { rows, total } = await showRedirects(admin, { context, limit, offset });
      return {
        kind: 'list',
        columns: ['from', 'to', 'status', 'resource', 'created'],
        spare: ['created', 'resource'],
        rows,
        total,
        offset,
        empty: `No redirects in ${context}. Add one: hcd redirect add FROM TO`,
      };
    },
  }),

  add: defineSiteCommand({
    description:
      'Adds the redirect of an old address, or replaces it. The target is the address of a page, which is followed when it moves, or a whole address on another site. A page that has the old address is served instead. GET /redirects lists the redirects; GET /pages answers with them while gateway_redirects is on.',
    arguments: {
      from: required(anyText, 'Old address: a path, or a whole address, whose host does not count'),
      to: required(anyText, 'Address of a page, or a whole address'),
    },
    options: { context: contextParameter, status: statusParameter },
    examples: {
      'redirect add news/old.html blog/new.html': 'Redirect an old address to a page',
      'redirect add shop https://shop.example.com/ --status 302 --json': 'Redirect to another site for a while',
    },
    async run({ from, to, context: named, status }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      const given = [{ place: '', from, to, status }];
      const data = await saveRedirects(admin, given, { context });
      return { kind: 'done', message: `Redirects ${from} to ${to} in the context ${context}.`, data };
    },
  }),

  import: defineSiteCommand({
    description:
      'Reads a list of redirects: CSV with a header row and the columns from, to and optionally status, or a JSON array of {"from", "to", "status"}. Targets are addresses of pages, old addresses, which lead to the page at their end, or whole addresses on other sites. All lines are checked and all problems are reported together; either all lines are imported or none.',
    arguments: { file: required(fileValue, 'CSV or JSON file, or - for standard input') },
    options: { context: contextParameter, dryRun: toggle('Check the list without importing it') },
    examples: {
      'redirect import old-addresses.csv': 'Import a list',
      'redirect import redirects.json --context de --dry-run --json': 'Check a list for a context',
    },
    async run({ file, context: named, dryRun }, deps) {
      const given = await readList(await readTextFile(file, deps), file);
      const { admin, context } = await openRedirects(deps, named);
      const counts = await saveRedirects(admin, given, { context, dryRun });
      const isServed = admin.live.settings.values.gateway_redirects;
      return {
        kind: 'record',
        record: counts,
        notes: [
          dryRun && 'Nothing was changed.',
          !isServed && 'GET /redirects lists them. To answer with them: hcd setting set gateway_redirects 1',
        ],
      };
    },
  }),

  remove: defineSiteCommand({
    description: 'Removes the redirect of an old address permanently.',
    arguments: { from: required(anyText, 'Old address') },
    options: { context: contextParameter },
    examples: {
      'redirect remove news/old.html': 'Remove a redirect',
      'redirect remove news/old.html --context de --yes --json': 'Remove one of a context without confirmation',
    },
    destructive: {},
    async run({ from, context: named }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      await deps.confirm(`Remove the redirect from ${from} in the context ${context} permanently?`);
      const source = await removeRedirect(admin.store, { from, context });
      return { kind: 'done', message: `Removed the redirect from ${source}.`, data: { from: source, removed: true } };
    },
  }),
};

async function readList(text: string, file: string): Promise<readonly GivenRedirect[]> {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : await readCsv(text, file);
  if (Array.isArray(value) && value.every(isJsonObject)) return value.map(readEntry);
  throw new AppError('refused', {
    message: `${sourceName(file)} is neither a JSON array of {"from", "to", "status"} nor CSV with these columns`,
  });
}

function readEntry({ line, ...entry }: Readonly<Record<string, unknown>>, at: number): GivenRedirect {
  const { from, to, status } = entry;
  return { place: line === undefined ? `entry ${at + 1}: ` : `line ${line}: `, from, to, status };
}

async function readCsv(text: string, file: string): Promise<unknown> {
  // The other commands start without it.
  const { CsvError, parse } = await import('csv-parse/sync');
  const [head = ''] = text.trimStart().split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].find((sign) => head.includes(sign)) ?? ',';
  try {
    const columns = parse(head, { delimiter }).flatMap((names) => names.map((name) => name.trim().toLowerCase()));
    if (!columns.includes('from') || !columns.includes('to')) return null;
    const rows: { readonly record: object; readonly info: { readonly lines: number } }[] = parse(text, {
      ...{ columns: () => columns, info: true, bom: true },
      ...{ delimiter, skip_empty_lines: true, relax_column_count_less: true },
    });
    return rows.map(({ record, info }) => ({ ...record, line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError('refused', { message: `${sourceName(file)} is not valid CSV: ${error.message}`, cause: error });
  }
}
