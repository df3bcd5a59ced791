/** The route table of one API, built from its endpoint rows: which rows a path names, by method. */
import { Router } from '@koa/router';
import type { Endpoint, Method } from './endpoint.js';
import { makeKnownTest, makeListJoiner, type QueryPair } from './query-pairs.js';

/** What is known of an endpoint before any request. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly isKnownParameter: (name: string) => boolean;
  readonly joinLists: (pairs: readonly QueryPair[]) => readonly QueryPair[];
}

export interface RouteMatch {
  readonly route: Route;
  /** Path parameters, decoded once. */
  readonly params: Readonly<Record<string, string>>;
}

export type RouteMatches = ReadonlyMap<Method, RouteMatch>;

/** A function from a path below the base to the matching rows; the first row of a method wins. */
export function makeRouteTable(endpoints: readonly Endpoint[]): (path: string) => RouteMatches {
  const router = new Router({ strict: true, sensitive: true });
  const routes = new Map<unknown, Route>();
  for (const endpoint of endpoints) {
    const layer = router.register(pattern(endpoint.path), [endpoint.method], unreachable);
    routes.set(layer, { endpoint, isKnownParameter: makeKnownTest(endpoint), joinLists: makeListJoiner(endpoint) });
  }
  return (path) => {
    const matches = new Map<Method, RouteMatch>();
    // The method given here is of no account: `path` holds the layers of every method.
    for (const layer of router.match(path, 'GET').path) {
      const route = routes.get(layer);
      if (route === undefined || matches.has(route.endpoint.method)) continue;
      const params = Object.freeze(layer.params(path, layer.captures(path)));
      if (route.endpoint.exists?.(params) === false) continue;
      matches.set(route.endpoint.method, { route, params });
    }
    return matches;
  };
}

/** The rest of a path may be empty: `/pages/*uri` is also `/pages/`. */
function pattern(path: string): string {
  return path.replace(/\/\*(\w+)$/, '/{*$1}');
}

/** The router only matches; stages call the handlers. */
function unreachable(): never {
  throw new Error('the router does not dispatch');
}
