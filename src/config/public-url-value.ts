/** Addresses under which clients find this server: an origin, with the path that a proxy puts in front. */

import { accept } from '../values/checked.js';
import { parseUrl } from '../values/parse-url.js';
import { mapped } from './mapped-value.js';
import { refusal, type ValueType } from './value-type.js';

const accepts = 'an address such as https://example.com or https://example.com/cms, or nothing';
const form = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[a-z0-9._~-]+)*\/?$/i;

/** Without a slash at the end; empty for none. */
export const publicUrlValue: ValueType<string> = mapped(
  {
    kind: 'text',
    accepts,
    parse: (text) =>
      text === '' || (form.test(text) && parseUrl(text) !== null) ? accept(text) : refusal(accepts, text),
    format: (value) => value,
  },
  (address) => address.replace(/\/$/, ''),
);
