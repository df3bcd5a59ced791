/**
 * Makes a client of an OpenAPI document, in a process of its own with packages of its own, which need TypeScript 5:
 * `node make-client.mjs GENERATOR FOLDER BASE_URL`. The folder has the document as openapi.json and gets the client.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const [generator = '', folder = '', baseUrl = ''] = process.argv.slice(2);
const source = join(folder, 'openapi.json');
const document = await readFile(source, 'utf8');

const generators = {
  /** The types for openapi-fetch, in `types.ts`. */
  'openapi-typescript': async () => {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript');
    await writeFile(join(folder, 'types.ts'), astToString(await openapiTypescript(document)));
  },
  /** A client in `client/`. */
  'hey-api': async () => {
    const { createClient } = await import('@hey-api/openapi-ts');
    await createClient({
      input: JSON.parse(document),
      output: { path: join(folder, 'client'), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
  },
  /** A client in `client.ts` that asks the server at the base URL. */
  orval: async () => {
    const { generate } = await import('orval');
    const output = { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl };
    await generate({ input: { target: source }, output }, folder, { logLevel: 'error' });
  },
};
await generators[generator]();
