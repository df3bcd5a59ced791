/** Previews as commands make them: for a user, or for anonymous callers. */
import { type Administration, callerOfPreview } from '../live/administrator.js';
import { uriInPreview } from '../reading/previewed-resource.js';

interface Asked {
  readonly resource: number;
  readonly context: string;
  readonly userId: number | null;
}

/** Null when such a preview would show the resource neither in the gateway nor as a page. */
export async function uriToPreview(admin: Administration, { resource, ...rights }: Asked): Promise<string | null> {
  const caller = await callerOfPreview(admin, rights);
  return uriInPreview(admin.reader, { caller, context: rights.context, resource });
}
