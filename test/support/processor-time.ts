/** How much a piece of work computes: the time on the clock also counts what else the machine does. */

/** Seconds of processor time that the work took. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1e6;
}

/** Milliseconds of processor time, that of the system included, until the work is done. */
export async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const yardstick = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, text: `row ${index}` })));
let best = Number.POSITIVE_INFINITY;

/**
 * How many times as long as at its best in this process a fixed piece of work takes now: the processor time of a machine
 * that is busy with other things grows too, because they share its caches and its cores. At least 1.
 */
export function slowness(): number {
  const now = processorSeconds(() => void JSON.parse(yardstick));
  best = Math.min(best, now);
  return now / best;
}
