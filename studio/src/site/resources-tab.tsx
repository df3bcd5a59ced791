/** Resources with the filters of the gateway, a page at a time. */
import type { Json, JsonObject } from '../api.js';
import { Badge } from '../badge.js';
import { type Column, DataTable, Loaded, rowsOf } from '../data-table.js';
import { FilterBar, type FilterField, useFilter } from '../filter-bar.js';
import { Moment } from '../moment.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

const limit = 50;
const fields = 'id,pagetitle,context_key,template,published,deleted,uri,editedon';

export function ResourcesTab() {
  const words = texts.site.resource;
  const filter = useFilter();
  const templates = useChoices('templates', 'templatename', 'id');
  const contexts = useChoices('contexts', 'name', 'key');
  const mayCreate = useCommand('resource create') !== undefined;
  const reading = useRun('resource list', {
    options: { ...optionsOf(filter.values), fields, limit, offset: filter.offset },
  });
  const controls: readonly FilterField[] = [
    { name: 'q', title: texts.site.find },
    { name: 'context', title: words.context, choices: contexts },
    { name: 'template', title: words.template, choices: templates },
    {
      name: 'published',
      title: words.published,
      choices: [
        ['1', texts.site.yes],
        ['0', texts.site.no],
      ],
    },
    { name: 'deleted', title: words.deleted, choices: [['1', texts.site.yes]] },
    { name: 'sort', title: words.sort, choices: Object.entries(words.orders) },
    {
      name: 'more',
      title: words.more,
      proposals: ['pagetitle[like]=%news%', 'parent=', 'editedon[gte]=2026-01-01', 'tv.NAME='],
    },
  ];
  return (
    <>
      <div class="bar">
        <h1>{texts.site.tabs.resources}</h1>
        {mayCreate ? <a href={linkTo('site', 'resources', 'new')}>{words.create}</a> : null}
      </div>
      <FilterBar label={texts.site.find} fields={controls} filter={filter} />
      <Loaded of={reading}>
        {({ data, meta }) => (
          <DataTable
            label={texts.site.tabs.resources}
            columns={columns(new Map(templates))}
            rows={rowsOf(data)}
            total={meta?.total}
            offset={filter.offset}
            limit={limit}
            turn={filter.turn}
            empty={words.none}
          />
        )}
      </Loaded>
    </>
  );
}

/** Ids or keys of elements, with their names. */
export function useChoices(kind: string, name: string, id: string): readonly (readonly [string, string])[] {
  const { result } = useRun('element list', { arguments: [kind], options: { fields: `${id},${name}`, limit: 1000 } });
  return rowsOf(result?.data).map((row) => [String(row[id]), String(row[name] || row[id])]);
}

function optionsOf({
  template,
  published,
  deleted,
  more,
  ...rest
}: Readonly<Record<string, string>>): Record<string, Json> {
  const conditions = { template, published, deleted };
  const filters = Object.entries(conditions).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return {
    ...rest,
    filter: more === undefined ? filters : [...filters, more],
    ...(deleted !== undefined && { all: true }),
  };
}

function columns(templates: ReadonlyMap<string, string>): readonly Column[] {
  const words = texts.site.resource;
  return [
    { name: 'id', title: words.id, isNumber: true },
    {
      name: 'pagetitle',
      title: words.title,
      show: (row) => (
        <>
          <a href={linkTo('site', 'resources', String(row['id']))}>{String(row['pagetitle'] || row['id'])}</a>
          <span class="help address">{String(row['uri'] ?? '')}</span>
        </>
      ),
    },
    { name: 'published', title: texts.site.state, show: (row) => <ResourceState resource={row} /> },
    { name: 'context_key', title: words.context },
    { name: 'template', title: words.template, show: ({ template }) => templates.get(String(template)) ?? '' },
    { name: 'editedon', title: words.edited, show: (row) => <Moment at={row['editedon']} /> },
  ];
}

export function ResourceState({ resource: { deleted, published } }: { readonly resource: JsonObject }) {
  const words = texts.site.resource;
  if (deleted === true) return <Badge kind="bad" text={words.deleted} />;
  return published === true ? (
    <Badge kind="good" text={words.published} />
  ) : (
    <Badge kind="plain" text={words.unpublished} />
  );
}
