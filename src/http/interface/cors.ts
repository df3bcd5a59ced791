/** Cross-origin rules of an API. Every answer has the same headers, so that a script can read each of them. */

export interface CorsPolicy {
  readonly origins: 'every' | ReadonlySet<string>;
  readonly methods: string;
  readonly requestHeaders: string;
  readonly exposed: string;
  /** Never together with every origin. */
  readonly credentials: boolean;
}

/** For which a browser may keep the answer to a preflight. */
const preflightSeconds = '86400';
const every = '*';

/** Null when no origin is allowed. */
export function corsPolicy(
  origins: readonly string[],
  rest: Pick<CorsPolicy, 'methods' | 'requestHeaders' | 'exposed' | 'credentials'>,
): CorsPolicy | null {
  if (origins.length === 0) return null;
  const isEvery = origins.includes(every);
  return Object.freeze({
    ...rest,
    origins: isEvery ? 'every' : new Set(origins),
    credentials: rest.credentials && !isEvery,
  });
}

export function corsHeaders(policy: CorsPolicy, origin: string | undefined): readonly string[] {
  if (origin === undefined || !isAllowed(policy, origin)) return [];
  const headers = ['Access-Control-Allow-Origin', origin];
  const add = (name: string, value: string): void => {
    if (value !== '') headers.push(name, value);
  };
  add('Access-Control-Allow-Methods', policy.methods);
  add('Access-Control-Allow-Headers', policy.requestHeaders);
  add('Access-Control-Expose-Headers', policy.exposed);
  headers.push('Access-Control-Max-Age', preflightSeconds);
  if (policy.credentials) headers.push('Access-Control-Allow-Credentials', 'true');
  return headers;
}

/** Exact comparison: no case folding, no default ports, no parts of names. */
function isAllowed({ origins }: CorsPolicy, origin: string): boolean {
  // A list cannot name the origin "null" (sandboxed pages, local files), which would mean any page.
  return origins === 'every' || origins.has(origin);
}

export function withVary(vary: string, header: string): string {
  if (vary === '') return header;
  return `, ${vary},`.includes(`, ${header},`) ? vary : `${vary}, ${header}`;
}
