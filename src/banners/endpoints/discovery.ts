/** GET /: name, version and the routes of the banner API, from its own endpoint table. */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';

/** The version of the interface; that of the program is another (docs/reference/banners.md#version). */
export const apiVersion = '1.1.0';

/** The row; `endpoints` gives the whole table, this row included. */
export function discoveryEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  return {
    name: 'discovery',
    method: 'GET',
    path: '/',
    access: { kind: 'scope', scope: 'banners' },
    object: null,
    summary: 'Version and routes',
    tags: ['Meta'],
    parameters: [],
    response: {
      status: 200,
      description: 'Name, version and the routes that this version answers.',
      schema: {
        type: 'object',
        required: ['success', 'data'],
        properties: {
          success: { const: true },
          data: {
            type: 'object',
            required: ['name', 'version', 'routes'],
            properties: {
              name: { type: 'string' },
              version: { type: 'string' },
              routes: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['method', 'route', 'write'],
                  properties: { method: { type: 'string' }, route: { type: 'string' }, write: { type: 'boolean' } },
                },
              },
            },
          },
        },
      },
    },
    handler: async (): Promise<Reply> => ({
      status: 200,
      body: {
        kind: 'json',
        value: { success: true, data: { name: 'Banner API', version: apiVersion, routes: endpoints().map(routeOf) } },
      },
      caching: { kind: 'content', tags: [] },
    }),
  };
}

function routeOf({ method, path }: Endpoint): {
  readonly method: string;
  readonly route: string;
  readonly write: boolean;
} {
  return { method, route: path.replaceAll(/:(\w+)/g, '{$1}'), write: method !== 'GET' };
}
