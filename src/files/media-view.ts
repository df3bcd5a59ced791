/** Files as answers and commands show them. */
import { isoTimeOfMs } from '../values/dates.js';
import type { MediaFile } from './media-folder.js';
import { filesBase } from './media-path.js';
import { readPixels } from './pictures.js';

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

export async function fileView({ path, place, size, type, modified }: MediaFile, { withPixels = true } = {}) {
  const [plain = ''] = type.split(';');
  const pixels = withPixels ? await readPixels(place, plain) : null;
  return {
    ...{ path, url: `${filesBase}/${encodePath(path)}`, size, type: plain },
    modified: isoTimeOfMs(modified),
    ...(pixels === null ? {} : { width: pixels.width, height: pixels.height }),
  };
}
