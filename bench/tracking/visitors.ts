/** Addresses of visitors: they count up from a different start in each load, so that no visitor repeats. */

/** More than any load asks for. */
const mostOfLoad = 2_000_000;
let loads = 0;

/** Number of the first visitor of the next load. */
export function nextVisitors(): number {
  loads += 1;
  return loads * mostOfLoad;
}

/** The same as the script of wrk makes. */
export function visitorAddress(visitor: number): string {
  const byte = (place: number) => Math.floor(visitor / 256 ** place) % 256;
  return `${20 + (Math.floor(visitor / 256 ** 3) % 200)}.${byte(2)}.${byte(1)}.${byte(0)}`;
}

export const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
