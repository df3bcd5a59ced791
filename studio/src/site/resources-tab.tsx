/** Resources with the filters of the gateway, a page at a time. */
import type { Json, JsonObject } from '../api.js';
import { ListView, useChoices } from '../list-view.js';
import { linkTo } from '../route.js';
import { useCommand } from '../site.js';
import { texts } from '../texts.js';
import { State } from '../values.js';

const fields = 'id,pagetitle,context_key,template,published,deleted,uri,editedon';
const examples = ['pagetitle[like]=%news%', 'parent=', 'editedon[gte]=2026-01-01', 'tv.NAME='];

export function useTemplates() {
  const options = { fields: 'id,templatename', limit: 1000 };
  return useChoices('element list', { arguments: ['templates'], options }, ['id', 'templatename']) ?? [];
}

export function useContexts() {
  const options = { fields: 'key,name', limit: 1000 };
  return useChoices('element list', { arguments: ['contexts'], options }, ['key', 'name']) ?? [];
}

export function ResourcesTab() {
  const words = texts.site.resource;
  const templates = useTemplates();
  const contexts = useContexts();
  const names = new Map(templates);
  const mayCreate = useCommand('resource create') !== undefined;
  const yesNo = [
    ['1', texts.yesNo.true],
    ['0', texts.yesNo.false],
  ] as const;
  return (
    <>
      <div class="bar">
        <h1>{texts.site.tabs.resources}</h1>
        {mayCreate ? <a href={linkTo('site', 'resources', 'new')}>{words.create}</a> : null}
      </div>
      <ListView
        path="resource list"
        label={texts.site.tabs.resources}
        options={{ fields }}
        ask={optionsOf}
        filters={[
          { name: 'q', title: texts.find },
          { name: 'context', choices: contexts },
          { name: 'template', choices: templates },
          { name: 'published', title: texts.states['published'] ?? '', choices: yesNo },
          { name: 'deleted', title: texts.states['deleted'] ?? '', choices: yesNo.slice(0, 1) },
          { name: 'sort', choices: Object.entries(words.orders) },
          { name: 'more', title: words.more, proposals: examples },
        ]}
        columns={[
          'id',
          { name: 'pagetitle', show: (row) => <Title row={row} /> },
          { name: 'state', show: (row) => <State of={stateOf(row)} /> },
          'context_key',
          { name: 'template', show: ({ template }) => names.get(String(template)) ?? '' },
          'editedon',
        ]}
      />
    </>
  );
}

function Title({ row: { id, pagetitle, uri } }: { readonly row: JsonObject }) {
  return (
    <>
      <a href={linkTo('site', 'resources', String(id))}>{String(pagetitle || id)}</a>
      <span class="help address">{String(uri ?? '')}</span>
    </>
  );
}

export function stateOf({ deleted, published }: JsonObject): string {
  return deleted === true ? 'deleted' : published === true ? 'published' : 'unpublished';
}

type Asked = Readonly<Record<string, string>>;

function optionsOf({ template, published, deleted, more, ...rest }: Asked): Record<string, Json> {
  const conditions = Object.entries({ template, published, deleted });
  const filter = conditions.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return {
    ...{ ...rest, filter: more === undefined ? filter : [...filter, more] },
    ...(deleted !== undefined && { all: true }),
  };
}
