/** Attributes are named as the fields of objects. */
import type { Reader, Tx } from '../../store/base/database.js';
import { flag, id, integer, key, orEmpty, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const contexts = defineModel('context', {
  key: key(text(100)),
  name: orNull(text(191)),
  description: orNull(text()),
  ...withDefaults({ rank: integer() }),
});

export async function readContextKeys(reader: Reader, prefix: string): Promise<string[]> {
  const rows = await contexts.on(reader, prefix).lookUpAll({}, { attributes: ['key'], order: ['rank', 'key'] });
  return rows.map(({ key: name }) => name);
}

/** Resources shown in a context other than their own (docs/reference/storage.md#contexts). */
export const contextResources = defineModel('context_resource', {
  contextKey: key(text(191)),
  resource: key(integer()),
});

const script = {
  id: id(),
  ...withDefaults({ name: text(50), description: text(255) }),
  snippet: orNull(text()),
  ...withDefaults({ category: integer(), cache_type: integer(), locked: flag() }),
};

export const chunks = defineModel('site_htmlsnippets', {
  ...script,
  properties: orNull(text()),
  ...withDefaults({ static: flag() }),
});
export const snippets = defineModel('site_snippets', script);

export const templates = defineModel('site_templates', {
  id: id(),
  ...withDefaults({
    templatename: text(50),
    description: text(255),
    category: integer(),
    icon: text(255),
    template_type: integer(),
  }),
  content: text(),
  ...withDefaults({ locked: flag() }),
});

export const categories = defineModel('categories', {
  id: id(),
  parent: orEmpty(integer()),
  ...withDefaults({ category: text(45), rank: integer() }),
});

export const contentTypes = defineModel('content_type', {
  id: id(),
  name: text(191),
  description: orNull(text()),
  mime_type: orNull(text()),
  file_extensions: orNull(text()),
  icon: orNull(text()),
  ...withDefaults({ binary: flag() }),
});

export const mediaSources = defineModel('media_sources', {
  id: id(),
  ...withDefaults({ name: text(191), classKey: text(100) }),
  properties: orNull(text()),
});

export type MediaSourceRow = RowOf<typeof mediaSources> & { readonly usualBase?: string };

const sourceLinks = defineModel('media_sources_elements', {
  ...withDefaults({
    source: key(integer()),
    objectClass: key(text(100)),
    object: key(integer()),
    contextKey: key(text(100)),
  }),
});

const namespace = 'MODX\\Revolution\\';

/** `modChunk` of `MODX\Revolution\modChunk`; the name of an extra as it is. */
export function ownClass(name: string): string {
  return name.startsWith(namespace) ? name.slice(namespace.length) : name;
}

/** With or without its namespace: releases before 3 have none, and write `sources.modMediaSource`. */
export function spellClass(name: string, { shortClassNames }: { readonly shortClassNames: boolean }): string {
  const own = ownClass(name);
  if (!shortClassNames) return namespace + own;
  const [last = '', folder] = own.split('\\').toReversed();
  return folder === undefined ? last : `${folder.toLowerCase()}.${last}`;
}

/** Those that the CMS brings; extras add others. */
export const resourceClasses = ['modDocument', 'modWebLink', 'modSymLink', 'modStaticResource', 'modResource'] as const;

export function isResourceClass(name: string): boolean {
  return resourceClasses.some((known) => known === ownClass(name));
}

/** As `spellClass` writes it. */
const tvClasses = [`${namespace}modTemplateVar`, 'modTemplateVar'];

export async function readTvSources(
  reader: Reader,
  prefix: string,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const links = await sourceLinks.on(reader, prefix).lookUpAll({}, { order: ['contextKey', 'object', 'source'] });
  const byContext = new Map<string, Map<number, number>>();
  for (const { source, objectClass, object, contextKey } of links) {
    if (!tvClasses.includes(objectClass)) continue;
    const sources = byContext.get(contextKey) ?? new Map<number, number>();
    byContext.set(contextKey, sources);
    if (!sources.has(object)) sources.set(object, source);
  }
  return byContext;
}

export async function readTvsOfSource(reader: Reader, prefix: string, source: number): Promise<readonly number[]> {
  const links = await sourceLinks.on(reader, prefix).lookUpAll({ source });
  return links.filter(({ objectClass }) => tvClasses.includes(objectClass)).map(({ object }) => object);
}

type SourceLink = Partial<Pick<RowOf<typeof sourceLinks>, 'source' | 'object' | 'contextKey'>>;

export async function removeTvSources(tx: Tx, prefix: string, where: SourceLink): Promise<void> {
  await sourceLinks.on(tx, prefix).destroy({ where: { ...where, objectClass: tvClasses } });
}
