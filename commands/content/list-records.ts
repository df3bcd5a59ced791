/** Lists of records: the flags are the gateway's query parameters. People get short columns, `--json` every field. */

import { integerValue, listValue, textValue } from '../../src/config/value-type.js';
import { listContent, readTvRules } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { operators } from '../../src/content/query/plan-filter.js';
import { parseList, parseShape } from '../../src/gateway/http/query.js';
import type { ListResult } from '../command.js';
import type { Deps } from '../deps.js';
import { optional, readableValue, repeated, toggle, type Values } from '../parameters.js';

export async function listRecordsOf(
  deps: Deps,
  asked: { readonly object: string; readonly flags: ListFlags; readonly columns: readonly string[] },
): Promise<ListResult> {
  const { object, flags, columns } = asked;
  const shown = flags.fields ? [...new Set(flags.fields)] : columns;
  // Scripts get whole records; people get what fits a line.
  const fields = deps.flags.json ? flags.fields : shown;
  const intent = listIntent({ ...flags, fields });
  const { store } = await deps.openSite();
  const admin = await openAdministration(store, deps);
  const list = await listContent(admin, { object, intent });
  const rules = object === 'tvs' && fields === undefined ? await readTvRules(admin) : {};
  const rows = list.rows.map(({ record }) => ({ ...record, ...rules[String(record['name'])] }));
  return {
    kind: 'list',
    columns: shown,
    rows,
    total: list.total,
    offset: flags.offset ?? 0,
    empty: `No matching ${object}.`,
  };
}

type QueryPair = readonly [string, string];

const defaultLimit = 100;

const filterValue = readableValue<QueryPair>({ accepts: 'field=value or field[operator]=value' }, (text) => {
  const [, field, operators = '', value = ''] = /^(\w+)((?:\[\w*\])*)=(.*)$/s.exec(text) ?? [];
  return field === undefined ? undefined : [`filter[${field}]${operators}`, value];
});

export const fieldsParameter = optional(
  listValue(textValue(), { min: 1, accepts: 'a comma list of fields' }),
  'Fields to show, separated by commas',
  { placeholder: 'FIELDS' },
);

export const listParameters = {
  filter: repeated(
    filterValue,
    `Show only matching records: field=value or field[operator]=value with ${operators.map(({ operator }) => operator).join(', ')}`,
    { members: '' },
  ),
  sort: optional(textValue(), 'Fields to sort by, separated by commas; -field sorts in descending order', {
    placeholder: 'FIELDS',
  }),
  fields: fieldsParameter,
  q: optional(textValue(), 'Show only records that contain this text', { placeholder: 'TEXT' }),
  limit: optional(integerValue({ min: 1, max: 100_000 }), `Maximum number of records (default: ${defaultLimit})`),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), 'Number of records to skip (default: 0)'),
};

export const resourceParameters = {
  context: optional(textValue(), 'Show only resources of this context (default: every context)', {
    placeholder: 'KEY',
  }),
  all: toggle('Also show deleted resources'),
};

type ListFlags = Partial<Values<typeof listParameters & typeof resourceParameters>> &
  Pick<Values<typeof listParameters>, 'filter'>;

/** People at the database may ask for more than the gateway's callers. */
const limits = {
  gateway_max_limit: 100_000,
  gateway_max_offset: 1_000_000_000,
  gateway_max_fields: 1000,
  gateway_max_include_relations: 0,
  gateway_max_include_depth: 0,
};

/** Throws validation_failed for an unknown operator or a repeated filter. */
export function listIntent(flags: ListFlags): ReturnType<typeof parseList> {
  const query = [
    ...flags.filter,
    ...pair('sort', flags.sort),
    ...pair('fields', flags.fields?.join(',')),
    ...pair('q', flags.q),
    ...pair('limit', String(flags.limit ?? defaultLimit)),
    ...pair('offset', flags.offset?.toString()),
    ...pair('context', flags.context),
    ...pair('include_deleted', flags.all ? '1' : undefined),
  ];
  return parseList({ query, contextHeader: undefined, limits });
}

export function showIntent(flags: {
  readonly fields?: readonly string[] | undefined;
  readonly tvs?: boolean;
}): ReturnType<typeof parseShape> {
  const query = [...pair('fields', flags.fields?.join(',')), ...pair('include_tv', flags.tvs ? '1' : undefined)];
  return parseShape({ query, contextHeader: undefined, limits });
}

function pair(name: string, value: string | undefined): QueryPair[] {
  return value === undefined ? [] : [[name, value]];
}
