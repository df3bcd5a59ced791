/**
 * The texts of cache tags (docs/gateway.md#caching), shared by the answers that carry them and the events that name
 * them.
 */

const plain = /^[A-Za-z0-9\-._~/:]*$/;

/** Percent-encodes (UTF-8) whatever is not `A-Za-z0-9-._~/:`. */
function encodeTag(text: string): string {
  if (plain.test(text)) return text;
  return encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Tag of one row: `gateway:<object>:<key>`. */
export function keyTag(object: string, key: string | number): string {
  return `gateway:${object}:${encodeTag(String(key))}`;
}

/** Tag of an address, without its outer slashes. */
export function uriTag(uri: string): string {
  return `gateway:uri:${encodeTag(uri.replace(/^\/+|\/+$/g, ''))}`;
}

/** Tag of everything that depends on which rows of the object there are. */
export function objectTag(object: string): string {
  return `gateway:${object}`;
}

/** Tag of everything that depends on which rows there are in the context. */
export function contextTag(context: string): string {
  return `gateway:context:${encodeTag(context)}`;
}
