/** Rows of contexts and of the settings of system and contexts. */
import { makeBatch, type SampleBatch, type SampleRow } from './batch.js';
import { contextPageSettings, contextSettings, furlSettings, pageSettings, siteSettings } from './data/settings.js';
import type { SiteTree } from './tree.js';

export function contextBatch(): SampleBatch {
  return makeBatch(
    'context',
    ['key'],
    [
      { key: 'web', name: 'Larkfell Outfitters', description: 'The main site.', rank: 0 },
      {
        key: 'journal',
        name: 'The Larkfell Journal',
        description: 'Articles, under an address of their own.',
        rank: 1,
      },
    ],
  );
}

/** Settings come last: they name pages. */
export function settingBatches({ links }: SiteTree): SampleBatch[] {
  const system = [
    ...[...furlSettings].map(([key, value]) => setting(key, value ?? '', 'furls')),
    ...Object.entries(siteSettings).map(([key, [value, area]]) => setting(key, value, area)),
    ...Object.entries(pageSettings).map(([key, page]) => setting(key, String(links.id(page)), 'site')),
  ];
  const ofContexts = [
    ...perContext(contextSettings, (value) => value),
    ...perContext(contextPageSettings, (page) => String(links.id(page))),
  ];
  return [
    makeBatch('system_settings', ['key'], system),
    makeBatch('context_setting', ['context_key', 'key'], ofContexts),
  ];
}

function perContext(
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>,
  textOf: (text: string) => string,
): SampleRow[] {
  return Object.entries(settings).flatMap(([context, values]) =>
    Object.entries(values).map(([key, text]) => ({ context_key: context, ...setting(key, textOf(text), 'site') })),
  );
}

function setting(key: string, value: string, area: string): SampleRow {
  return { key, value, xtype: 'textfield', namespace: 'core', area };
}
