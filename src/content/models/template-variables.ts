/** Template variables, their templates and values (docs/reference/storage.md#template-variables). */
import type { Param, Reader } from '../../store/base/database.js';
import { flag, id, integer, key, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

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
  asked: { readonly resources: readonly number[]; readonly tvs: readonly number[] },
): Promise<ReadonlyMap<string, string>> {
  const key = { contentid: asked.resources, tmplvarid: asked.tvs };
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

/** `stored` is null when the default applies. */
export interface TvRow {
  readonly resource: number;
  readonly tv: number;
  readonly name: string;
  readonly category: number;
  readonly stored: string | null;
  readonly defaultText: string;
  readonly facts: TvRowFacts | null;
}

export interface TvRowFacts {
  readonly type: string;
  /** Choices of an editor; null for none, and for more than a flag has. */
  readonly elements: string | null;
  readonly context: string;
  /** Its output type; the CMS writes the value in that form. */
  readonly display: string;
}

const longestChoices = 100;
const choices = `CASE WHEN LENGTH(t.\`elements\`) <= ${longestChoices} THEN t.\`elements\` END`;
const factColumns = `, t.\`type\`, ${choices}, c.\`context_key\`, t.\`display\``;

/** In the order of the links, then of the variables; values of an earlier template are left out. */
export async function readTvRows(
  reader: Reader,
  prefix: string,
  asked: {
    readonly resources: readonly number[];
    readonly names: readonly string[] | null;
    readonly withFacts: boolean;
  },
): Promise<TvRow[]> {
  if (asked.resources.length === 0 || asked.names?.length === 0) return [];
  const params: Param[] = [...asked.resources, ...(asked.names ?? [])];
  const names = asked.names ? ` AND t.\`name\` IN (${marks(asked.names)})` : '';
  const rows = await reader.select({
    sql: `SELECT c.\`id\`, t.\`id\`, t.\`name\`, t.\`category\`, v.\`value\`, t.\`default_text\`${asked.withFacts ? factColumns : ''}
FROM \`${prefix}site_content\` c
JOIN \`${prefix}site_tmplvar_templates\` l ON l.\`templateid\` = c.\`template\`
JOIN \`${prefix}site_tmplvars\` t ON t.\`id\` = l.\`tmplvarid\`
LEFT JOIN \`${prefix}site_tmplvar_contentvalues\` v ON v.\`contentid\` = c.\`id\` AND v.\`tmplvarid\` = t.\`id\`
WHERE c.\`id\` IN (${marks(asked.resources)})${names}
ORDER BY c.\`id\`, l.\`rank\`, t.\`rank\`, t.\`id\`, v.\`id\``,
    params,
  });
  return rows.map(([resource, tv, name, category, stored, defaultText, type, elements, context, display]) => ({
    resource: Number(resource),
    tv: Number(tv),
    name: String(name),
    category: Number(category),
    stored: stored === null ? null : String(stored),
    defaultText: String(defaultText ?? ''),
    facts: asked.withFacts
      ? {
          type: String(type),
          elements: typeof elements === 'string' ? elements : null,
          context: String(context),
          display: String(display ?? ''),
        }
      : null,
  }));
}

export type ListedTv = Pick<TemplateVariable, 'id' | 'category' | 'type' | 'elements'>;

/** Of several variables with one name the first counts. */
export async function readListedTvs(reader: Reader, prefix: string): Promise<ReadonlyMap<string, ListedTv>> {
  const rows = await reader.select({
    sql: `SELECT t.\`name\`, t.\`id\`, t.\`category\`, t.\`type\`, ${choices} FROM \`${prefix}site_tmplvars\` t
WHERE EXISTS (SELECT 1 FROM \`${prefix}site_tmplvar_templates\` l WHERE l.\`tmplvarid\` = t.\`id\`) ORDER BY t.\`id\` DESC`,
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
