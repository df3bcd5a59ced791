/** Where deliveries may go, by the operator's settings. */
import type { Settings } from '../../config/settings.js';
import type { Listener } from '../models/listeners.js';
import { type AddressRules, canonicalAddress, parseBlocks } from './address.js';

interface OwnListener {
  /** `0.0.0.0` and `::` mean every address of this machine. */
  readonly address: string;
  readonly port: number;
}

export interface OutboundPolicy extends AddressRules {
  readonly httpsOnly: boolean;
  readonly ownListeners: readonly OwnListener[];
  /** For listeners that are bound to all addresses. */
  readonly ownAddresses: readonly string[];
  /** Public addresses of the interfaces of this program. */
  readonly ownBases: readonly OwnBase[];
}

/** Addresses, CIDR blocks and URLs as text. Absent parts are off or empty. */
export type OutboundPolicyParts = Partial<
  Omit<OutboundPolicy, 'allowed' | 'denied' | 'ownBases'> & Record<'allowed' | 'denied' | 'ownBases', readonly string[]>
>;

/** Reads the blocks once, so that nothing is parsed while a delivery waits. Throws TypeError for unreadable blocks. */
export function makeOutboundPolicy({
  allowed = [],
  denied = [],
  ownBases = [],
  ...others
}: OutboundPolicyParts): OutboundPolicy {
  return Object.freeze({
    ...{ httpsOnly: false, allowPrivate: false, nat64: false, ownListeners: [], ownAddresses: [] },
    ...others,
    allowed: parseBlocks(allowed),
    denied: parseBlocks(denied),
    ownBases: ownBases.map(ownBaseOf),
  });
}

/** Subscriptions and deliveries are checked by the same policy. */
export function outboundPolicyOf(
  settings: Settings,
  own: Pick<OutboundPolicyParts, 'ownListeners' | 'ownAddresses'> = {},
): OutboundPolicy {
  return makeOutboundPolicy({
    httpsOnly: settings.gateway_webhook_https_only,
    allowPrivate: settings.gateway_webhook_allow_private_urls,
    allowed: settings.gateway_webhook_allowed_networks,
    denied: settings.gateway_webhook_denied_networks,
    nat64: settings.gateway_webhook_nat64,
    ownBases: ownBasesOf(settings),
    ...own,
  });
}

interface OwnBase {
  readonly hostname: string;
  readonly ports: readonly number[];
  readonly path: string;
}

function ownBasesOf(settings: Settings): readonly string[] {
  const { gateway_public_url, gateway_api_prefix, pages_public_url, banners_public_url } = settings;
  const interfaces: readonly (readonly [address: string, paths: readonly string[]])[] = [
    [gateway_public_url, [`${gateway_api_prefix}/v1`, '/api.php']],
    [pages_public_url, ['/pages/api/v1.php', '/pages/api.php']],
    [banners_public_url, ['/banners/api.php', '/slots']],
  ];
  return interfaces.flatMap(([address, paths]) => (address === '' ? [] : paths.map((path) => `${address}${path}`)));
}

/** Without a port it means both usual ones: http often leads to https. */
function ownBaseOf(address: string): OwnBase {
  const { hostname, port, pathname } = new URL(address);
  return {
    hostname: hostname.replace(/^\[|\]$|\.$/g, ''),
    ports: port === '' ? [80, 443] : [Number(port)],
    path: plainPath(pathname),
  };
}

export function isOwnBase(
  { hostname, port, target }: { readonly hostname: string; readonly port: number; readonly target: string },
  bases: readonly OwnBase[],
): boolean {
  const path = plainPath(target.replace(/\?.*/s, ''));
  return bases.some(
    (own) =>
      own.hostname === hostname && own.ports.includes(port) && (path === own.path || path.startsWith(`${own.path}/`)),
  );
}

/** As a proxy may read it: decoded, with single slashes and none at the end. */
function plainPath(path: string): string {
  return path
    .replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
}

export type OwnPlaces = Required<Pick<OutboundPolicyParts, 'ownListeners' | 'ownAddresses'>>;

export interface Here {
  readonly machine: string;
  readonly addresses: readonly string[];
}

export function ownPlacesOf(listeners: readonly Listener[], { machine, addresses }: Here): OwnPlaces {
  return {
    ownListeners: listeners.flatMap((one) =>
      one.machine === machine ? [{ address: one.host, port: one.port }] : reachedFromAfar(one),
    ),
    ownAddresses: addresses,
  };
}

/** Another machine's loopback is not this one's, where another program may use the port. */
function reachedFromAfar({ host, port, addresses }: Listener): readonly OwnListener[] {
  const bound = isUnspecified(host) ? addresses : [host];
  return bound.filter((address) => !isHere(address)).map((address) => ({ address, port }));
}

/** As a listening address they mean every address of the machine; as a target they lead to its loopback. */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '0:0:0:0:0:0:0:0']);

/** The list of allowed networks does not open it: it names networks, not ports. */
export function isOwnListener(target: OwnListener, policy: OutboundPolicy): boolean {
  const address = canonicalAddress(target.address);
  if (address === null) return false;
  return policy.ownListeners.some((own) => own.port === target.port && leadsTo({ address, own, policy }));
}

function leadsTo(question: {
  readonly address: string;
  readonly own: OwnListener;
  readonly policy: OutboundPolicy;
}): boolean {
  const { address, own, policy } = question;
  const bound = canonicalAddress(own.address);
  if (bound === null || isUnspecified(own.address)) {
    return isHere(address) || policy.ownAddresses.some((one) => canonicalAddress(one) === address);
  }
  return address === bound || (unspecified.has(address) && isHere(bound));
}

/** A name as the bound address is the machine's own, so it counts as all addresses. */
function isUnspecified(text: string): boolean {
  const address = canonicalAddress(text);
  return address === null || unspecified.has(address);
}

function isHere(text: string): boolean {
  const address = canonicalAddress(text) ?? text;
  return unspecified.has(address) || address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}
