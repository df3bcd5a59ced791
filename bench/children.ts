/** Processes that the bench started: an interrupted run must not leave servers behind. */
import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** Ends the process with this one, however this one ends (but by SIGKILL). */
export function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  });
}

/** Without a listener a signal would end this process before its `exit` event. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}

function endAll(): void {
  for (const child of running) child.kill('SIGTERM');
}
