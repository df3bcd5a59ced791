/**
 * What is kept of a visitor's address: its network, /24 or /48, which thousands share
 * (docs/banners-tracking.md#what-is-recorded).
 */
import ipaddr from 'ipaddr.js';

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Nearly every address; the library takes seven times as long. */
const plainIpv4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);

/** The first address of the network; empty for what is no address. */
export function truncateAddress(ip: string): string {
  if (plainIpv4.test(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0`;
  if (!ipaddr.IPv6.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return truncateAddress(address.toString());
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}
