/** Describes the template variables of a site for clients that want typed values. */
import { listsBy } from '../../values/batches.js';
import { tvs, tvTemplates } from '../models/template-variables.js';
import { type Caller, chooseContext, tvPolicy } from '../query/authorize.js';
import { isSortableTv, operatorsOnTv } from '../query/plan-filter.js';
import { tvAccepts } from '../rules/tv-rules.js';
import { tvKind, tvSchema } from '../rules/tv-types.js';
import type { ContentReader, RowSet } from './select-rows.js';
import { variablesOf } from './template-variables.js';

interface TvDescription {
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** JSON Schema of new values, beyond their type. */
  readonly accepts: Readonly<Record<string, unknown>>;
  readonly templates: readonly number[];
  readonly filter: readonly string[];
  readonly sortable: boolean;
}

export async function readTvTypes(
  reader: ContentReader,
  caller: Caller,
): Promise<{ readonly tvs: Readonly<Record<string, TvDescription>>; readonly dependsOn: readonly RowSet[] }> {
  const maySee = tvPolicy(caller, chooseContext(caller, null));
  const attributes = ['id', 'name', 'type', 'category', 'elements', 'input_properties'] as const;
  const [variables, links] = await Promise.all([
    tvs.on(reader.db, reader.prefix).lookUpAll({}, { attributes, order: ['name', 'id'] }),
    tvTemplates.on(reader.db, reader.prefix).lookUpAll({}, { order: ['templateid'] }),
  ]);
  const templatesOf = listsBy(links, ({ tmplvarid, templateid }) => [tmplvarid, templateid]);
  const described = variables.flatMap(({ id, name, type, category, elements, ...row }): [string, TvDescription][] => {
    const templates = templatesOf.get(id) ?? [];
    if (templates.length === 0 || !maySee({ id, category })) return [];
    const kind = tvKind({ type, elements });
    const filter = operatorsOnTv(kind).map(({ operator }) => operator);
    const value = tvSchema({ type, elements });
    const accepts = tvAccepts({ type, elements, inputProperties: row.input_properties });
    return [[name, { type, value, accepts, templates, filter, sortable: isSortableTv(kind) }]];
  });
  return { tvs: Object.fromEntries(described), dependsOn: variablesOf(reader) };
}
