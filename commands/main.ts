/**
 * One run of the program: parse, run, render. The only place that catches what a command throws and turns it into text
 * and an exit code; nothing here or below ends the process.
 */
import { type HelpInvocation, hasSwitch, parseCommandLine, type VersionInvocation } from './command-line.js';
import { type ExitCode, exitCodeOf, Interrupted } from './exit-codes.js';
import { helpText } from './help-text.js';
import { createIo, type Host, type Io, processHost, writeJson } from './host.js';
import { createProgram, namedPath, type Program } from './program.js';
import { proseWidth } from './terminal-text.js';

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
    code = 0;
    if (invocation.kind === 'run') {
      // Help and version need nothing of what a command gets.
      const { runCommand } = await import('./run-command.js');
      code = await runCommand(invocation, { host, mode, version: program.version });
    } else {
      await writeText(invocation, { ...mode, program });
    }
    if (isInterrupted(host.stop)) code = 130;
  } catch (error) {
    const { writeError } = await import('./output.js');
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

async function writeText(
  invocation: HelpInvocation | VersionInvocation,
  { io, json, program }: { readonly io: Io; readonly json: boolean; readonly program: Program },
): Promise<void> {
  const data =
    invocation.kind === 'version'
      ? { version: program.version }
      : { help: await helpText(program, invocation.path, proseWidth(io.stdout)) };
  if (json) writeJson(io.stdout, { data });
  else io.stdout.write('help' in data ? data.help : `${data.version}\n`);
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
