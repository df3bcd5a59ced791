/** Random numbers that a seed decides, so that a run that failed can be repeated. */

/** Takes the seed from HCD_FAULTS_SEED or makes one, prints it under the name, and gives numbers from 0 to 1 (mulberry32). */
export function seededRandom(name: string): () => number {
  const seed = Number(process.env['HCD_FAULTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`\n${name}: HCD_FAULTS_SEED=${seed}\n`);
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
