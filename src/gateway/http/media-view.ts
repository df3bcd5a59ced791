/** Addresses and cache tags of files. */
import { keyTag, objectTag } from '../../content/live/content-tags.js';

export const filesBase = '/files';

/** Null: of all files. */
export function fileTag(path: string | null): string {
  return path === null ? objectTag('files') : keyTag('files', path);
}
