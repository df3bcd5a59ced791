/** Values of the settings for cross-origin calls: origins as browsers send them, and lists of header names or methods. */

import { accept, type Checked } from '../values/checked.js';
import { parseUrl } from '../values/parse-url.js';
import { refusal, textValue, type ValueType } from './value-type.js';

export const everyOrigin = '*';

const accepts = 'a comma list of origins such as https://www.example.com, or only *';

/**
 * Origins are compared as text, so only the form that browsers send is taken: lower case, no default port, no path, no
 * trailing slash. `null` is none: every sandboxed page has it. `*` stands alone.
 */
export const corsOriginsValue: ValueType<readonly string[]> = {
  kind: 'list',
  accepts,
  parse(text): Checked<readonly string[]> {
    const parts = text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
    const isEvery = parts.length === 1 && parts[0] === everyOrigin;
    const wrong = isEvery ? undefined : parts.find((part) => !isOrigin(part));
    return wrong === undefined ? accept(Object.freeze(parts)) : refusal(accepts, wrong);
  },
  format: (origins) => origins.join(','),
};

function isOrigin(text: string): boolean {
  // Apps in a web view have schemes of their own, whose origins the URL class does not know.
  if (!/^https?:/.test(text)) return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$/.test(text);
  // The class lets characters stand in a name that no name has, among them the asterisk of a pattern.
  return /^https?:\/\/[a-z0-9._:[\]-]+$/.test(text) && parseUrl(text)?.origin === text;
}

/** Goes into a header as it is. */
export const headerNamesValue: ValueType<string> = textValue({
  accepts: 'a comma list of names, or empty',
  pattern: /^(?:[\w!#$%&'*+.^`|~-]+(?: ?, ?[\w!#$%&'*+.^`|~-]+)*)?$/,
});
