// @ts-check
/**
 * A process that counts: opens the built counter on the Redis of its options, says so, waits for the word to begin and
 * sends back what it was told for each of its parallel calls.
 */
/** The build is no part of what is type-checked, so it is imported by an address that only Node knows. */
const built = (/** @type {string} */ path) => import(new URL(`../../../dist/src/${path}`, import.meta.url).href);
const { systemClock } = await built('clock/clock.js');
const { openRateCounter } = await built('identity/limits/open-counter.js');

/** @type {{ url: string, calls: number }} */
const { url, calls } = JSON.parse(process.argv[2] ?? '{}');
const place = { redisUrl: url, prefix: 'hcd:' };
const { counter, close } = await openRateCounter({ place, clock: systemClock, log: () => undefined });

// With `once` nothing would keep the process after the word: the counter leaves that to the server around it.
process.on('message', async () => {
  const question = { bucket: 'gateway|192.0.2.1', windowMs: 60_000, whenLost: 'refuse' };
  const counts = await Promise.all(Array.from({ length: calls }, () => counter.count(question)));
  close();
  process.send?.(counts, () => process.disconnect());
});
process.send?.('ready');
