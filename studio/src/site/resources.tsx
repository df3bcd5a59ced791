/** Resources: a list with the filters of the gateway, and a form with fields and template variables by their types. */
import { CommandButton, openMade } from '../action.js';
import { type Json, type JsonObject, recordOf, useRun } from '../api.js';
import { CommandForm, type Known, useDraft } from '../command-form.js';
import { type Asked, ListView, useChoices } from '../list-view.js';
import { MediaInput, pageOfSite } from '../pages/pickers.js';
import type { Control } from '../parameter-field.js';
import { commandOf, linkTo } from '../site.js';
import { texts } from '../texts.js';
import { Head, State, textOf } from '../values.js';

const t = texts.site;

const fields = 'id,pagetitle,context_key,template,published,deleted,uri,editedon';
const examples = ['pagetitle[like]=%news%', 'parent=', 'editedon[gte]=2026-01-01', 'tv.NAME='];

function useElements(kind: string, ...members: readonly [id: string, name: string]) {
  return useChoices('element list', { arguments: [kind], options: { fields: members.join(), limit: 1000 } }, members);
}

export const useTemplates = () => useElements('templates', 'id', 'templatename');
const useContexts = () => useElements('contexts', 'key', 'name');

export function ResourcesTab() {
  const templates = useTemplates();
  const contexts = useContexts();
  const names = new Map(templates);
  const yesNo = Object.entries(texts.yesNo);
  return (
    <ListView
      path="resource list"
      label={t.tabs.resources}
      level="h1"
      beside={commandOf('resource create') && <a href={linkTo('site', 'resources', 'new')}>{t.create}</a>}
      options={{ fields }}
      ask={optionsOf}
      filters={[
        { name: 'q', title: texts.find },
        { name: 'context', choices: contexts },
        { name: 'template', choices: templates },
        { name: 'published', title: texts.states['published'] ?? '', choices: yesNo },
        { name: 'deleted', title: texts.states['deleted'] ?? '', choices: yesNo.slice(0, 1) },
        { name: 'sort', unset: texts.none, choices: Object.entries(t.orders) },
        { name: 'more', title: t.more, proposals: examples },
      ]}
      columns={[
        'id',
        {
          ...{ name: 'pagetitle', show: ({ pagetitle, id }) => textOf(pagetitle || id) },
          to: ({ id }) => linkTo('site', 'resources', String(id)),
          below: ({ uri }) => textOf(uri),
        },
        { name: 'state', show: (row) => <State of={stateOf(row)} /> },
        'context_key',
        { name: 'template', show: ({ template }) => names.get(String(template)) ?? '' },
        'editedon',
      ]}
    />
  );
}

function stateOf({ deleted, published }: JsonObject): string {
  return deleted === true ? 'deleted' : published === true ? 'published' : 'unpublished';
}

function optionsOf({ template, published, deleted, more, ...rest }: Asked): Record<string, Json> {
  const conditions = Object.entries({ template, published, deleted });
  const filter = conditions.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return { ...rest, filter: [...filter, more ?? []].flat(), ...(deleted !== undefined && { all: true }) };
}

/** `new` is one that is not there yet. */
export function ResourcePage({ id }: { readonly id: string }) {
  const isNew = id === 'new';
  const path = isNew ? null : 'resource show';
  const { result, record, notice } = useRun(path, { arguments: [id], options: { tvs: true } });
  const draft = useDraft(`resource ${id}`);
  const tvs = useTvs(textOf(draft.values['template'] ?? record['template']));
  const [templates, contexts] = [useTemplates(), useContexts()];
  if (result === null) return notice;
  const publish = record['published'] === true ? 'unpublish' : 'publish';
  const remove = record['deleted'] === true ? 'restore' : 'delete';
  const save = isNew ? 'resource create' : 'resource update';
  const options = commandOf(save)?.options ?? [];
  const known: Known = {
    ...Object.fromEntries(options.map(({ name, kind }) => [name, knownOf[kind] ?? {}])),
    ...Object.fromEntries(tvs.map((tv) => [`tv.${tv['name']}`, tvField(tv)])),
    parent: { emptied: '0', control: pageOfSite },
    template: { emptied: '0', kind: 'choice', choices: templates, isOpen: false },
    'context-key': { kind: 'choice', choices: contexts, isOpen: false },
  };
  return (
    <>
      {notice}
      <Head
        level="h1"
        label={isNew ? t.create : textOf(record['pagetitle'])}
        {...(!isNew && { state: stateOf(record) })}
        back={[linkTo('site', 'resources'), t.tabs.resources]}
      >
        {!isNew && (
          <>
            <CommandButton path={`resource ${publish}`} words={[id]} label={texts.writing[publish]} />
            <CommandButton path={`resource ${remove}`} words={[id]} label={t[remove]} />
          </>
        )}
      </Head>
      <CommandForm
        {...{ path: save, known, draft, flags: resourceFlags }}
        {...(isNew
          ? { submit: texts.create, onDone: openMade('site', 'resources') }
          : { words: [id], stored: { ...record, ...tvsOf(record, known) } })}
        groups={[
          { names: mainFields },
          { title: t.tvs, names: tvs.map(({ name }) => `tv.${name}`) },
          {
            ...{ title: t.moreFields, isFolded: true },
            names: options.map(({ name }) => name).filter((name) => !notFields.has(name)),
          },
        ]}
      />
    </>
  );
}

