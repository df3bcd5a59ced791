/** The compiled program as few files instead of many: for `hcd serve`, and for the single executable. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type Plugin, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const dist = join(root, 'dist');

/** Reads the compiled file `input` with all that it imports. Each part runs when it is first imported. */
export function readProgram(input: string, options: Pick<InputOptions, 'external' | 'plugins'>) {
  // Packages try modules that are not installed.
  return rolldown({ input: join(dist, input), platform: 'node', logLevel: 'silent', ...options });
}

/** In these files of `dist`, which text becomes which other one. */
export type Replacements = ReadonlyMap<string, readonly [text: string, by: string]>;

/** Fails where a file does not have its text once. */
export function replaceText(texts: Replacements): Plugin {
  return {
    name: 'replace-text',
    transform(code, id) {
      const [text, by] = texts.get(id.slice(dist.length + 1)) ?? [];
      if (text === undefined || by === undefined) return null;
      const [before, after, ...others] = code.split(text);
      if (before === undefined || after === undefined || others.length > 0) {
        throw new Error(`${id} does not have the text ${text} once`);
      }
      return before + by + after;
    },
  };
}

/** Imports the one of these files that the variable `file` names. */
export function importOneOf(names: readonly string[]): string {
  const loaders = names.map((name) => `'./${name}.js': () => import('./${name}.js'),`);
  return `({ ${loaders.join(' ')} })[file]()`;
}
