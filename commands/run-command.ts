/** Runs one command: what is missing is asked for, consent is checked, and what it opened is closed. */
import { askMissing } from './ask-missing.js';
import type { RunInvocation } from './command-line.js';
import { checkConsent } from './confirm.js';
import { createDeps } from './deps.js';
import type { Host } from './host.js';
import { type OutputMode, writeResult } from './output.js';
import type { Result } from './result.js';

interface Surroundings {
  readonly host: Host;
  readonly mode: OutputMode;
  readonly version: string;
}

/** Runs the command and writes its result. Gives the exit code. */
export async function runCommand(invocation: RunInvocation, surroundings: Surroundings): Promise<0 | 1> {
  const result = await resultOf(invocation, surroundings);
  writeResult(result, surroundings.mode);
  return result.exitCode ?? 0;
}

async function resultOf(
  { command, raw, flags }: RunInvocation,
  { host, mode, version }: Surroundings,
): Promise<Result> {
  const { deps, close } = createDeps(host, { io: mode.io, flags, version });
  try {
    const bound = command.bind(await askMissing(command, raw, deps));
    checkConsent([command.path, ...raw.arguments].join(' '), bound, deps);
    // A command that does not end itself on a signal is left behind; closing its store ends what it was doing.
    return await (command.endsItself ? bound.run(deps) : Promise.race([bound.run(deps), interruption(host.stop)]));
  } finally {
    await close();
  }
}

function interruption(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(stop.reason);
    if (stop.aborted) fail();
    stop.addEventListener('abort', fail, { once: true });
  });
}
