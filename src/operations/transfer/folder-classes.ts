/** The classes of the CMS whose rows a folder holds and a site keeps, as data. Files of other classes are counted only. */
import { isSettingKey, settingDefinition } from '../../config/settings.js';

export interface FolderClass {
  readonly object: string;
  readonly primary: readonly string[];
  /** Usual folder below the data directory, and extension of its files. */
  readonly folder: string;
  readonly extension: string;
  /** The column whose text stands below the line of dashes. */
  readonly body?: string;
  /** In the order of the files; with the value that the CMS leaves out. */
  readonly columns: ReadonlyMap<string, string | undefined>;
}

/** Rows that join two records, and belong to the first. */
export interface FolderJoin {
  readonly join: 'tvs' | 'media_sources' | 'groups';
  readonly table: string;
  readonly primary: readonly string[];
  readonly folder: string;
  readonly columns: ReadonlyMap<string, string | undefined>;
}

function columns(text: string): ReadonlyMap<string, string | undefined> {
  return new Map(
    text.split(/\s+/).map((word) => {
      const [name = '', byDefault] = word.split('=');
      return [name, byDefault];
    }),
  );
}

const setting = 'value= xtype=textfield namespace=core area= editedon';
const element = 'id source=0 property_preprocess=0';

const resource: FolderClass = {
  ...{ object: 'resources', primary: ['id'], folder: 'content', extension: '.html', body: 'content' },
  columns: columns(
    `id type=document pagetitle= longtitle= description= alias= link_attributes= published=0 pub_date=0 unpub_date=0
    parent=0 isfolder=0 introtext content richtext=1 template=0 menuindex=0 searchable=1 cacheable=1 createdby=0
    createdon=0 editedby=0 editedon=0 deleted=0 deletedon=0 deletedby=0 publishedon=0 publishedby=0 menutitle=
    content_dispo=0 hidemenu=0 class_key=modDocument context_key=web content_type=1 uri uri_override=0
    hide_children_in_tree=0 show_in_tree=1 properties alias_visible=1`,
  ),
};

const kept: Readonly<Record<string, FolderClass>> = {
  modContext: {
    ...{ object: 'contexts', primary: ['key'], folder: 'contexts', extension: '.yaml' },
    columns: columns('key name description rank=0'),
  },
  modContextSetting: {
    ...{ object: 'context_settings', primary: ['context_key', 'key'], folder: 'context_settings', extension: '.yaml' },
    columns: columns(`context_key key ${setting}`),
  },
  modSystemSetting: {
    ...{ object: 'settings', primary: ['key'], folder: 'system_settings', extension: '.yaml' },
    columns: columns(`key ${setting}`),
  },
  modContentType: {
    ...{ object: 'content_types', primary: ['name'], folder: 'content_types', extension: '.yaml' },
    columns: columns('id name description mime_type file_extensions icon= headers binary=0'),
  },
  modCategory: {
    ...{ object: 'categories', primary: ['category'], folder: 'categories', extension: '.yaml' },
    columns: columns('id parent=0 category= rank=0'),
  },
  modMediaSource: {
    ...{ object: 'media_sources', primary: ['id'], folder: 'mediasources', extension: '.yaml' },
    columns: columns('id name= description class_key=modFileMediaSource properties is_stream=1'),
  },
  modTemplate: {
    ...{ object: 'templates', primary: ['templatename'], folder: 'templates', extension: '.html', body: 'content' },
    columns: columns(
      `${element} templatename= description= editor_type=0 category=0 icon= template_type=0 content locked=0
      properties static=0 static_file= preview_file=`,
    ),
  },
  modTemplateVar: {
    ...{ object: 'tvs', primary: ['name'], folder: 'template_variables', extension: '.yaml', body: 'default_text' },
    columns: columns(
      `${element} type name= caption= description= editor_type=0 category=0 locked=0 elements rank=0 display=
      default_text properties input_properties output_properties static=0 static_file=`,
    ),
  },
  modChunk: {
    ...{ object: 'chunks', primary: ['name'], folder: 'chunks', extension: '.html', body: 'snippet' },
    columns: columns(
      `${element} name= description= editor_type=0 category=0 cache_type=0 snippet locked=0 properties static=0
      static_file=`,
    ),
  },
  modSnippet: {
    ...{ object: 'snippets', primary: ['name'], folder: 'snippets', extension: '.php', body: 'snippet' },
    columns: columns(
      `${element} name= description= editor_type=0 category=0 cache_type=0 snippet locked=0 properties moduleguid=
      static=0 static_file=`,
    ),
  },
  modResourceGroup: {
    ...{ object: 'resource_groups', primary: ['name'], folder: 'resource_groups', extension: '.yaml' },
    columns: columns('id name= private_memgroup=0 private_webgroup=0'),
  },
  modDocument: resource,
  modResource: resource,
  modWebLink: resource,
  modSymLink: resource,
  modStaticResource: resource,
};

