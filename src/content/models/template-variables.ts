/** Template variables, their templates and values (docs/reference/storage.md#template-variables). */
import type { Reader } from '../../store/base/database.js';
import { flag, id, integer, key, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { groupBy } from '../../values/batches.js';

export const tvs = defineModel('site_tmplvars', {
  id: id(),
  ...withDefaults({
    type: text(20),
    name: text(50),
    caption: text(80),
    description: text(255),
    category: integer(),
    locked: flag(),
  }),
  elements: orNull(text()),
  input_properties: orNull(text()),
  ...withDefaults({ rank: integer(), display: text(20) }),
  default_text: orNull(text()),
});

export type TemplateVariable = RowOf<typeof tvs>;

export const tvTemplates = defineModel('site_tmplvar_templates', {
  ...withDefaults({ tmplvarid: key(integer()), templateid: key(integer()), rank: integer() }),
});

/** If an old database has several values, the lowest id counts. */
export const tvValues = defineModel('site_tmplvar_contentvalues', {
  id: id(),
  ...withDefaults({ tmplvarid: integer(), contentid: integer() }),
  value: text(),
});

export async function readTvValues(
  reader: Reader,
  prefix: string,
  { resources, tvs }: { readonly resources: readonly number[]; readonly tvs?: readonly number[] },
): Promise<ReadonlyMap<string, string>> {
  const key = { contentid: resources, ...(tvs === undefined ? {} : { tmplvarid: tvs }) };
  const found = await tvValues.on(reader, prefix).lookUpAll(key, { order: ['id'] });
  return new Map(found.toReversed().map((row) => [tvPlace(row.tmplvarid, row.contentid), row.value]));
}

export function tvPlace(tv: number, resource: number): string {
  return `${tv}:${resource}`;
}

export const tvAccess = defineModel('site_tmplvar_access', {
  id: id(),
  ...withDefaults({ tmplvarid: integer(), documentgroup: integer() }),
});

export interface TvRow {
  readonly resource: number;
  readonly context: string;
  /** Null when the default applies. */
  readonly stored: string | null;
  readonly variable: LinkedTv;
}

interface LinkedTv {
  readonly template: number;
  readonly id: number;
  readonly name: string;
  readonly category: number;
  readonly defaultText: string;
  readonly type: string;
  /** Choices of an editor; null for none, and for more than a flag has. */
  readonly elements: string | null;
  /** Its output type; the CMS writes the value in that form. */
  readonly display: string;
}

const longestChoices = 100;
const choices = `CASE WHEN LENGTH(v.\`elements\`) <= ${longestChoices} THEN v.\`elements\` END`;

export interface AskedTvs {
  readonly resources: readonly number[];
  readonly names: readonly string[] | null;
  readonly ofAnyTemplate?: boolean;
  readonly only?: ReadonlySet<number> | null;
}

/** In the order of the links, then of the variables. No join: with outdated statistics of MyISAM it takes seconds. */
export async function readTvRows(
  reader: Reader,
  prefix: string,
  { resources, names, ofAnyTemplate = false, only = null }: AskedTvs,
): Promise<TvRow[]> {
  if (resources.length === 0 || names?.length === 0) return [];
  const sql = `SELECT \`id\`, \`template\`, \`context_key\` FROM \`${prefix}site_content\`
WHERE \`id\` IN (${marks(resources)}) ORDER BY \`id\``;
  const takesAll = names === null && only === null;
  const [places, values] = await Promise.all([
    reader.select({ sql, params: resources }),
    takesAll ? readTvValues(reader, prefix, { resources }) : null,
  ]);
  const templates = ofAnyTemplate ? null : [...new Set(places.map(([, template]) => Number(template)))];
  const found = await readLinkedTvs(reader, prefix, { templates, names });
  const linked = groupBy(only === null ? found : found.filter(({ id }) => only.has(id)), ({ template }) => template);
  const asked = { resources, tvs: [...new Set([...linked.values()].flat().map(({ id }) => id))] };
  if (asked.tvs.length === 0) return [];
  const stored = values ?? (await readTvValues(reader, prefix, asked));
  return places.flatMap(([id, template, context]) =>
    (linked.get(ofAnyTemplate ? 0 : Number(template)) ?? []).map((variable) => ({
      resource: Number(id),
      context: String(context),
      stored: stored.get(tvPlace(variable.id, Number(id))) ?? null,
      variable,
    })),
  );
}

async function readLinkedTvs(
  reader: Reader,
  prefix: string,
  { templates, names }: { readonly templates: readonly number[] | null; readonly names: readonly string[] | null },
): Promise<LinkedTv[]> {
  if (templates?.length === 0) return [];
  const links = `JOIN \`${prefix}site_tmplvar_templates\` l ON l.\`tmplvarid\` = v.\`id\` AND l.\`templateid\` IN`;
  const [template, joined, order] =
    templates === null ? ['0', '', ''] : ['l.`templateid`', `${links} (${marks(templates)})`, 'l.`rank`, '];
  const rows = await reader.select({
    sql: `SELECT ${template}, v.\`id\`, v.\`name\`, v.\`category\`, v.\`default_text\`, v.\`type\`, ${choices}, v.\`display\`
FROM \`${prefix}site_tmplvars\` v ${joined}${names ? ` WHERE v.\`name\` IN (${marks(names)})` : ''} ORDER BY ${order}v.\`rank\`, v.\`id\``,
    params: [...(templates ?? []), ...(names ?? [])],
  });
  return rows.map(([ofTemplate, id, name, category, defaultText, type, elements, display]) => ({
    template: Number(ofTemplate),
    id: Number(id),
    name: String(name),
    category: Number(category),
    defaultText: String(defaultText ?? ''),
    type: String(type),
    elements: typeof elements === 'string' ? elements : null,
    display: String(display ?? ''),
  }));
}

export type ListedTv = Pick<TemplateVariable, 'id' | 'category' | 'type' | 'elements'>;

/** Of several variables with one name the first counts. */
export async function readListedTvs(reader: Reader, prefix: string): Promise<ReadonlyMap<string, ListedTv>> {
  const rows = await reader.select({
    sql: `SELECT v.\`name\`, v.\`id\`, v.\`category\`, v.\`type\`, ${choices} FROM \`${prefix}site_tmplvars\` v
WHERE EXISTS (SELECT 1 FROM \`${prefix}site_tmplvar_templates\` l WHERE l.\`tmplvarid\` = v.\`id\`) ORDER BY v.\`id\` DESC`,
    params: [],
  });
  return new Map(
    rows.map(([name, id, category, type, elements]) => [
      String(name),
      {
        ...{ id: Number(id), category: Number(category), type: String(type) },
        elements: typeof elements === 'string' ? elements : null,
      },
    ]),
  );
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
