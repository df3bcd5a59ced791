/** The translations of a page that are delivered too (docs/pages.md#one-page). */
import { translationFields } from '../../content/objects/core-objects.js';
import type { RecordJson } from '../../content/reading/select-rows.js';
import { loadTranslations } from '../../content/reading/translations.js';
import { findPageRows } from '../models/pages.js';
import { type DeliverySite, deliverable } from './deliverable.js';

export type LanguageLink = RecordJson;

/** The one in the context of the site comes once more, as `x-default`. */
export async function languageLinks(site: DeliverySite, id: number): Promise<readonly LanguageLink[]> {
  const { reader, registry, store, live } = site;
  const asked = { target: registry.resources, where: deliverable(site).anywhere, fields: translationFields };
  const rows = (await loadTranslations(reader, asked, [id])).byKey.get(id) ?? [];
  const ids = rows.map(({ record }) => Number(record['id']));
  const pages = await findPageRows(store.own.primary, ids);
  const delivered = new Set(pages.flatMap(({ resource, isPublished }) => (isPublished ? resource : [])));
  const links = rows.map(({ record }) => record).filter((one) => delivered.has(Number(one['id'])));
  const usual = live().settings.values.gateway_context;
  const ofSite = links.filter(({ context }) => context === usual);
  return [...links, ...ofSite.map((link) => ({ ...link, language: 'x-default' }))];
}
