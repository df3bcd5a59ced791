/** Asks on a terminal for the required values that a command line lacks; elsewhere they are refused when it is read. */
import { type Command, labelOf, type RawInput } from './command.js';
import type { Deps } from './deps.js';
import type { Parameter } from './parameters.js';
import type { Prompt } from './prompt.js';

/** The texts with the answers. Throws usage before it asks when a text that was given cannot be read. */
export async function askMissing(command: Command, raw: RawInput, deps: Deps): Promise<RawInput> {
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
