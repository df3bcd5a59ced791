/** From the address of a page to its file, and back to what links to it. */

/** `repairs/` is `repairs/index.html`, and so is an address without an ending. */
export function fileOf(uri) {
  if (uri === '' || uri.endsWith('/')) return `${uri}index.html`;
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return /\.[a-z0-9]+$/i.test(name) ? uri : `${uri}/index.html`;
}

/** The address as a link on the same site. */
export function hrefOf(uri) {
  const path = uri.split('/').map(encodeURIComponent).join('/');
  return `/${path === 'index.html' ? '' : path}`;
}

/** Whether one page is below the other: `repairs/prices.html` is below `repairs/`. */
export function isBelow(uri, other) {
  return other.endsWith('/') && uri !== other && uri.startsWith(other);
}
