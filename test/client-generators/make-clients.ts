/** Clients made of an OpenAPI document: this folder has packages of its own, which need TypeScript 5 for its parser. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

/** Writes the types for openapi-fetch to `types.ts` of the folder. */
export async function makeTypes(document: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'types.ts'), astToString(await openapiTypescript(document)));
}

/** Writes a client to `client/` of the folder. */
export async function makeHeyApiClient(document: string, folder: string): Promise<void> {
  await createClient({
    input: JSON.parse(document),
    output: { path: join(folder, 'client'), module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  });
}

/** Writes a client that asks `baseUrl` to `client.ts` of the folder. */
export async function makeOrvalClient(document: string, folder: string, baseUrl: string): Promise<void> {
  await writeFile(join(folder, 'openapi.json'), document);
  const output = { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl } as const;
  await generate({ input: { target: join(folder, 'openapi.json') }, output }, folder, { logLevel: 'error' });
}
