/** Checks a receiver's address without a look-up, when a subscription is added and at every attempt. */

import { accept, type Checked, refuse } from '../../values/checked.js';
import { parseUrl } from '../../values/text.js';
import { classifyAddress, isAddressAllowed, isAddressNamed } from './address.js';
import { isOwnBase, isOwnListener, type OutboundPolicy } from './outbound-policy.js';

export interface ReceiverUrl {
  readonly href: string;
  readonly secure: boolean;
  /** Name in ASCII without a final dot, or an address without brackets. */
  readonly hostname: string;
  /** The host is an address: it is not looked up and no server name is sent. */
  readonly literal: boolean;
  readonly port: number;
  /** Value of the Host header. */
  readonly authority: string;
  readonly target: string;
}

const longestUrl = 2048;
/** WHATWG parsing drops or replaces these; the stored address must be the given one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unwanted = /[\u0000-\u0020\u007f-\u009f\\\s]/u;
/** An authority that is not empty; a third slash would be dropped. */
const beginning = /^https?:\/\/([^/?#]+)/;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Names that resolve inside a machine or network, or nowhere (RFC 6761, 6762, 7686, 8375, 9476). */
const localSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'onion',
  'test',
  'invalid',
  'alt',
] as const;

/** Ports of other protocols: those that browsers refuse (Fetch, "bad port"), databases, queues and remote control. */
const foreignPorts: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  5900, 5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 10080, 10250, 11211, 27017,
]);

/** Other ports are only for addresses that the operator has opened. */
export function isReceiverPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !foreignPorts.has(port));
}

export function checkReceiverUrl(text: string, policy: OutboundPolicy): Checked<ReceiverUrl> {
  if (text === '') return refuse('must not be empty');
  if (text.length > longestUrl) return refuse(`must not be longer than ${longestUrl} characters`);
  if (unwanted.test(text)) return refuse('must not contain spaces, control characters or backslashes');
  const authority = beginning.exec(text)?.[1];
  if (authority === undefined) return refuse('must begin with http:// or https:// and a host');
  if (authority.includes('@')) return refuse('must not contain a user name or password');
  const parsed = parseUrl(text);
  if (parsed === null) return refuse('must be a valid URL');
  if (parsed.href.length > longestUrl) return refuse(`must not be longer than ${longestUrl} characters when encoded`);
  if (policy.httpsOnly && parsed.protocol !== 'https:') return refuse('must begin with https://');
  const url = partsOf(parsed);
  const problem = hostProblem(url, policy) ?? portProblem(url, policy);
  return problem === null ? accept(url) : refuse(problem);
}

function partsOf(parsed: URL): ReceiverUrl {
  const secure = parsed.protocol === 'https:';
  const bracketed = parsed.hostname.startsWith('[');
  const hostname = bracketed ? parsed.hostname.slice(1, -1) : parsed.hostname.replace(/\.$/, '');
  parsed.hash = '';
  return Object.freeze({
    href: parsed.href,
    secure,
    hostname,
    literal: bracketed || classifyAddress(hostname) !== null,
    port: parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port),
    authority: parsed.host,
    target: `${parsed.pathname}${parsed.search}`,
  });
}

function hostProblem(url: ReceiverUrl, policy: OutboundPolicy): string | null {
  const { hostname, literal, port } = url;
  if (isOwnBase(url, policy.ownBases)) return 'must not be this server itself';
  if (literal) {
    if (isOwnListener({ address: hostname, port }, policy)) return 'must not be an address of this server itself';
    return isAddressAllowed(hostname, policy) ? null : 'must not be a private, local or special address';
  }
  const labels = hostname.split('.');
  if (hostname.length > 253 || !labels.every((one) => label.test(one))) return 'must have a host name or an address';
  // Named networks make local names usable; the look-up shows whether their addresses are among them.
  if (policy.allowPrivate || policy.allowed.length > 0) return null;
  const local = labels.length === 1 || localSuffixes.some((one) => hostname === one || hostname.endsWith(`.${one}`));
  return local ? 'must not be a local name' : null;
}

function portProblem({ hostname, literal, port }: ReceiverUrl, policy: OutboundPolicy): string | null {
  if (port < 1) return 'must have a port from 1 to 65535';
  if (isReceiverPort(port) || policy.allowPrivate) return null;
  const named = literal ? isAddressNamed(hostname, policy) : policy.allowed.length > 0;
  return named ? null : `must not use port ${port}, which other services use`;
}
