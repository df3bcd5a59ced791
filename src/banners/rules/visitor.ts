/**
 * Who counts as one visitor on one day: a keyed digest of the address and the day, so that nobody who reads the stored
 * text finds the address again, and nobody can follow a visitor from one day to the next.
 */
import ipaddr from 'ipaddr.js';

export interface VisitorQuestion {
  readonly ip: string;
  /** Digits of the local day. */
  readonly day: number;
  /** Keyed digest in hexadecimal digits, the same in every process. */
  readonly digest: (text: string) => string;
}

/** Enough that two visitors of a day are never taken for one. */
const length = 16;

/** 16 hexadecimal digits. */
export function visitorOf({ ip, day, digest }: VisitorQuestion): string {
  return digest(`${day}|${hostOf(ip)}`).slice(0, length);
}

/** An IPv4 address, or the /64 of an IPv6 one: a single host has all of it to choose from. */
function hostOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
