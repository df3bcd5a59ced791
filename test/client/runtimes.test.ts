/** The client in Node.js, and in a runtime that has what the web has and nothing of Node.js. */
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import * as client from '../../client/src/client.js';
import * as webhooks from '../../client/src/webhooks.js';
import { expectedOf, type Given, useClient } from './any-runtime.js';
import { bundleClient } from './bundle.js';
import { startRuntimeSite } from './runtime-site.js';

let given: Given;

beforeAll(async () => {
  given = await startRuntimeSite();
});

/** What workers at the edge of a network have of the web. */
const web = {
  ...{ AbortController, AbortSignal, Headers, Request, Response, TextDecoder, TextEncoder, URL, URLSearchParams },
  ...{ atob, clearTimeout, crypto, setTimeout },
};

describe('the client works', () => {
  it('in Node.js', async () => {
    expect(await useClient({ ...client, ...webhooks }, given)).toEqual(expectedOf({ keeps: true }));
  });

  it('in a runtime without modules and without names of Node.js', async () => {
    const context = createContext({ ...web, fetch: (...asked: Parameters<typeof fetch>) => fetch(...asked) });
    expect(runInContext('[typeof process, typeof require, typeof Buffer, typeof global].join()', context)).toBe(
      'undefined,undefined,undefined,undefined',
    );
    runInContext(await bundleClient('iife'), context);
    const seen = await runInContext(`(${useClient})(hcd, ${JSON.stringify(given)}).then(JSON.stringify)`, context);
    expect(JSON.parse(seen)).toEqual(expectedOf({ keeps: true }));
  });
});
