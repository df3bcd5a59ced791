/** Runs one command: what is missing is asked for, consent is checked, and what it opened is closed. */

import type { BoundCommand, Command, RawInput, Result } from './command.js';
import type { RunInvocation } from './command-line.js';
import { createDeps, type Deps } from './deps.js';
import { aborted, type Host } from './host.js';
import { type OutputMode, writeResult } from './output.js';
import type { NamedParameter } from './parameters.js';
import { usageError } from './parameters.js';
import type { Prompt } from './prompt.js';

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

/** Before anything is opened: throws usage when a destructive command has neither --yes nor a terminal. */
function checkConsent(line: string, { isDestructive }: BoundCommand, deps: Deps): void {
  if (!isDestructive || deps.flags.yes || deps.prompt.isInteractive) return;
  throw usageError({
    '--yes': `is required: "${line}" cannot be undone, and this is not a terminal, so it cannot prompt`,
  });
}

async function interruption(stop: AbortSignal): Promise<never> {
  await aborted(stop);
  throw stop.reason;
}

/** The texts with the answers. Throws usage before it asks when a text that was given cannot be read. */
async function askMissing(command: Command, raw: RawInput, deps: Deps): Promise<RawInput> {
  if (!deps.prompt.isInteractive) return raw;
  const words = [...raw.arguments];
  const options = new Map(raw.options);
  for (const name of command.missing(raw)) {
    const argument = command.arguments[name];
    const parameter = argument ?? command.options[name];
    if (parameter === undefined) continue;
    const offered = await command.offers[name]?.(deps);
    const text = await ask(parameter, { offered, prompt: deps.prompt });
    // Words go to the arguments in order, so the missing ones are the last.
    if (argument !== undefined) words.push(text);
    else options.set(name, [text]);
  }
  return { arguments: words, options };
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