export const keptObjects = [...new Set(Object.values(kept).map(({ object }) => object))];

const joins: Readonly<Record<string, FolderJoin>> = {
  modTemplateVarTemplate: {
    ...{ join: 'tvs', table: 'site_tmplvar_templates', folder: 'template_variables_access' },
    primary: ['tmplvarid', 'templateid'],
    columns: columns('tmplvarid=0 templateid=0 rank=0'),
  },
  modMediaSourceElement: {
    ...{ join: 'media_sources', table: 'media_sources_elements', folder: 'mediasource_elements' },
    primary: ['source', 'object_class', 'object', 'context_key'],
    columns: columns('source=0 object_class=modTemplateVar object=0 context_key=web'),
  },
  modResourceGroupResource: {
    ...{ join: 'groups', table: 'document_groups', folder: 'resource_group_resources' },
    primary: ['document_group', 'document'],
    columns: columns('id document_group=0 document=0'),
  },
};

/** Columns and kinds of the two records that a join has: its owner, then the other. */
export const joinEnds = {
  tvs: [
    ['templateid', 'templates'],
    ['tmplvarid', 'tvs'],
  ],
  groups: [
    ['document', 'resources'],
    ['document_group', 'resource_groups'],
  ],
  media_sources: [
    ['object', 'tvs'],
    ['source', 'media_sources'],
  ],
} as const;

/** Columns with an id of the store, for which files made by hand may have the name. */
export const referred: Readonly<
  Record<string, 'templates' | 'tvs' | 'media_sources' | 'content_types' | 'resource_groups'>
> = {
  ...{ template: 'templates', templateid: 'templates', tmplvarid: 'tvs', object: 'tvs' },
  ...{ source: 'media_sources', content_type: 'content_types', document_group: 'resource_groups' },
};

/** Objects that have a key instead of an id. */
export const keyed: ReadonlySet<string> = new Set(['contexts', 'context_settings', 'settings']);

/** `modChunk` of `MODX\Revolution\modChunk`, `modMediaSource` of `sources.modMediaSource`. */
export function shortClass(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('\\'), name.lastIndexOf('.')) + 1);
}

export function classOf(name: string): FolderClass | undefined {
  return Object.hasOwn(kept, shortClass(name)) ? kept[shortClass(name)] : undefined;
}

export function joinOf(name: string): FolderJoin | undefined {
  return Object.hasOwn(joins, shortClass(name)) ? joins[shortClass(name)] : undefined;
}

/** In the order in which records refer to one another. */
export const usualPartitions: readonly { readonly name: string; readonly class: string }[] = [
  ...['modContext', 'modContextSetting', 'modContentType', 'modCategory', 'modMediaSource', 'modTemplateVar'],
  ...['modTemplate', 'modTemplateVarTemplate', 'modMediaSourceElement', 'modChunk', 'modSnippet'],
  ...['modResourceGroup', 'modDocument', 'modResourceGroupResource'],
].map((name) => ({ name: (kept[name] ?? joins[name])?.folder ?? '', class: name }));

/** Members of older versions of the CMS. */
export const oldMembers: ReadonlySet<string> = new Set(
  'contentType privateweb privatemgr donthit haskeywords hasmetatags'.split(' '),
);

const siteSettings =
  /^(friendly_\w+|use_(alias_path|frozen_parent_uris|multibyte)|automatic_alias|container_suffix|global_duplicate_uri_check|auto_(isfolder|menuindex)|default_(template|content_type|context|media_source)|site_(start|name|url|unavailable_page)|base_url|assets_url|error_page|unauthorized_page|date_timezone)$/;
const secret = /passw|secret|token|key|credential/i;

export function isSecretSetting(key: string): boolean {
  return key !== 'cultureKey' && secret.test(key);
}

/** The system settings that the program reads; never secrets. */
export function isKeptSetting(key: string): boolean {
  if (isSecretSetting(key)) return false;
  return isSettingKey(key) ? !settingDefinition(key).secret : siteSettings.test(key) || key === 'cultureKey';
}
