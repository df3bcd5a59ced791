/** Notes on what keeps readers from seeing a published page. */

import type { PageView } from '../../src/pages/authoring/page-view.js';
import { isOpen } from '../../src/pages/delivery/resource-facts.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { deliverySiteOf } from './page-authoring.js';

export async function visibilityNotes(
  { resource, about }: PageView,
  { store, deps }: { readonly store: Store; readonly deps: Deps },
): Promise<readonly string[]> {
  if (about === null) return [`The page is not visible: resource ${resource} no longer exists.`];
  if (about.isDeleted)
    return [`The page is not visible: its resource is deleted. Restore it: hcd resource restore ${resource}`];
  if (!about.isPublished)
    return [`The page is not visible: its resource is not published. Publish it: hcd resource publish ${resource}`];
  if (await isOpen(await deliverySiteOf(store, deps), resource)) return [];
  return ['The page is not visible: access rules do not let anonymous visitors see its resource.'];
}
