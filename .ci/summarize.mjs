/**
 * Reads what test/support/progress-reporter.ts wrote. `summarize.mjs FILE counts` prints how many tests passed and
 * failed; a file that failed outside its tests counts as one failure. `summarize.mjs FILE running` prints the files that
 * had begun and not ended, `summarize.mjs FILE failures` what failed and with which messages, `summarize.mjs FILE slowest`
 * the twelve files that took longest, with their seconds.
 */
import { existsSync, readFileSync } from 'node:fs';

const [path, question] = process.argv.slice(2);
// A run that was killed may have been in the middle of its last line.
const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
const steps = lines.map((line) => JSON.parse(line));

const failures = steps.filter(({ kind, broken }) => kind === 'failed' || broken === true);

function running() {
  const files = new Set();
  for (const { kind, file } of steps) {
    if (kind === 'started') files.add(file);
    if (kind === 'ended') files.delete(file);
  }
  return [...files];
}

const slowest = () =>
  steps
    .filter(({ kind }) => kind === 'ended')
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 12)
    .map(({ file, seconds }) => `${seconds} s ${file}`);

const answers = {
  counts: () => [`${steps.filter(({ kind }) => kind === 'passed').length} ${failures.length}`],
  running,
  slowest,
  failures: () =>
    failures.flatMap(({ file, test, messages }) => [test === undefined ? file : `${file} > ${test}`, ...messages]),
};
for (const line of answers[question]()) process.stdout.write(`${line}\n`);
