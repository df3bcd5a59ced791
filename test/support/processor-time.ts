/** How much a piece of work computes: the time on the clock also counts what the machine does beside it. */

/** Seconds of processor time that the work took. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1e6;
}
