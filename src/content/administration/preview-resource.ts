/** Previews as commands make them: for a user, or for anonymous callers. */
import { type Administration, callerOfPreview } from '../live/administrator.js';
import { isShownByPreview } from '../reading/previewed-resource.js';

interface Asked {
  readonly resource: number;
  /** The context of the resource. */
  readonly context: string;
  /** Null = the preview has the rights of anonymous callers. */
  readonly userId: number | null;
}

/** Whether anybody could see the resource with such a preview, in the gateway or as a page. */
export async function wouldPreviewShow(admin: Administration, { resource, ...rights }: Asked): Promise<boolean> {
  const caller = await callerOfPreview(admin, rights);
  return isShownByPreview(admin.reader, { caller, context: rights.context, resource });
}
