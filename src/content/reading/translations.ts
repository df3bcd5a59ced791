/** The translations of resources in other contexts (docs/gateway.md#languages), by the variable in which Babel keeps them. */
import type { Reader } from '../../store/base/database.js';
import { isIdText } from '../../values/unsigned.js';
import { readTvValues, tvPlace, tvs } from '../models/template-variables.js';
import type { IncludePlan } from '../query/plan-includes.js';
import { all, hasAnyKey, type Scalar } from '../query/predicate.js';
import { type ContentReader, type LoadedRow, type RowSet, selectRows } from './select-rows.js';
import { pageAddresses } from './site-view.js';

type Links = ReadonlyMap<string, number>;

/** Undefined where no page was ever linked. */
export async function findTranslationVariable(reader: Reader, prefix: string): Promise<number | undefined> {
  const named = await tvs.on(reader, prefix).lookUpAll({ name: translationVariable }, { attributes: ['id', 'name'] });
  return named.find(({ name }) => name === translationVariable)?.id;
}

/** By resource, as stored: targets may be missing, hidden, or in another context. */
export async function readLinksOf(
  reader: Reader,
  prefix: string,
  { resources, variable }: { readonly resources: readonly number[]; readonly variable: number | undefined },
): Promise<ReadonlyMap<number, Links>> {
  if (variable === undefined) return new Map();
  const values = await readTvValues(reader, prefix, { resources, tvs: [variable] });
  return new Map(resources.map((id) => [id, readTranslationLinks(values.get(tvPlace(variable, id)) ?? '')]));
}

/** In the order of the contexts' keys; each resource is among its own. */
export async function loadTranslations(
  reader: ContentReader,
  { target, where, fields }: Pick<IncludePlan, 'target' | 'where' | 'fields'>,
  resources: readonly number[],
): Promise<{ readonly byKey: ReadonlyMap<Scalar, readonly LoadedRow[]>; readonly dependsOn: readonly RowSet[] }> {
  if (resources.length === 0) return { byKey: new Map(), dependsOn: [] };
  const { db, prefix } = reader;
  const variable = await findTranslationVariable(db, prefix);
  const links = await readLinksOf(db, prefix, { resources, variable });
  const ids = [...new Set([...resources, ...[...links.values()].flatMap((one) => [...one.values()])])];
  const isNamed = hasAnyKey(target, ids);
  const rows = await selectRows(reader, target, { needed: ['id', 'uri', 'context_key'], where: all([where, isNamed]) });
  const byId = new Map(rows.map((row) => [Number(row.raw('id')), row]));
  const present = presenter(reader, fields);
  const linked = (id: number): LoadedRow[] => {
    const found = [...(links.get(id) ?? [])].flatMap(([context, one]) => {
      const row = one === id ? undefined : byId.get(one);
      // A link may be older than a move of its target.
      return row?.raw('context_key') === context ? (row ?? []) : [];
    });
    return [byId.get(id) ?? [], found].flat().sort(byContext).map(present);
  };
  return {
    byKey: new Map(resources.map((id) => [id, linked(id)])),
    dependsOn: [{ definition: target, where: isNamed }],
  };
}

function byContext(one: LoadedRow, other: LoadedRow): number {
  return String(one.raw('context_key')) < String(other.raw('context_key')) ? -1 : 1;
}

function presenter(reader: ContentReader, fields: readonly string[]): (row: LoadedRow) => LoadedRow {
  const addressOf = pageAddresses(reader);
  return (row) => {
    const context = String(row.raw('context_key'));
    const [id, uri] = [Number(row.raw('id')), String(row.raw('uri') ?? '')];
    const language = reader.site.setting(context, 'cultureKey') || context;
    const all = { context, language, id, uri, url: addressOf({ id, uri, context }) };
    const record = Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)));
    return { record, raw: row.raw };
  };
}

/** Holds a text such as `web:1;de:5` in each page. */
export const translationVariable = 'babelLanguageLinks';

/** Ids by context; what is no pair is left out. */
export function readTranslationLinks(text: string): Map<string, number> {
  const links = new Map<string, number>();
  for (const pair of text.split(';')) {
    const colon = pair.lastIndexOf(':');
    const [context, id] = [pair.slice(0, colon).trim(), pair.slice(colon + 1).trim()];
    if (colon > 0 && isIdText(id)) links.set(context, Number(id));
  }
  return links;
}

export function writeTranslationLinks(links: ReadonlyMap<string, number>): string {
  return [...links].map(([context, id]) => `${context}:${id}`).join(';');
}
