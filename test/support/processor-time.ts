/** How much a piece of work computes: the time on the clock also counts what the machine does beside it. */

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
