/** Addresses in a list of redirects, as people write them (docs/gateway.md#moved-pages). */
import { parseUrl, trimStartOf } from '../../values/text.js';
import { uriProblem } from './uri.js';

export const redirectStatuses: readonly number[] = [301, 302, 307, 308];

type Path = { readonly path: string } | { readonly problem: string };

/** The host of a whole address does not count. */
export function readOldAddress(text: string): Path {
  const read = readPath(addressOf(text) ?? text);
  return 'path' in read && read.path === '' ? { problem: 'must be a path below that of the home page' } : read;
}

/** A path of the site, or a whole address on another host than that of `origin`. */
export function readTarget(text: string, origin: string): Path | { readonly address: string } {
  const url = addressOf(text);
  if (url !== null && url.origin !== origin) return { address: url.href };
  return text.trim() === '' ? { problem: 'is empty' } : readPath(url ?? text);
}

function addressOf(text: string): URL | null {
  return /^\s*https?:\/\//i.test(text) ? parseUrl(text.trim()) : null;
}

function readPath(given: URL | string): Path {
  const written = typeof given === 'string' ? given.trim() : given.pathname + given.search + given.hash;
  const path = decoded(trimStartOf(written, '/'));
  const problem = path === '' ? null : uriProblem(path);
  return problem === null ? { path } : { problem };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
