/** Settings of the page delivery API. */
import { rowOf } from './setting-row.js';
import { booleanValue } from './value-type.js';

const pages = rowOf('pages');

export const pagesSettings = Object.freeze({
  pages_rest_api_enabled: pages<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the page delivery API.',
  }),
});
