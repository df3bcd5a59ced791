/**
 * Makes clients of OpenAPI documents, in a process of its own with packages of its own, which need TypeScript 5:
 * `node make-client.mjs GENERATOR [FOLDER BASE_URL]...`. A folder has its document as openapi.json and gets the client.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const [generator = '', ...places] = process.argv.slice(2);

const generators = {
  /** The types for openapi-fetch, in `types.ts`. */
  'openapi-typescript': async ({ folder, document }) => {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript');
    await writeFile(join(folder, 'types.ts'), astToString(await openapiTypescript(document)));
  },
  /** A client in `client/`. */
  'hey-api': async ({ folder, document }) => {
    const { createClient } = await import('@hey-api/openapi-ts');
    await createClient({
      input: JSON.parse(document),
      output: { path: join(folder, 'client'), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
  },
  /** A client in `client.ts` that asks the server at the base URL. */
  orval: async ({ folder, source, baseUrl }) => {
    const { generate } = await import('orval');
    const output = { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl };
    await generate({ input: { target: source }, output }, folder, { logLevel: 'error' });
  },
};

for (let at = 0; at < places.length; at += 2) {
  const [folder, baseUrl] = places.slice(at);
  const source = join(folder, 'openapi.json');
  await generators[generator]({ folder, baseUrl, source, document: await readFile(source, 'utf8') });
}
