/** How far the memory of a long command may grow between collections of garbage. */
import { setFlagsFromString } from 'node:v8';

export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
