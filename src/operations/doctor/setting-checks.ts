/** Checks of settings: refused values, contexts that do not exist, rules of aliases, extra objects. */

import { variableOf } from '../../config/definitions.js';
import { parseSetting } from '../../config/settings.js';
import { readContextKeys } from '../../content/models/elements.js';
import { readContextSettings, readSystemSettings } from '../../content/models/settings.js';
import { coreObjects } from '../../content/objects/core-objects.js';
import { openRegistry } from '../../content/objects/object-registry.js';
import { readAliasOptions } from '../../content/rules/alias.js';
import { type ContentSettings, flagSetting } from '../../content/rules/settings.js';
import { usualContext } from '../../content/rules/site-address.js';
import { readOrigins, readRuntimeSettings } from '../../content/settings/settings.js';
import { AppError } from '../../errors/app-error.js';
import { readRecentHost, readUntrustedForwarder } from '../../identity/limits/seen-requests.js';
import { hasTable } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import { countOf } from '../../values/text.js';
import {
  type Check,
  error,
  type Finding,
  type FixCommand,
  fixCommand,
  ok,
  orOk,
  type StoreFacts,
  sample,
  warning,
  when,
} from './check.js';

export const settingChecks: readonly Check[] = [
  { name: 'settings', needs: 'content', run: checkSettings },
  { name: 'contexts', needs: 'content', run: checkContexts },
  { name: 'site-url', needs: 'content', run: checkSiteUrl },
  { name: 'friendly-urls', needs: 'content', run: checkFriendlyUrls },
  { name: 'aliases', needs: 'content', run: checkAliases },
  { name: 'safeguards', needs: 'content', run: checkSafeguards },
  { name: 'objects', needs: 'store', run: checkObjects },
];

function setting(...words: readonly (string | number)[]): FixCommand {
  return fixCommand('setting set', words);
}

async function checkSettings({ store, env }: StoreFacts): Promise<Finding | Finding[]> {
  const { problems } = await readRuntimeSettings(store, env);
  if (problems.length === 0) return ok('every value is accepted');
  return problems.map(({ key, source, problem, unsafe, clashes }) =>
    unsafe === true
      ? error(problem, `Set ${key} to 0; hcd serve refuses to start`, setting(key, 0))
      : warning(
          `${problem}; the ${source === 'database' || clashes === true ? 'default' : 'stored value'} counts instead`,
          source === 'database' ? `Correct ${key} in the system settings` : `Correct or unset ${variableOf(key)}`,
          source === 'database' ? setting(key) : undefined,
        ),
  );
}

async function checkContexts({ store, env }: StoreFacts): Promise<readonly Finding[]> {
  const keys = new Set(await readContextKeys(store.content.primary, store.prefix));
  const { values } = await readRuntimeSettings(store, env);
  const { gateway_context: context, gateway_allowed_contexts: allowed } = values;
  const missing = allowed.filter((key) => !keys.has(key));
  const usual = usualContext({ defaultContext: context, allowedContexts: allowed });
  const isAnswered = usual !== undefined && keys.has(usual);
  const problem = keys.has(context) ? 'is not allowed' : 'does not exist';
  const noContext = (isAnswered ? warning : error)(
    `gateway_context is ${context}, which ${problem}: requests that name no context ${
      isAnswered ? `are answered from ${usual}` : 'are refused'
    }`,
    `Set gateway_context to one of ${sample([...keys])}`,
    setting('gateway_context'),
  );
  const noAllowed = warning(
    `allowed, but missing: ${missing.join(', ')}`,
    'Correct gateway_allowed_contexts',
    setting('gateway_allowed_contexts'),
  );
  return orOk(
    [...when(!keys.has(context) || !isAnswered, noContext), ...when(missing.length > 0, noAllowed)],
    `allowed: ${allowed.join(', ')}`,
  );
}

async function checkSiteUrl({ store, env }: StoreFacts): Promise<Finding> {
  const origins = [...(await readOrigins(store, env))];
  const without = origins.filter(([, origin]) => origin === '').map(([context]) => context);
  if (without.length === 0) return ok(sample(origins.map(([context, origin]) => `${context}: ${origin}`)));
  const [first = ''] = without;
  const host = await readHost(store, first);
  return warning(
    `no address is known for ${sample(without)}: urls=absolute and links from other contexts have no host there`,
    `hcd setting set gateway_site_url ${host === '' ? 'https://HOST' : `https://${host}`}${without.length < origins.length ? ` --context ${first}` : ''}`,
    fixCommand(
      'setting set',
      ['gateway_site_url', ...(host === '' ? [] : [`https://${host}`])],
      without.length < origins.length ? { context: first } : {},
    ),
  );
}

/** The CMS keeps the address in a file, but some sites have the host in a setting; requests name one too. */
async function readHost({ content, own, prefix }: Store, context: string): Promise<string> {
  const rows = [
    ...(await readContextSettings(content.primary, prefix, { context, keys: ['http_host'] })),
    ...(await readSystemSettings(content.primary, prefix, ['http_host'])),
  ];
  const recent = (await hasTable(own.primary, 'hcd_state')) ? await readRecentHost(own.primary) : '';
  const hosts = [...rows.map(({ value }) => value.trim()), recent];
  return hosts.find((host) => host !== '' && parseSetting('gateway_site_url', `https://${host}`).ok) ?? '';
}

