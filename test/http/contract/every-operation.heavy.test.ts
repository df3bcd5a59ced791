/**
 * Calls every operation of the three documents with requests made from its schemas: none gets an error of the server, and
 * each the status and the body that the document names (test/support/received-answers.ts looks at every answer).
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DocumentMethod,
  documentMethods,
  type OpenApiDocument,
  type OperationObject,
} from '../../../src/http/interface/openapi.js';
import { describeEachDatabase } from '../../support/databases.js';
import { wholeAnswer } from '../../support/site.js';
import { type Prepared, prepareSite } from '../gateway/client-project.js';
import { type GeneratedRequest, requestsOf } from './generated-requests.js';

interface Operation {
  readonly path: string;
  readonly method: DocumentMethod;
  readonly operation: OperationObject;
}

const interfaces = [
  { name: 'gateway', url: 'url', credential: 'key', document: '/meta/openapi.json', rounds: 40 },
  { name: 'pages', url: 'pagesUrl', credential: 'pagesToken', document: '/openapi.json', rounds: 40 },
  { name: 'banners', url: 'bannersUrl', credential: 'bannersKey', document: '/openapi.json', rounds: 40 },
] as const;

/** Reads and writes; the key that the site gives out only reads. */
const bannersKey = '0123456789abcdef0123456789abcdef';

const settings = {
  HCD_BANNERS_API_KEY: bannersKey,
  HCD_BANNERS_API_WRITE_ENABLED: '1',
  // Guesses of generated credentials and requests without number are not what is tried here.
  HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0',
};

/** Operations that need a credential, a record or a file which no generated request has; all others work at least once. */
const mayBeRefused: ReadonlySet<string> = new Set([
  ...['createToken', 'revokeToken', 'introspectToken', 'getSession', 'createSession', 'deleteSession'],
  ...['getSnippet', 'getCategory', 'createObject', 'replaceObject', 'updateObject'],
  ...['getPage', 'createAdFromTemplate', 'createConversion', 'createMedia', 'getMedia', 'deleteMedia'],
]);

describeEachDatabase('every operation', (database) => {
  let prepared: Prepared;

  beforeAll(async () => {
    const { site, given } = await prepareSite(database, settings);
    prepared = { site, given: { ...given, bannersKey } };
    const { url, key, bannersUrl } = given;
    const post = async (address: string, credential: string | undefined, body: unknown) => {
      const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
      const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([address, status]).toEqual([address, 201]);
    };
    for (const title of ['First', 'Second', 'Third']) await post(`${url}/objects/books`, key, { title });
    await site.store.own.write(async (tx) => {
      const columns = '(id, name, context_key, created_on, edited_on)';
      await tx.run({ sql: `INSERT INTO hcd_ad_positions ${columns} VALUES (1, 'web', '', 1, 1)`, params: [] });
    });
    for (const name of ['One', 'Two']) await post(`${bannersUrl}/ads`, bannersKey, { name, positions: [1] });
  });

  describe.each(interfaces)('of $name', ({ url, credential, document: place, rounds }) => {
    it('answers generated requests as its document says', async () => {
      const base = prepared.given[url] ?? '';
      const authorization = `Bearer ${prepared.given[credential]}`;
      const ask = async (method: string, { path, headers, body }: GeneratedRequest) => {
        const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
        const answer = await fetch(`${base}${path}`, {
          method,
          headers: { ...wholeAnswer(path), ...type, ...headers, authorization },
          ...(body === undefined ? {} : { body }),
          redirect: 'manual',
        });
        return { status: answer.status, text: await answer.text() };
      };
      const got = await ask('GET', { path: place, headers: {}, body: undefined });
      const document = JSON.parse(got.text) as OpenApiDocument;
      const worked = new Set<string>();
      for (const one of operationsOf(document)) {
        const label = `${one.method} ${one.path}`;
        await fc.assert(
          fc.asyncProperty(requestsOf(document, one.path, one.operation), async (request) => {
            const answer = await ask(one.method.toUpperCase(), request);
            expect([label, request, answer.status < 500 || answer.text]).toEqual([label, request, true]);
            if (answer.status < 300) worked.add(label);
          }),
          { numRuns: rounds },
        );
      }
      // Requests that are only refused would show little.
      const idle = operationsOf(document).filter(({ method, path }) => !worked.has(`${method} ${path}`));
      expect(idle.map(({ operation }) => operation.operationId).filter((id) => !mayBeRefused.has(id))).toEqual([]);
    });
  });
});

function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    documentMethods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}
