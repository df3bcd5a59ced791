/** The classes of the CMS whose rows a folder holds and a site keeps, as data. Files of other classes are counted only. */

import { isSettingKey, settingDefinition } from '../../config/settings.js';
import { resourceClasses } from '../../content/models/elements.js';

export interface FolderClass {
  readonly object: string;
  readonly primary: readonly string[];
  /** Usual folder below the data directory, and extension of its files. */
  readonly folder: string;
  readonly extension: string;
  /** The column whose text stands below the line of dashes. */
  readonly body?: string;
  /** Of the CMS, where new records have others. Undefined: the member is always written. */
  readonly defaults?: Readonly<Record<string, string | undefined>>;
  readonly more?: readonly string[];
}

function files(object: string, folder: string, ...primary: readonly string[]): FolderClass {
  return { object, primary, folder, extension: '.yaml' };
}

const resource: FolderClass = {
  ...files('resources', 'content', 'id'),
  ...{ extension: '.html', body: 'content', defaults: { context_key: 'web', class_key: 'modDocument' } },
};

const kept: Readonly<Record<string, FolderClass>> = {
  modContext: files('contexts', 'contexts', 'key'),
  modContextSetting: {
    ...files('context_settings', 'context_settings', 'context_key', 'key'),
    more: ['editedon'],
  },
  modSystemSetting: { ...files('settings', 'system_settings', 'key'), more: ['editedon'] },
  modContentType: { ...files('content_types', 'content_types', 'name'), defaults: { icon: '' } },
  modCategory: files('categories', 'categories', 'category'),
  modMediaSource: files('media_sources', 'mediasources', 'id'),
  modTemplate: { ...files('templates', 'templates', 'templatename'), extension: '.html', body: 'content' },
  modTemplateVar: {
    ...files('tvs', 'template_variables', 'name'),
    ...{ body: 'default_text', defaults: { type: undefined } },
  },
  modChunk: { ...files('chunks', 'chunks', 'name'), extension: '.html', body: 'snippet' },
  modSnippet: { ...files('snippets', 'snippets', 'name'), extension: '.php', body: 'snippet' },
  modResourceGroup: files('resource_groups', 'resource_groups', 'name'),
  modTemplateVarTemplate: files('template_tvs', 'template_variables_access', 'tmplvarid', 'templateid'),
  modMediaSourceElement: {
    ...files('tv_sources', 'mediasource_elements', 'source', 'object_class', 'object', 'context_key'),
    defaults: { context_key: 'web' },
  },
  modResourceGroupResource: files('page_groups', 'resource_group_resources', 'document_group', 'document'),
  ...Object.fromEntries(resourceClasses.map((name) => [name, resource])),
};

export const keptObjects = [...new Set(Object.values(kept).map(({ object }) => object))];

/** `modChunk` of `MODX\Revolution\modChunk`, `modMediaSource` of `sources.modMediaSource`. */
export function shortClass(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('\\'), name.lastIndexOf('.')) + 1);
}

export function classOf(name: string): FolderClass | undefined {
  return Object.hasOwn(kept, shortClass(name)) ? kept[shortClass(name)] : undefined;
}

/** In the order in which records refer to one another. */
export const usualPartitions: readonly { readonly name: string; readonly class: string }[] = [
  ...['modContext', 'modContextSetting', 'modContentType', 'modCategory', 'modMediaSource', 'modTemplateVar'],
  ...['modTemplate', 'modTemplateVarTemplate', 'modMediaSourceElement', 'modChunk', 'modSnippet'],
  ...['modResourceGroup', 'modDocument', 'modResourceGroupResource'],
].map((name) => ({ name: kept[name]?.folder ?? '', class: name }));

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
