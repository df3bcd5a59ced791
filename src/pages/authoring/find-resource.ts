/** The resource whose page somebody wants to write or see. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { type PageResource, readPageResources } from '../rows/page-resources.js';

/** Deleted and unpublished resources too: their pages can be prepared. Throws not_found. */
export async function loadPageResource(store: Store, id: number): Promise<PageResource> {
  const resource = (await readPageResources(store, [id])).get(id);
  if (!resource) throw new AppError('not_found', { message: `There is no resource ${id}` });
  return resource;
}

/** The refusal for a resource without a page. */
export function noPage(resource: number): AppError {
  return new AppError('not_found', {
    message: `Resource ${resource} has no page document; hcd page edit ${resource} --file FILE makes one`,
  });
}
