/** Addresses as settings take them: of a server, under which clients find it, and of web pages that may call it. */

import { isIP } from 'node:net';
import { accept, type Checked } from '../values/checked.js';
import { parseUrl } from '../values/parse-url.js';
import { mapped, refusal, textValue, type ValueType } from './value-type.js';

export const everyOrigin = '*';

const originsAccepts = 'a comma list of origins such as https://www.example.com, or only *';

/**
 * Origins are compared as text, so only the form that browsers send is taken: lower case, no default port, no path, no
 * trailing slash. `null` is refused, because every sandboxed page has it. `*` must be the only element.
 */
export const corsOriginsValue: ValueType<readonly string[]> = {
  kind: 'list',
  accepts: originsAccepts,
  parse(text): Checked<readonly string[]> {
    const parts = text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
    const isEvery = parts.length === 1 && parts[0] === everyOrigin;
    const wrong = isEvery ? undefined : parts.find((part) => !isOrigin(part));
    return wrong === undefined ? accept(Object.freeze(parts)) : refusal(originsAccepts, wrong);
  },
  format: (origins) => origins.join(','),
};

function isOrigin(text: string): boolean {
  // Apps in a web view use their own schemes, whose origins the URL class does not know.
  if (!/^https?:/.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$/.test(text);
  // The class accepts characters that no name has, such as the asterisk of a pattern.
  return /^https?:\/\/[a-z0-9._:[\]-]+$/.test(text) && parseUrl(text)?.origin === text;
}

/** Names of headers or methods; the text goes into a header as it is. */
export const headerNamesValue: ValueType<string> = textValue({
  accepts: 'a comma list of names, or empty',
  pattern: /^(?:[\w!#$%&'*+.^`|~-]+(?: ?, ?[\w!#$%&'*+.^`|~-]+)*)?$/,
});

const hostAccepts = 'a host name or IP address';
const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

/** The address that a server listens on, never with a port. */
export const hostValue: ValueType<string> = {
  kind: 'text',
  accepts: hostAccepts,
  parse: (text) => (isIP(text) !== 0 || isHostName(text) ? accept(text) : refusal(hostAccepts, text)),
  format: (host) => host,
};

/** Digits at the end are a port or a broken IP address: no name ends in them. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

const publicUrlAccepts = 'an address such as https://example.com or https://example.com/cms, or nothing';
const form = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[a-z0-9._~-]+)*\/?$/i;

/** An origin, with the path that a proxy puts in front. Kept without a slash at the end; empty for none. */
export const publicUrlValue: ValueType<string> = mapped(
  {
    kind: 'text',
    accepts: publicUrlAccepts,
    parse: (text) =>
      text === '' || (form.test(text) && parseUrl(text) !== null) ? accept(text) : refusal(publicUrlAccepts, text),
    format: (value) => value,
  },
  (address) => address.replace(/\/$/, ''),
);
