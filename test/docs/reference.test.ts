/** The checked-in reference pages match the program's tables; `npm run docs` writes them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { renderErrors, renderSettings } from './reference.js';

test.each([
  ['settings', 'docs/settings.md', renderSettings],
  ['error codes', 'docs/errors.md', renderErrors],
])('the page of %s is up to date', async (_name, path, render) => {
  await expect(render()).toMatchFileSnapshot(join(repository, path));
});
