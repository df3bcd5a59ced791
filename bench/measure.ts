/** One scenario on all sizes at once: interleaved rounds, then ratios of each size and growth from the smallest. */
import { orderOfRound, ratiosOf, type Spread, spreadOf } from './figures.js';
import { type LoadResult, load } from './load.js';
import type { Scenario } from './scenarios.js';
import type { Kind, SiteServers } from './site-servers.js';

export interface Figures {
  readonly rows: number;
  readonly scenario: string;
  readonly title: string;
  /** Median length of the answers. */
  readonly bytes: number;
  /** Statements of one answer whose total is known. */
  readonly statements: number;
  readonly rate: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Rate of the program against (a) the same bytes from memory. */
  readonly toBytes: Spread;
  /** Rate of the program against (b) the same statements through the bare driver. */
  readonly toDriver: Spread;
  /** Rate of the program with its cache on against (a); only where that is measured. */
  readonly cachedToBytes: Spread | null;
  /** Time of one answer against the time on the smallest site of the same round. */
  readonly growth: Spread;
  /** The same for yardstick (b): what the database itself takes. */
  readonly driverGrowth: Spread;
  readonly bad: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of load before the rounds. */
  readonly warmUp: number;
  readonly connections: number;
  readonly client: 'wrk' | 'node';
  readonly folder: string;
}

interface Target {
  readonly site: SiteServers;
  readonly kind: Kind;
  readonly paths: readonly string[];
  readonly results: LoadResult[];
}

export async function measureScenario(
  scenario: Scenario,
  { sites, options }: { readonly sites: readonly SiteServers[]; readonly options: MeasureOptions },
): Promise<Figures[]> {
  const targets = sites.flatMap((site) => targetsOf(scenario, site));
  const run = ({ site, kind, paths }: Target, how: Pick<MeasureOptions, 'client' | 'seconds'>) => {
    const server = site.servers[kind];
    server.checkRunning();
    return load({ ...options, port: server.port, paths, ...how });
  };
  for (const target of targets) await run(target, { ...options, seconds: options.warmUp });
  for (let round = 0; round < options.rounds; round++) {
    for (const target of orderOfRound(targets, round)) target.results.push(await run(target, options));
  }
  for (const { site, kind } of targets) site.servers[kind].emptyLog();
  const [smallest] = sites;
  return sites.flatMap((site) => {
    const own = targets.filter((target) => target.site === site);
    const base = targets.filter((target) => target.site === smallest);
    return own.length === 0 ? [] : [figuresOf(scenario, { site, own, base })];
  });
}

function targetsOf(scenario: Scenario, site: SiteServers): Target[] {
  const paths = site.recorded.get(scenario)?.map((variant) => variant.path);
  if (paths === undefined || paths.length === 0) return [];
  const kinds: Kind[] = ['hcd', 'bytes', 'driver', ...(scenario.cached ? (['cached'] as const) : [])];
  return kinds.map((kind) => ({ site, kind, paths, results: [] }));
}

function figuresOf(
  scenario: Scenario,
  {
    site,
    own,
    base,
  }: { readonly site: SiteServers; readonly own: readonly Target[]; readonly base: readonly Target[] },
): Figures {
  const resultsOf = (targets: readonly Target[], kind: Kind) =>
    targets.find((target) => target.kind === kind)?.results ?? [];
  const rates = (kind: Kind) => resultsOf(own, kind).map(({ rate }) => rate);
  const times = (targets: readonly Target[], kind: Kind) => resultsOf(targets, kind).map(({ rate }) => 1 / rate);
  const hcd = resultsOf(own, 'hcd');
  const variants = site.recorded.get(scenario) ?? [];
  return {
    rows: site.count,
    scenario: scenario.name,
    title: scenario.title,
    bytes: Math.round(spreadOf(variants.map(({ body }) => body.length)).median),
    statements: spreadOf(variants.map(({ again }) => again.length)).median,
    rate: spreadOf(rates('hcd')),
    p50Ms: spreadOf(hcd.map(({ p50Ms }) => p50Ms)).median,
    p99Ms: spreadOf(hcd.map(({ p99Ms }) => p99Ms)).median,
    toBytes: ratiosOf(rates('hcd'), rates('bytes')),
    toDriver: ratiosOf(rates('hcd'), rates('driver')),
    cachedToBytes: scenario.cached ? ratiosOf(rates('cached'), rates('bytes')) : null,
    growth: ratiosOf(times(own, 'hcd'), times(base, 'hcd')),
    driverGrowth: ratiosOf(times(own, 'driver'), times(base, 'driver')),
    bad: own.flatMap(({ results }) => results).reduce((sum, { bad }) => sum + bad, 0),
  };
}
