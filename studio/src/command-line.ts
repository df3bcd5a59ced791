/** The command line that does what a form does. */
import type { CommandView, ParameterView } from '../../commands/studio/command-view.js';
import type { Json, RunInput } from './api.js';

export function commandLine(
  { path, options }: CommandView,
  { arguments: words = [], options: given = {}, input }: RunInput,
): string {
  const flags = options.flatMap((option) => flagWords(option, given[option.name]));
  const parts = ['hcd', ...path.split(' '), ...words.map(quoted), ...flags];
  return input === undefined ? parts.join(' ') : `${parts.join(' ')} < FILE`;
}

function flagWords({ label, placeholder, repeatable }: ParameterView, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === false) return [];
  if (placeholder === null) return [label];
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return repeatable ? texts.flatMap((text) => [label, quoted(text)]) : [label, quoted(texts.join(','))];
  }
  return [label, quoted(textOf(value))];
}

function textOf(value: Json): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** As a POSIX shell reads one word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
