/** Finds interface, route and query of an address: a pure function, so results are kept for repeated addresses. */
import { Router } from '@koa/router';
import { AppError, invalidField, unencodedAddress } from '../../errors/app-error.js';
import { LruMap } from '../../values/kept-values.js';
import type { ApiModule, ApiPolicy, Mount } from './api.js';
import type { Endpoint, Method } from './endpoint.js';
import {
  canonicalQuery,
  isReadable,
  parseQuery,
  type QueryPair,
  type Selected,
  selectParameters,
} from './query-pairs.js';

export const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

interface Selection extends Pick<Selected, 'pairs' | 'ignored'> {
  readonly key: string;
  readonly problem: (() => AppError) | null;
}

interface Findings {
  readonly mounted: Mounted | undefined;
  /** Below the API's link base, however the request was addressed. */
  readonly path: string;
  readonly matches?: RouteMatches;
  /** Without pairs that carried the route. */
  readonly query?: readonly QueryPair[];
  /** The address cannot be used at all. */
  readonly problem?: () => AppError;
  readonly routeProblem?: (() => AppError) | undefined;
}

export type Located = ReturnType<typeof makeLocated>;

function makeLocated({ mounted, path, matches = noMatches, query = [], problem, routeProblem }: Findings) {
  let selections: Map<Route, Selection> | undefined;
  const match = (method: Method | 'HEAD'): RouteMatch | undefined => matches.get(method === 'HEAD' ? 'GET' : method);
  return {
    ...{ mounted, path, query, problem, routeProblem, match },
    /** In the order of the Allow header; empty when the address names nothing. */
    allowedMethods(): readonly string[] {
      if (matches.size === 0) return [];
      return allMethods.filter((method) =>
        method === 'OPTIONS' ? mounted?.policy.answersOptions === true : match(method) !== undefined,
      );
    },
    select(route: Route): Selection {
      const known = selections?.get(route);
      if (known !== undefined) return known;
      const { pairs, ignored, misshapen } = route.selectParameters(query);
      const api = mounted?.api;
      const selection = {
        pairs,
        ignored,
        // Paths and decoded query text contain no NUL, so path and query cannot run into one another.
        key: `${path}\0${canonicalQuery(pairs)}`,
        problem: misshapen === null || api === undefined ? null : () => refusal(misshapen.name, misshapen.problem, api),
      };
      selections ??= new Map();
      selections.set(route, selection);
      return selection;
    },
  };
}

export interface Mounted {
  readonly api: ApiModule;
  readonly policy: ApiPolicy;
  readonly mount: Mount;
}

const noMatches: RouteMatches = new Map();
/** docs/reference/http.md#unusable-requests */
const maxTargetBytes = 8192;
const maxRememberedLength = 1024;
const maxRememberedAddresses = 2000;

export function makeLocator(apis: readonly ApiModule[], settings: () => object): (target: string) => Located {
  const tables = new Map(apis.map((api) => [api, makeRouteTable(api.endpoints)]));
  let seen: object | undefined;
  let mounted: readonly Mounted[] = [];
  const known = new LruMap<string, Located>(maxRememberedAddresses);

  const refresh = (): void => {
    const now = settings();
    if (now === seen) return;
    seen = now;
    mounted = apis.flatMap(mountsOf).sort((a, b) => b.mount.base.length - a.mount.base.length);
    known.clear();
  };

  return (target) => {
    refresh();
    const before = known.get(target);
    if (before !== undefined) return before;
    const located = locate(target, mounted, tables);
    if (target.length <= maxRememberedLength) known.set(target, located);
    return located;
  };
}

function mountsOf(api: ApiModule): readonly Mounted[] {
  const policy = api.policy();
  return policy.mounts.map((mount) => ({ api, policy, mount }));
}

