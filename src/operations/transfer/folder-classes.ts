/** The classes of the CMS whose rows a folder holds and a site keeps, as data. Files of other classes are counted only. */

import { isSettingKey, settingDefinition } from '../../config/settings.js';
import { resourceClasses } from '../../content/models/elements.js';

export interface FolderClass {
  /** Empty for a class whose files are counted only. */
  readonly object: string;
  /** The column whose text stands below the line of dashes. */
  readonly body?: string;
  /** Of the CMS, where new records have others. Undefined: the member is always written. Null: also where it is empty. */
  readonly defaults?: Readonly<Record<string, string | null | undefined>>;
  readonly more?: readonly string[];
}

const resource: FolderClass = {
  object: 'resources',
  body: 'content',
  defaults: { context_key: 'web', class_key: 'modDocument' },
};

const kept: Readonly<Record<string, FolderClass>> = {
  modContext: { object: 'contexts' },
  modContextSetting: { object: 'context_settings', more: ['editedon'] },
  modSystemSetting: { object: 'settings', more: ['editedon'] },
  modContentType: { object: 'content_types', defaults: { icon: null } },
  modCategory: { object: 'categories' },
  modMediaSource: { object: 'media_sources' },
  modTemplate: { object: 'templates', body: 'content' },
  modTemplateVar: { object: 'tvs', body: 'default_text', defaults: { type: undefined } },
  modChunk: { object: 'chunks', body: 'snippet' },
  modSnippet: { object: 'snippets', body: 'snippet' },
  modResourceGroup: { object: 'resource_groups' },
  modTemplateVarTemplate: { object: 'template_tvs' },
  modMediaSourceElement: { object: 'tv_sources', defaults: { context_key: 'web' } },
  modResourceGroupResource: { object: 'page_groups' },
  ...Object.fromEntries(resourceClasses.map((name) => [name, resource])),
};

export const keptObjects = [...new Set(Object.values(kept).map(({ object }) => object))];

/** `modChunk` of `MODX\Revolution\modChunk`, `modMediaSource` of `sources.modMediaSource`. */
export function shortClass(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('\\'), name.lastIndexOf('.')) + 1);
}

export function classOf(name: string): FolderClass {
  const short = shortClass(name);
  return (Object.hasOwn(kept, short) ? kept[short] : undefined) ?? { object: '' };
}

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