async function readLayers({ content, prefix }: Store): Promise<ReadonlyMap<string, ContentSettings>> {
  const system = (await readSystemSettings(content.primary, prefix)).map(({ key, value }) => [key, value] as const);
  const layers = new Map([['system', new Map(system)]]);
  for (const { contextKey, key, value } of await readContextSettings(content.primary, prefix)) {
    const name = `context ${contextKey}`;
    layers.set(name, (layers.get(name) ?? new Map(system)).set(key, value));
  }
  return layers;
}

async function checkFriendlyUrls({ store }: StoreFacts): Promise<Finding> {
  const layers = await readLayers(store);
  const off = [...layers]
    .filter(([, settings]) => !flagSetting(settings, 'friendly_urls', false))
    .map(([name]) => name);
  if (off.includes('system')) {
    return warning(
      `friendly_urls is off (${sample(off)}): URIs are not kept up to date, and ${holding(await countWithout(store, []))} none`,
      'Switch friendly_urls on and let the CMS refresh the URIs',
    );
  }
  const contexts = off.map((name) => name.replace(/^context /, ''));
  const without = await countWithout(store, contexts);
  // A context may do without them on purpose, as that of an administration does.
  const where = contexts.length === 0 ? 'on' : `on, but for ${sample(off)}, whose URIs stay as they are`;
  return without === 0
    ? ok(contexts.length === 0 ? 'on, and every published resource has a URI' : where)
    : warning(`${holding(without)} no URI: found by id only`, 'Save them again in the CMS');
}

async function countWithout({ content, prefix }: Store, contexts: readonly string[]): Promise<number> {
  const elsewhere = contexts.length === 0 ? '' : ` AND \`context_key\` NOT IN (${contexts.map(() => '?').join(', ')})`;
  const sql = `SELECT COUNT(*) FROM \`${prefix}site_content\` WHERE \`deleted\` = 0 AND \`published\` = 1 AND (\`uri\` IS NULL OR \`uri\` = '')${elsewhere}`;
  const [row] = await content.primary.select({ sql, params: contexts, heavy: true });
  return Number(row?.[0]);
}

function holding(number: number): string {
  return countOf(number, 'published resource has', 'published resources have');
}

async function checkAliases({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const places = new Map<string, string[]>();
  for (const [name, settings] of await readLayers(store)) {
    for (const problem of readAliasOptions(settings).problems)
      places.set(problem, [...(places.get(problem) ?? []), name]);
  }
  if (places.size === 0) return ok('the rules for aliases are followed as they are');
  return [...places].map(([problem, names]) =>
    warning(
      `${problem} (${sample(names)})`,
      'Aliases that hcd makes may differ from those of the CMS: give them with the resource',
    ),
  );
}

async function checkObjects({ store, configuration: { config } }: StoreFacts): Promise<Finding | Finding[]> {
  try {
    const registry = await openRegistry(store, { folder: config.objects_dir, plugins: config.plugins });
    const extra = [...registry.objects.keys()].slice(coreObjects.length);
    return ok(extra.length === 0 ? 'the core objects, no others' : `core objects and ${sample(extra)}`);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'configuration_invalid') throw cause;
    const fix = 'Correct the file; hcd serve refuses to start with it';
    const problems = Object.values(cause.details.fields ?? {}).flat();
    return (problems.length === 0 ? [cause.message] : problems).map((problem) => error(problem, fix));
  }
}

const safeguards = [
  ['gateway_csrf_enabled', 'any web page can make changes as the user who is logged in'],
  ['gateway_idempotency_enabled', 'a POST that a client sends again after a broken connection runs twice'],
] as const;

async function checkSafeguards({ store, env }: StoreFacts): Promise<readonly Finding[]> {
  const { values } = await readRuntimeSettings(store, env);
  const isOff = safeguards
    .filter(([key]) => !values[key])
    .map(([key, effect]) => warning(`${key} is off: ${effect}`, `hcd setting set ${key} 1`, setting(key, 1)));
  const findings = [
    ...isOff,
    ...when(
      values.gateway_oauth_enabled && values.gateway_oauth_password_grant_enabled,
      warning(
        'gateway_oauth_password_grant_enabled is on: clients with the grant password see the passwords of their users',
        'hcd setting set gateway_oauth_password_grant_enabled 0, unless such a client is trusted like the site itself',
        setting('gateway_oauth_password_grant_enabled', 0),
      ),
    ),
    ...(await proxyFindings(store, values.gateway_trusted_proxies)),
  ];
  const audit = values.gateway_audit_enabled
    ? `audit log kept ${values.gateway_audit_retention_days} days`
    : 'no audit log';
  return orOk(findings, `cross-site requests and repeated POSTs are caught; ${audit}`);
}

/** All visitors behind an unnamed proxy share one address, and so one rate limit and one lock of the log-in. */
async function proxyFindings({ own }: Store, trusted: readonly string[]): Promise<Finding[]> {
  const noted = (await hasTable(own.primary, 'hcd_state')) ? await readUntrustedForwarder(own.primary, trusted) : null;
  if (noted === null) return [];
  const all = [...trusted, noted.peer].join(',');
  const [fix, command] = noted.peer.includes('/')
    ? ['name its address in gateway_trusted_proxies', setting('gateway_trusted_proxies')]
    : [`hcd setting set gateway_trusted_proxies ${all}`, setting('gateway_trusted_proxies', all)];
  return [
    warning(
      `${noted.peer} sends X-Forwarded-For, -Host or -Proto and is not a trusted proxy: all visitors behind it count as one for rate limits and log-ins, and links do not have its address`,
      `If it is your proxy: ${fix}`,
      command,
    ),
  ];
}
