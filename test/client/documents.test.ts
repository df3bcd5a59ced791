/** The lines of TypeScript in the documents of the client compile, for the sample site and under strict settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles, repository } from '../architecture/source-file.js';
import { problemsOf } from '../operations/site-types/compile-types.js';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

/** What a reader has at hand where the lines stand. */
const surroundings = `import type { Client } from 'hcd-client';
import type { Site } from './site.js';
declare global {
  const hcd: Client<Site>;
  const cache: Map<string, string>;
  const path: string;
  const request: Request;
  const process: { env: Record<string, string | undefined> };
  function revalidate(tags: readonly string[]): Promise<void>;
}
`;

it.each(['docs/client.md', 'client/README.md'])('those of %s', async (document) => {
  const blocks = [...read(document).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
  expect(blocks.length).toBeGreaterThan(0);
  const client = listFiles('client/src', (name) => name.endsWith('.ts')).map((path) => [path, read(path)] as const);
  const files = {
    ...Object.fromEntries(client),
    'package.json': '{"type":"module"}',
    'site.ts': read('test/client/golden/site.ts'),
    'surroundings.ts': surroundings,
    ...Object.fromEntries(blocks.map((text, at) => [`block-${at + 1}.ts`, `${text}\nexport {};\n`])),
  };
  const paths = { 'hcd-client': ['./client/src/client.ts'], 'hcd-client/webhooks': ['./client/src/webhooks.ts'] };
  const options = {
    noUnusedLocals: false,
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    paths,
  };
  expect(await problemsOf(files, options)).toBe('');
});
