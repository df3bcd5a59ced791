/**
 * One run of the program: parse, run, render. The only place that catches what a command throws and turns it into text
 * and an exit code; nothing here or below ends the process.
 */
import { askMissing } from './ask-missing.js';
import { hasSwitch, type Invocation, parseCommandLine, type RunInvocation } from './command-line.js';
import { checkConsent } from './confirm.js';
import { createDeps, type Host, processHost } from './deps.js';
import { type ExitCode, exitCodeOf, Interrupted } from './exit-codes.js';
import { helpText } from './help-text.js';
import { createIo, type Io } from './io.js';
import { writeError, writeResult } from './output.js';
import { createProgram } from './program.js';
import type { Result } from './result.js';
import { namedPath, type Program } from './tree.js';
import { proseWidth } from './wrap-text.js';

/** Runs the words after `hcd` and resolves with the exit code when all output has left the process. */
export async function main(
  words: readonly string[],
  host: Host,
  program: Program = createProgram(),
): Promise<ExitCode> {
  const mode = {
    json: hasSwitch(words, '--json'),
    quiet: hasSwitch(words, '--quiet'),
    now: host.clock.now(),
    io: createIo(host.streams, { env: host.env, noColor: hasSwitch(words, '--no-color') }),
  };
  let code: ExitCode;
  try {
    const invocation = await parseCommandLine(program, words);
    const result = await resultOf(invocation, { host, io: mode.io, program });
    writeResult(result, mode);
    code = isInterrupted(host.stop) ? 130 : (result.exitCode ?? 0);
  } catch (error) {
    writeError(error, { ...mode, helpLine: helpLineFor(program, words) });
    code = exitCodeOf(error);
  }
  return finish(mode.io, code);
}

/** Waits for the output. What could not be written, for a full disk for example, was not delivered: that is a failure. */
async function finish({ stdout, stderr }: Io, code: ExitCode): Promise<ExitCode> {
  const failure = await stdout.flush();
  if (failure !== null) stderr.write(`hcd: The output cannot be written: ${failure.message}\n`);
  await stderr.flush();
  return failure !== null && code === 0 ? 1 : code;
}

interface Surroundings {
  readonly host: Host;
  readonly io: Io;
  readonly program: Program;
}

async function resultOf(invocation: Invocation, surroundings: Surroundings): Promise<Result> {
  switch (invocation.kind) {
    case 'version': {
      const { version } = surroundings.program;
      return { kind: 'text', text: `${version}\n`, data: { version } };
    }
    case 'help': {
      const help = await helpText(surroundings.program, invocation.path, proseWidth(surroundings.io.stdout));
      return { kind: 'text', text: help, data: { help } };
    }
    case 'run':
      return runCommand(invocation, surroundings);
    default:
      return invocation satisfies never;
  }
}

async function runCommand(
  { command, raw, flags }: RunInvocation,
  { host, io, program }: Surroundings,
): Promise<Result> {
  const { deps, close } = createDeps(host, { io, flags, version: program.version });
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

/** Ctrl-C makes 130 of every ending; SIGTERM leaves the ending of a server as it is. */
function isInterrupted(stop: AbortSignal): boolean {
  return stop.reason instanceof Interrupted && stop.reason.signal === 'SIGINT';
}

/** Points at the help of the command that the words name, as far as they name one. */
function helpLineFor(program: Program, words: readonly string[]): string {
  return `See ${['hcd', namedPath(program, words), '--help'].filter((part) => part !== '').join(' ')}.`;
}

/** The start of the real process: called by bin/hcd. */
export async function runProcess(): Promise<void> {
  // Stays when the event loop runs dry before the command has ended.
  process.exitCode = 70;
  const { host, release } = processHost();
  process.exitCode = await main(process.argv.slice(2), host);
  release();
}
