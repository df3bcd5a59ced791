/** One run of the program. The only place that catches errors of commands; nothing else ends the process. */
import { AppError } from '../src/errors/app-error.js';
import { codeOf } from '../src/errors/disk-error.js';
import type { Command, Result } from './command.js';
import { hasSwitch, parseCommandLine, type RunInvocation, type TextInvocation } from './command-line.js';
import type { Deps } from './deps.js';
import { type ExitCode, exitCodeOf, Interrupted } from './exit-codes.js';
import { aborted, type Host, processHost } from './host.js';
import type { OutputMode } from './output.js';
import { type NamedParameter, type Texts, usageError } from './parameters.js';
import { createProgram, namedPath, type Program } from './program.js';
import type { Prompt } from './prompt.js';
import { createIo, type Io, writeJson } from './streams.js';
import { proseWidth } from './terminal-text.js';

const flushMs = 2000;

/** Resolves when all output has left the process. */
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
  const { readerGone } = mode.io.stdout;
  const stop = AbortSignal.any([host.stop, readerGone]);
  let code: ExitCode;
  let hasResult = false;
  let outputError: Error | null = null;
  try {
    const invocation = await parseCommandLine(program, words);
    code = 0;
    if (invocation.kind === 'run') {
      const result = await runCommand(invocation, { host: { ...host, stop }, mode, version: program.version });
      hasResult = result.kind !== 'nothing' || result.hasWritten === true;
      (await import('./output.js')).writeResult(result, mode);
      code = result.exitCode ?? 0;
    } else {
      hasResult = true;
      await writeText(invocation, { ...mode, program });
    }
    if (isInterrupted(host.stop)) code = 130;
  } catch (error) {
    const { writeError } = await import('./output.js');
    if (isWriteFailure(error)) outputError = error;
    else if (!readerGone.aborted) writeError(error, { ...mode, helpLine: helpLineFor(program, words) });
    code = readerGone.aborted ? exitCodeOf(readerGone.reason) : outputError === null ? exitCodeOf(error) : 1;
  }
  const done = new AbortController();
  const late = (hasResult ? aborted(stop) : Promise.resolve()).then(() => host.clock.sleep(flushMs, done.signal));
  code = await Promise.race([finish(mode.io, { code, outputError }), late.then(() => code)]);
  done.abort();
  return code;
}

/** Binds, checks and runs a command. Throws the errors of the command, with its flags and arguments in their fields. */
export async function runCommand(
  { command, texts, flags }: RunInvocation,
  { host, mode, version }: { readonly host: Host; readonly mode: OutputMode; readonly version: string },
): Promise<Result> {
  // Help and version need nothing of it.
  const { createDeps } = await import('./deps.js');
  const { deps, close } = createDeps(host, { io: mode.io, flags, version, logLevel: command.logLevel });
  let given = texts;
  const over = new AbortController();
  try {
    given = await askMissing(command, texts, deps);
    const bound = command.bind(given);
    const words = Object.keys(command.arguments).flatMap((name) => texts.get(name) ?? []);
    if (bound.isDestructive) checkConsent([command.path, ...words].join(' '), deps);
    // A command that does not end itself is left behind; closing its store ends its work.
    const ran = bound.run(deps);
    return await (command.endsItself ? ran : Promise.race([ran, interruption(host.stop, over.signal)]));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const error = command.named(thrown, given);
    // The store is loaded already where a database has failed.
    if (error.cause === undefined) throw error;
    if (error.kind === 'internal' || error.kind === 'conflict') throw error;
    throw (await import('../src/store/base/errors.js')).toCommandError(error);
  } finally {
    over.abort();
    await close();
  }
}

/** Before anything is opened. Throws usage without --yes and without a terminal. */
function checkConsent(line: string, deps: Deps): void {
  // In a browser the question is the answer: deps.confirm.
  if (deps.flags.yes || deps.prompt.isInteractive || deps.writer === 'studio') return;
  throw usageError({
    '--yes': `is required: "${line}" cannot be undone, and this is not a terminal, so it cannot prompt`,
  });
}

async function interruption(stop: AbortSignal, over: AbortSignal): Promise<never> {
  await aborted(stop, over);
  throw stop.reason;
}

/** Throws usage before the first prompt when a given text cannot be read. */
async function askMissing(command: Command, given: Texts, deps: Deps): Promise<Texts> {
  if (!deps.prompt.isInteractive) return given;
  const texts = new Map(given);
  for (const name of command.missing(given)) {
    const parameter = command.arguments[name] ?? command.options[name];
    if (parameter === undefined) continue;
    const offered = await command.offers[name]?.(deps);
    texts.set(name, [await ask(parameter, { offered, prompt: deps.prompt })]);
  }
  return texts;
}

async function ask(
  { label, form, choices, question: text, read }: NamedParameter,
  { offered, prompt }: { readonly offered: readonly string[] | undefined; readonly prompt: Prompt },
): Promise<string> {
  const question = { message: `${text} (${label})`, flag: label };
  if (form === 'one') return prompt.choose({ ...question, choices });
  if (form === 'several' || offered !== undefined) {
    return (await prompt.chooseMany({ ...question, choices: offered ?? choices, least: 1 })).join(',');
  }
  const check = (answer: string): string | null => {
    const parsed = read([answer]);
    return parsed.ok ? null : `${label} ${parsed.problem}`;
  };
  return prompt.text({ ...question, check });
}

function isWriteFailure(error: unknown): error is Error {
  return codeOf(error) === 'ENOSPC' && error instanceof Error && 'syscall' in error && error.syscall === 'write';
}

async function finish(
  { stdout, stderr }: Io,
  { code, outputError }: { readonly code: ExitCode; readonly outputError: Error | null },
): Promise<ExitCode> {
  const failure = (await stdout.flush()) ?? outputError;
  if (failure !== null) stderr.write(`hcd: The output cannot be written: ${failure.message}\n`);
  await stderr.flush();
  if (code !== 0) return code;
  return stdout.readerGone.aborted ? exitCodeOf(stdout.readerGone.reason) : failure === null ? 0 : 1;
}

async function writeText(
  invocation: TextInvocation,
  { io, json, program }: { readonly io: Io; readonly json: boolean; readonly program: Program },
): Promise<void> {
  if (invocation.kind === 'complete') {
    io.stdout.write(await (await import('./complete.js')).completionText(program, invocation.words));
    return;
  }
  const { helpText } = await import('./help-text.js');
  const data =
    invocation.kind === 'version'
      ? { version: program.version }
      : { help: await helpText(program, invocation.path, proseWidth(io.stdout)) };
  if (json) writeJson(io.stdout, { data });
  else io.stdout.write('help' in data ? data.help : `${data.version}\n`);
}

/** After Ctrl-C the exit code is always 130; after SIGTERM a server keeps its own exit code. */
function isInterrupted(stop: AbortSignal): boolean {
  return stop.reason instanceof Interrupted && stop.reason.signal === 'SIGINT';
}

function helpLineFor(program: Program, words: readonly string[]): string {
  return `See ${['hcd', namedPath(program, words), '--help'].filter((part) => part !== '').join(' ')}.`;
}

export async function runProcess(): Promise<void> {
  // Stays when the event loop runs dry before the command has ended.
  process.exitCode = 70;
  const { host, release } = processHost();
  process.exitCode = await main(process.argv.slice(2), host);
  release();
}
