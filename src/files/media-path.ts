/** Paths of files below the media folder: parts joined by slashes, as addresses and commands have them. */

export const filesBase = '/files';

/** Bytes of one part, as most file systems take it. */
const longestPart = 255;
const longestPath = 1000;
/** Joiners are letters of Persian and parts of emoji. */
const controls = /[^\P{C}\u200c\u200d]/u;

/** Null for a path that names no file that may be served: hidden, outside, or not a name on every file system. */
export function readMediaPath(path: string): string | null {
  const parts = path.split('/');
  return path.length <= longestPath && parts.every(isPart) ? path : null;
}

/** Decodes part by part, so that an encoded slash separates nothing. */
export function readMediaAddress(encoded: string): string | null {
  // An unreadable part becomes one that no file has.
  const parts = encoded.split('/').map((part) => decodedPath(part, '/'));
  return parts.some((part) => part.includes('/')) ? null : readMediaPath(parts.join('/'));
}

function isPart(part: string): boolean {
  if (part === '' || part.startsWith('.') || /[. ]$/.test(part) || part.startsWith(' ')) return false;
  return Buffer.byteLength(part) <= longestPart && !/[\\:*?"<>|]/.test(part) && !controls.test(part);
}

export function decodedPath(path: string, otherwise = path): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return otherwise;
  }
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
