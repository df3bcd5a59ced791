/**
 * Loaded before the program: notes which of its files had a function run since the last question, in every thread.
 * SIGUSR2 asks; each thread appends one line of JSON, a list of files, to `WALK_OUT`. A command answers when it ends.
 */
import { appendFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const program = /.*\/dist\/((?:src|commands|migrations)\/.*)$/;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The first range of a module is its own text, which runs when it is loaded. */
function isRun({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  const [range] = ranges;
  return range !== undefined && range.count > 0 && (functionName !== '' || range.startOffset !== 0);
}

function report(): void {
  // The callback runs before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, found) => {
    if (error) throw error;
    const files = found.result
      .filter(({ url, functions }) => program.test(url) && functions.some(isRun))
      .map(({ url }) => url.replace(program, '$1'));
    appendFileSync(process.env['WALK_OUT'] ?? '/dev/null', `${JSON.stringify(files)}\n`);
  });
}

const threads = new BroadcastChannel('walk');
threads.onmessage = report;
threads.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    report();
    threads.postMessage('report');
  });
  if (process.env['WALK_COMMAND'] !== undefined) process.on('exit', report);
}