const knownOf: Readonly<Record<string, Known[string]>> = {
  time: { emptied: 'null' },
  choice: { choices: Object.entries(texts.yesNo) },
};

function tvsOf({ tvs }: JsonObject, known: Known): JsonObject {
  const stored = Object.entries(recordOf(tvs)).map(([name, value]) => [`tv.${name}`, value] as const);
  return Object.fromEntries(
    stored.map(([name, value]) => [name, known[name]?.kind === 'list' ? textOf(value).split('||') : value]),
  );
}

function useTvs(template: string): readonly JsonObject[] {
  const { rows } = useRun('element list', { arguments: ['tvs'], options: { limit: 1000 } });
  return rows.filter(({ templates }) => textOf(templates).split(', ').includes(template));
}

const mainFields = [
  ...['pagetitle', 'longtitle', 'description', 'alias', 'published', 'parent', 'template', 'introtext', 'content'],
  ...['menutitle', 'menuindex', 'hidemenu', 'pub-date', 'unpub-date'],
];
const notFields: ReadonlySet<string> = new Set([...mainFields, 'data', 'tv', 'trust', 'events']);

const controls: Readonly<Record<string, Control>> = {
  resourcelist: pageOfSite,
  image: (field) => <MediaInput {...field} />,
  file: (field) => <MediaInput {...field} type={null} />,
};
const long: ReadonlySet<string> = new Set(['textarea', 'richtext', 'rawtextarea', 'migx']);
/** Of those with choices; the values of a list are stored with two bars between them. */
const kinds: Readonly<Record<string, 'choice' | 'list'>> = {
  ...{ option: 'choice', listbox: 'choice', checkbox: 'list', 'listbox-multiple': 'list' },
};

function tvField(tv: JsonObject): Known[string] {
  const [name = '', type = '', elements = ''] = ['name', 'type', 'elements'].map((member) => textOf(tv[member]));
  // A binding is evaluated by the content system, so its choices are not known.
  const kind = elements === '' || elements.startsWith('@') ? undefined : kinds[type];
  const schema = recordOf(tv['accepts']);
  return {
    ...{ label: `--tv ${name}`, title: textOf(tv['caption']) || name, description: textOf(tv['description']) },
    ...{ schema, required: schema['required'] === true, isLong: long.has(type), control: controls[type] },
    ...(kind && { kind, isOpen: false, choices: elements.split('||').map(pairOf) }),
  };
}

/** `Shown==stored`, or one for both. */
function pairOf(element: string): readonly [string, string] {
  const [shown = '', stored = shown] = element.split('==');
  return [stored, shown];
}

/** Template variables have one flag for all. */
function resourceFlags(changed: Readonly<Record<string, Json>>) {
  const kindOf = ([name]: readonly [string, Json]) => (name.startsWith('tv.') ? 'tvs' : 'fields');
  const { tvs, fields = [] } = Object.groupBy(Object.entries(changed), kindOf);
  const tv = tvs?.map(([name, value]) => `${name.slice(3)}=${[value].flat().join('||')}`);
  return { ...Object.fromEntries(fields), ...(tv && { tv }) };
}
