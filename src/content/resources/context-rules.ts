/** The settings of a context that decide what a mutation of a resource writes, read once per view of the live state. */

import type { LiveSnapshot } from '../live/live-state.js';
import { type ContentSettings, flagSetting, integerSetting, textSetting } from '../rules/settings.js';
import { readUriSettings, type UriSettings } from '../rules/uri.js';

export interface ContextRules {
  readonly settings: ContentSettings;
  readonly uri: UriSettings;
  /** A parent becomes a container with its first child. */
  readonly autoIsfolder: boolean;
  readonly autoMenuindex: boolean;
  /** URIs are unique across all contexts, not only within one. */
  readonly globalUris: boolean;
  readonly startPage: number;
  /** Id -> setting of the pages without which the site does not work; they cannot be deleted or unpublished. */
  readonly keptPages: ReadonlyMap<number, string>;
  /** Class names as the CMS of this database spells them: without namespace before version 3. */
  readonly shortClassNames: boolean;
}

const known = new WeakMap<LiveSnapshot, Map<string, ContextRules>>();

export function contextRules(live: LiveSnapshot, context: string): ContextRules {
  const byContext = known.get(live) ?? new Map<string, ContextRules>();
  known.set(live, byContext);
  const rules = byContext.get(context) ?? readRules(live, context);
  byContext.set(context, rules);
  return rules;
}

function readRules(live: LiveSnapshot, context: string): ContextRules {
  const settings: ContentSettings = new Map([...live.system, ...(live.byContext.get(context) ?? [])]);
  // The first of the three names the page where one page serves as several.
  const pages = ['site_unavailable_page', 'error_page', 'site_start'].map((key): [number, string] => [
    integerSetting(settings, key, 0),
    key,
  ]);
  return Object.freeze({
    settings,
    uri: readUriSettings(settings).settings,
    autoIsfolder: flagSetting(settings, 'auto_isfolder', true),
    autoMenuindex: flagSetting(settings, 'auto_menuindex', true),
    globalUris: flagSetting(settings, 'global_duplicate_uri_check', false),
    startPage: integerSetting(settings, 'site_start', 1),
    keptPages: new Map(pages.filter(([id]) => id > 0)),
    shortClassNames: textSetting(settings, 'settings_version', '3').startsWith('2.'),
  });
}