function locate(
  target: string,
  mounts: readonly Mounted[],
  tables: ReadonlyMap<ApiModule, (path: string) => RouteMatches>,
): Located {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const queryText = question < 0 ? '' : target.slice(question + 1);
  const found = mounts.find(({ mount }) => path === mount.base || path.startsWith(`${mount.base}/`));
  const refuse = (problem: () => AppError): Located => makeLocated({ mounted: found, path, problem });

  // The parsers of older versions of Node let other bytes than ASCII through.
  if (/[^!-~]/.test(target)) return refuse(unencodedAddress);
  if (target.length > maxTargetBytes) return refuse(() => new AppError('uri_too_long'));
  if (path.includes('#') || !isReadable(path) || !isReadable(queryText))
    return refuse(() => new AppError('bad_request'));
  // Links in HTML have `&amp;` between parameters, and some clients take it as it is written.
  const query = parseQuery(queryText.replaceAll('&amp;', '&'));
  if (found === undefined) return makeLocated({ mounted: undefined, path, query });

  const { api, mount, policy } = found;
  const addressed = readRoute(path.slice(mount.base.length), query, found);
  const routePath = addressed.route;
  if (Math.max(path.length, Buffer.byteLength(routePath ?? '')) > (policy.maxPathBytes ?? maxTargetBytes)) {
    return refuse(() => new AppError('uri_too_long', { message: 'URI too long' }));
  }
  if (routePath === null) return makeLocated({ mounted: found, path, query, routeProblem: addressed.problem });
  const rest =
    mount.routeParameters.length === 0 ? query : query.filter(([name]) => !mount.routeParameters.includes(name));
  const matchesOf = (route: string) => tables.get(api)?.(route) ?? noMatches;
  const matches = matchesOf(routePath);
  const linkPath = `${mount.linkBase}${routePath === '/' ? '' : routePath}`;
  const named = routePath.slice(0, -1);
  const isNear = matches.size === 0 && routePath.endsWith('/') && matchesOf(named).size > 0;
  const routeProblem = isNear ? () => new AppError('not_found', { message: slashProblem(linkPath) }) : undefined;
  return makeLocated({ mounted: found, path: linkPath, matches, query: rest, routeProblem });
}

function slashProblem(path: string): string {
  return `There is no route ${path}; the route is ${path.slice(0, -1)}, without the slash at the end`;
}

interface Addressed {
  /** Path below the API, `/` at least; null when it names nothing. */
  readonly route: string | null;
  readonly problem?: () => AppError;
}

/** The rest of the path counts first, then the parameters in their order (docs/reference/http.md#addresses). */
function readRoute(rest: string, query: readonly QueryPair[], { mount, api }: Mounted): Addressed {
  if (rest !== '' && rest !== '/') return { route: cutPrefix(rest, mount.prefixes) };
  for (const name of mount.routeParameters) {
    const [value, ...others] = query.filter(([key]) => key === name).map(([, text]) => text);
    const problem = routeProblem(name, others.length, query);
    if (problem !== null) return { route: null, problem: () => refusal(name, problem, api) };
    if (value === undefined) continue;
    // The value is a path: it may itself be percent-encoded, as in the path form.
    if (!isReadable(value)) return { route: null, problem: () => new AppError('bad_request') };
    // Filters are separate parameters: a second `?` names nothing.
    if (value.includes('?') || value.includes('#')) return { route: null };
    if (value === '' || value === '/') return { route: '/' };
    return { route: cutPrefix(value.startsWith('/') ? value : `/${value}`, mount.prefixes) };
  }
  return { route: '/' };
}

function routeProblem(name: string, others: number, query: readonly QueryPair[]): string | null {
  if (others > 0) return `${name} is given more than once; give it once`;
  const misshapen = query.find(([key]) => key.startsWith(`${name}[`))?.[0];
  return misshapen === undefined ? null : `${misshapen} is not understood; use ${name}=value`;
}

function cutPrefix(route: string, prefixes: readonly string[]): string | null {
  for (const prefix of prefixes) {
    if (route === prefix) return '/';
    if (route.startsWith(`${prefix}/`)) return route.slice(prefix.length);
  }
  return null;
}

function refusal(name: string, problem: string, api: ApiModule): AppError {
  return api.parameterProblem === 'validation_failed'
    ? invalidField(name, problem)
    : new AppError('bad_request', { message: problem });
}

export interface Route {
  readonly endpoint: Endpoint;
  readonly selectParameters: (query: readonly QueryPair[]) => Selected;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

type RouteMatches = ReadonlyMap<Method, RouteMatch>;

function makeRouteTable(endpoints: readonly Endpoint[]): (path: string) => RouteMatches {
  const router = new Router({ strict: true, sensitive: true });
  const routes = new Map<unknown, Route>();
  for (const endpoint of endpoints) {
    const layer = router.register(pattern(endpoint.path), [endpoint.method], unreachable);
    routes.set(layer, { endpoint, selectParameters: selectParameters(endpoint) });
  }
  return (path) => {
    const matches = new Map<Method, RouteMatch>();
    // The method given here does not matter: `path` holds the layers of every method.
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
