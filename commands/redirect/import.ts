/** `hcd redirect import`: add or replace redirects from a file. */
import { CsvError, parse } from 'csv-parse/sync';
import { fileValue } from '../../src/config/value-type.js';
import { type GivenRedirect, saveRedirects } from '../../src/content/administration/edit-redirects.js';
import { AppError } from '../../src/errors/app-error.js';
import { isJsonObject, parseJson } from '../../src/values/json.js';
import { defineSiteCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { readTextFile, sourceName } from '../read-file.js';
import { contextParameter, openRedirects } from '../redirect.js';

export const command = defineSiteCommand({
  description:
    'Reads a list of redirects: CSV with a header row and the columns from, to and optionally status, or a JSON array of {"from", "to", "status"}. Targets are addresses of pages, old addresses, which lead to the page at their end, or whole addresses on other sites. All lines are checked and all problems are reported together; either all lines are imported or none.',
  arguments: { file: required(fileValue, 'CSV or JSON file, or - for standard input') },
  options: { context: contextParameter, dryRun: toggle('Check the list without importing it') },
  examples: {
    'redirect import old-addresses.csv': 'Import a list',
    'redirect import redirects.json --context de --dry-run --json': 'Check a list for a context',
  },
  async run({ file, context: named, dryRun }, deps) {
    const given = readList(await readTextFile(file, deps), file);
    const { admin, context } = await openRedirects(deps, named);
    const counts = await saveRedirects(admin, given, { context, dryRun });
    const isServed = admin.live.settings.values.gateway_redirects;
    return {
      kind: 'record',
      record: { ...counts },
      notes: [
        dryRun && 'Nothing was changed.',
        !isServed && 'GET /redirects lists them. To answer with them: hcd setting set gateway_redirects 1',
      ],
    };
  },
});

function readList(text: string, file: string): readonly GivenRedirect[] {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : readCsv(text, file);
  if (Array.isArray(value) && value.every(isJsonObject)) return value.map(readEntry);
  throw new AppError('refused', {
    message: `${sourceName(file)} is neither a JSON array of {"from", "to", "status"} nor CSV with these columns`,
  });
}

function readEntry({ line, ...entry }: Readonly<Record<string, unknown>>, at: number): GivenRedirect {
  const { from, to, status } = entry;
  return { place: line === undefined ? `entry ${at + 1}: ` : `line ${line}: `, from, to, status };
}

function readCsv(text: string, file: string): unknown {
  const [head = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].find((sign) => head.includes(sign)) ?? ',';
  try {
    const rows: { readonly record: object; readonly info: { readonly lines: number } }[] = parse(text, {
      ...{ columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()), info: true, bom: true },
      ...{ delimiter, skip_empty_lines: true, relax_column_count_less: true },
    });
    return rows.map(({ record, info }) => ({ ...record, line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AppError('refused', { message: `${sourceName(file)} is not valid CSV: ${error.message}`, cause: error });
  }
}
