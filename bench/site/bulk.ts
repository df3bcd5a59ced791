/** What the two bulk loaders have in common: the rows besides the resources, and the interface of both. */
import { aliasOf, contexts, numberTv, templateCount, tvsOfTemplate } from './site-shape.js';

export type BulkValue = string | number | null;

export interface BulkTable {
  /** Name without the prefix. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly BulkValue[]>;
}

/** A connection that fills tables fast; the indexes are created after the rows are in. */
export interface BulkLoader {
  fill(table: BulkTable): Promise<void>;
  /** Makes statistics, so that the planner knows the sizes. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

/** Name of a variable with texts. */
export function tvName(tv: number): string {
  return `tv_${tv}_${aliasOf(tv)}`.slice(0, 50);
}

/** Templates, tvs and the second context; anonymous visitors may load both contexts. */
export function smallTables(): readonly BulkTable[] {
  const templates = Array.from({ length: templateCount }, (_, at) => at + 1);
  const tvs = templates.flatMap((template) => tvsOfTemplate(template).map((tv, at) => ({ tv, template, at })));
  const [, second] = contexts;
  return [
    { name: 'context', columns: ['key', 'name', 'description', 'rank'], rows: [[second, 'Documents', '', 1]] },
    {
      name: 'access_context',
      columns: ['target', 'principal_class', 'principal', 'authority', 'policy'],
      // As the migrations have it for the first context.
      rows: [[second, 'MODX\\Revolution\\modUserGroup', 0, 9999, 4]],
    },
    {
      name: 'site_templates',
      columns: ['id', 'templatename', 'description', 'content'],
      rows: templates.map((id) => [id, `Template ${id}`, '', '[[*content]]']),
    },
    {
      name: 'site_tmplvars',
      columns: ['id', 'type', 'name', 'caption', 'rank', 'default_text'],
      rows: tvs.map(({ tv, at }) => [tv, 'text', tvName(tv), `Tv ${tv}`, at, `default ${tv}`]),
    },
    {
      name: 'site_tmplvars',
      columns: ['id', 'type', 'name', 'caption', 'rank', 'default_text'],
      rows: [[numberTv, 'number', 'price', 'Price', 9, '']],
    },
    {
      name: 'site_tmplvar_templates',
      columns: ['tmplvarid', 'templateid', 'rank'],
      rows: [...tvs.map(({ tv, template, at }) => [tv, template, at]), ...templates.map((id) => [numberTv, id, 9])],
    },
  ];
}

export function insertSql(table: { readonly name: string; readonly columns: readonly string[] }): string {
  const names = table.columns.map((column) => `\`${column}\``).join(', ');
  return `INSERT INTO \`${table.name}\` (${names}) VALUES (${table.columns.map(() => '?').join(', ')})`;
}
