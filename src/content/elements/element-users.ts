/** What refers to an element. */
import { Op } from 'sequelize';
import type { ErrorDetails } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { readTvsOfSource } from '../models/elements.js';
import { siteContent } from '../models/resources.js';
import { readContextSettings, readSystemSettings } from '../models/settings.js';
import { tvTemplates, tvValues } from '../models/template-variables.js';
import { categoryField, type ElementKind, elementKinds, kindNamed } from './element-kinds.js';
import { type ElementKey, type ElementWork, readElements } from './element-work.js';

export type ElementUser = NonNullable<ErrorDetails['usedBy']>[number];

export async function usersOf(work: ElementWork, key: ElementKey, name: string): Promise<readonly ElementUser[]> {
  const id = Number(key);
  const { tx, prefix } = work;
  switch (work.kind.object) {
    case 'contexts':
      return resourcesWith(work, { context_key: String(key) });
    case 'templates':
      return [...(await resourcesWith(work, { template: id })), ...(await settingsNaming(tx, prefix)).templates(id)];
    case 'content_types':
      return resourcesWith(work, { content_type: id });
    case 'categories':
      return inCategory(work, id);
    case 'tvs': {
      const joined = await tvTemplates.on(tx, prefix).lookUpAll({ tmplvarid: id });
      const values = await tvValues.on(tx, prefix).lookUpAll({ tmplvarid: id }, { attributes: ['contentid'] });
      const ids = new Set(joined.map(({ templateid }) => templateid));
      const templates = await elementsWith(work, kindNamed('templates'), {
        field: 'id',
        fits: (id) => ids.has(Number(id)),
      });
      return [...templates, ...(await resourcesWith(work, { id: values.map(({ contentid }) => contentid) }))];
    }
    case 'media_sources': {
      const ids = new Set(await readTvsOfSource(tx, prefix, id));
      return elementsWith(work, kindNamed('tvs'), { field: 'id', fits: (tv) => ids.has(Number(tv)) });
    }
    case 'chunks':
      return withTag(work, `$${name}`);
    default:
      return withTag(work, name);
  }
}

const namingPages = ['site_start', 'error_page', 'unauthorized_page', 'site_unavailable_page'];
const namingTemplates = ['default_template'];

/** The settings of the site and its contexts whose value is the id of a resource or template. */
export async function settingsNaming(tx: Tx, prefix: string) {
  const keys = [...namingPages, ...namingTemplates];
  const system = await readSystemSettings(tx, prefix, keys);
  const all = [
    ...system.map(({ key, value }) => ({ object: 'settings', id: key, name: key, key, value })),
    ...(await readContextSettings(tx, prefix, { keys })).map(({ contextKey, key, value }) => ({
      ...{ object: 'context_settings', id: `${contextKey}.${key}`, name: `${contextKey}.${key}`, key, value },
    })),
  ];
  const naming =
    (names: readonly string[]) =>
    (id: number): readonly ElementUser[] =>
      all
        .filter(({ key, value }) => names.includes(key) && value.trim() === String(id))
        .map(({ object, id: user, name }) => ({ object, id: user, name }));
  return { resources: naming(namingPages), templates: naming(namingTemplates) };
}

type ResourceKey = Parameters<ReturnType<typeof siteContent.on>['lookUpAll']>[0];

async function resourcesWith({ tx, prefix }: ElementWork, key: ResourceKey): Promise<ElementUser[]> {
  const how = { attributes: ['id', 'pagetitle'], order: ['id'] } as const;
  const rows = await siteContent.on(tx, prefix).lookUpAll(key, how);
  return rows.map(({ id, pagetitle }) => ({ object: 'resources', id, name: pagetitle }));
}

async function elementsWith(
  work: ElementWork,
  kind: ElementKind,
  { field, fits }: { readonly field: string; readonly fits: (value: unknown) => boolean },
): Promise<ElementUser[]> {
  const { object, nameField } = kind;
  const rows = await readElements(work, kind, { fields: ['id', nameField, field] });
  return rows
    .filter((row) => fits(row.raw(field)))
    .map((row) => ({ object, id: Number(row.raw('id')), name: String(row.raw(nameField)) }));
}

async function inCategory(work: ElementWork, category: number): Promise<ElementUser[]> {
  const users: ElementUser[] = [];
  for (const kind of elementKinds) {
    const field = categoryField(kind);
    if (field === undefined) continue;
    users.push(...(await elementsWith(work, kind, { field, fits: (value) => Number(value) === category })));
  }
  return users;
}

/** Texts that call the chunk `$name` or the snippet `name` by a tag. */
async function withTag(work: ElementWork, called: string): Promise<ElementUser[]> {
  const { tx, prefix } = work;
  const users: ElementUser[] = [];
  for (const [object, field] of [
    ['templates', 'content'],
    ['chunks', 'snippet'],
  ] as const) {
    const fits = (text: unknown) => hasTag(String(text ?? ''), called);
    users.push(...(await elementsWith(work, kindNamed(object), { field, fits })));
  }
  const where = { content: { [Op.like]: `%[[%${called}%` } };
  const rows = await siteContent.on(tx, prefix).findAll({ attributes: ['id', 'pagetitle', 'content'], where });
  const calling = rows.filter(({ content }) => hasTag(content ?? '', called));
  return [...users, ...calling.map(({ id, pagetitle }) => ({ object: 'resources', id, name: pagetitle }))];
}

/** `called` is a name, with a sign of its kind in front. */
function hasTag(text: string, called: string): boolean {
  for (const tag of [`[[${called}`, `[[!${called}`]) {
    for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + 1)) {
      if (/^$|^[\]?:@`&\s]/.test(text.slice(at + tag.length, at + tag.length + 1))) return true;
    }
  }
  return false;
}
