/** What keeps readers from seeing a published page, for people. */

import type { PageView } from '../../src/pages/authoring/page-view.js';
import { isOpen } from '../../src/pages/delivery/is-open.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { deliverySiteOf } from './page-authoring.js';

export async function visibilityNotes(
  { resource, about }: PageView,
  { store, deps }: { readonly store: Store; readonly deps: Deps },
): Promise<readonly string[]> {
  if (about === null) return [`There is no resource ${resource} any more: nobody sees the page.`];
  if (about.isDeleted) return [`The resource is deleted: nobody sees the page until hcd resource restore ${resource}.`];
  if (!about.isPublished)
    return [`The resource itself is not published: nobody sees the page until hcd resource publish ${resource}.`];
  if (await isOpen(await deliverySiteOf(store, deps), resource)) return [];
  return ['The resource is closed to anonymous visitors by access rules: nobody sees the page until they change.'];
}
