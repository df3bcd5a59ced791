/** Visitors as they are recorded (docs/banners-tracking.md#what-is-recorded): digests that do not connect two days. */
import ipaddr from 'ipaddr.js';

interface VisitorQuestion {
  readonly ip: string;
  readonly day: number;
  readonly digest: (text: string) => string;
}

/** Long enough that two visitors of a day do not collide. */
const length = 16;

export function visitorOf({ ip, day, digest }: VisitorQuestion): string {
  return digest(`${day}|${hostOf(ip)}`).slice(0, length);
}

/** An IPv4 address, or the /64 of an IPv6 address: a single host can use any address of its /64. */
function hostOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Matches nearly every address; the library takes seven times as long. */
const plainIpv4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);

export function truncateAddress(ip: string): string {
  if (plainIpv4.test(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0`;
  if (!ipaddr.IPv6.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return truncateAddress(address.toString());
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}
