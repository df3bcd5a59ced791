/** The checked-in reference pages say what the program's tables say; `npm run docs` writes them anew. */
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
