/** What is kept of a visitor's address: the network it is in, /24 or /48, in which thousands are (contract 3.8). */
import ipaddr from 'ipaddr.js';

/** The first address of the network; empty for what is no address. */
export function truncateAddress(ip: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0`;
  if (!ipaddr.IPv6.isValid(ip)) return '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return truncateAddress(address.toString());
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}
