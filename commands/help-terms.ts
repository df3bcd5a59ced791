/** The parts of a command's help that help texts and man pages share: its usage line and the terms of its flags. */
import type { Command } from './command.js';
import { globalParameters, helpFlag, versionFlag } from './globals.js';
import { flagOf, type Parameter, type Parameters } from './parameters.js';

export interface Term {
  readonly term: string;
  readonly description: string;
}

/** `hcd config show [FLAGS]`, with required flags written out. */
export function usageLine(command: Command): string {
  const args = Object.values(command.arguments).map(argumentTerm);
  const needed = Object.entries(command.options).flatMap(([name, option]) =>
    option.required ? [`${flagOf(name)} ${option.placeholder}`] : [],
  );
  const hasMore = Object.keys(command.options).length > needed.length;
  return ['hcd', command.path, ...args, ...needed, ...(hasMore ? ['[FLAGS]'] : [])].join(' ');
}

/** Arguments as terms with their descriptions. */
export function argumentTerms(command: Command): readonly Term[] {
  return Object.values(command.arguments).map((argument) => ({
    term: argumentTerm(argument),
    description: descriptionOf(argument),
  }));
}

/** Flags as terms with their descriptions. */
export function flagTerms(parameters: Parameters): readonly Term[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    term: parameter.placeholder === null ? flagOf(name) : `${flagOf(name)} ${parameter.placeholder}`,
    description: descriptionOf(parameter),
  }));
}

/** The flags that every command has. */
export function globalTerms(): readonly Term[] {
  const own = [helpFlag, versionFlag].map(({ flags, description }) => ({ term: flags, description }));
  return [...flagTerms(globalParameters), ...own];
}

function argumentTerm(argument: Parameter<unknown>): string {
  const word = `${argument.placeholder}${argument.repeatable ? '...' : ''}`;
  return argument.required ? word : `[${word}]`;
}

function descriptionOf(parameter: Parameter<unknown>): string {
  const parts = [
    parameter.description,
    ...(parameter.accepts === null ? [] : [parameter.accepts]),
    ...(parameter.required ? ['required'] : []),
    ...(parameter.repeatable && parameter.placeholder !== null ? ['can be repeated'] : []),
  ];
  return parts.join('; ');
}
