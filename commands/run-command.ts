/** Runs one command: what is missing is asked for, consent is checked, and what it opened is closed. */

import { type Command, labelOf, type RawInput } from './command.js';
import type { RunInvocation } from './command-line.js';
import { checkConsent } from './confirm.js';
import { createDeps, type Deps } from './deps.js';
import type { Host } from './host.js';
import { type OutputMode, writeResult } from './output.js';
import type { Parameter } from './parameters.js';
import type { Prompt } from './prompt.js';
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
    const text = await ask(parameter, { label: labelOf(command, name), offered, prompt: deps.prompt });
    // Words go to the arguments in order, so the missing ones are the last.
    if (argument !== undefined) words.push(text);
    else options.set(name, [text]);
  }
  return { arguments: words, options };
}

type Offered = readonly string[] | undefined;

async function ask(
  parameter: Parameter<unknown>,
  { label, offered, prompt }: { readonly label: string; readonly offered: Offered; readonly prompt: Prompt },
): Promise<string> {
  const question = { message: `${parameter.question} (${label})`, flag: label };
  const { form, choices } = parameter;
  if (form === 'one') return prompt.choose({ ...question, choices });
  if (form === 'several' || offered !== undefined) {
    return (await prompt.chooseMany({ ...question, choices: offered ?? choices, least: 1 })).join(',');
  }
  const check = (text: string): string | null => {
    const parsed = parameter.read([text]);
    return parsed.ok ? null : `${label} ${parsed.problem}`;
  };
  return prompt.text({ ...question, check });
}
