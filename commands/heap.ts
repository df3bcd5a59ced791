/** How far the memory of a long command may grow between collections of garbage. */
import { setFlagsFromString } from 'node:v8';

/** By so many percent over what is in use; takes effect from the next collection on. */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
