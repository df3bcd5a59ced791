/** Help topics that belong to no single command: `hcd help environment`, `exit-codes`, `formatting`. */
import { configDefinitions, configNames } from '../src/config/definitions.js';
import { definitionOf } from '../src/config/load.js';
import { settingDefinition, settingKeys, settingVariable } from '../src/config/settings.js';
import { exitCodeMeanings } from './exit-codes.js';
import type { Term } from './help-terms.js';

export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** Paragraphs before the terms. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/** The default as help shows it. */
function defaultOf(value: unknown, format: (value: unknown) => string): string {
  const text = value === null ? '' : format(value);
  return text === '' ? 'no default' : `default ${text}`;
}

const configTerms = configNames.map((name): Term => {
  const { description, type, default: value } = definitionOf(name);
  return {
    term: configDefinitions[name].env,
    description: `${description} Accepted: ${type.accepts}; ${defaultOf(value, type.format)}.`,
  };
});

const settingTerms = settingKeys.map((key): Term => {
  const { description, type, default: value } = settingDefinition(key);
  return {
    term: settingVariable(key),
    description: `${description} Accepted: ${type.accepts}; ${defaultOf(value, type.format)}.`,
  };
});

export const topics: readonly Topic[] = Object.freeze([
  {
    name: 'environment',
    summary: 'Environment variables and the configuration file',
    text: [
      'A value comes from the first of: flag, environment, configuration file, default. An empty variable counts as unset (only an empty HCD_CONTENT_PREFIX is a value).',
      'The configuration file is hcd.toml in the working directory, or the one that --config names. Its keys are the names that hcd config show prints, for example: port = 8080. Relative paths in it count from its folder.',
      'HCD_ followed by the upper-cased name of a runtime setting fixes that setting for the process; hcd config show lists it as locked.',
      'NO_COLOR, when set, switches colour off, as --no-color does.',
    ].join('\n\n'),
    terms: [...configTerms, ...settingTerms],
  },
  {
    name: 'exit-codes',
    summary: 'What the exit codes mean',
    text: 'Every command ends with one of these codes.',
    terms: exitCodeMeanings.map(({ code, meaning }) => ({ term: String(code), description: meaning })),
  },
  {
    name: 'formatting',
    summary: 'Output on a terminal, in a pipe and with --json',
    text: [
      'Standard output carries the result only; notes, questions, progress and the log go to standard error. On a terminal lists are tables of its width, in which times are told from now. In a pipe each record is one line, its values separated by tabs, without a heading; tabs, line breaks and backslashes in values are written \\t, \\n and \\\\. Other controls and marks that reorder text are written as \\u and four digits, everywhere.',
      'Required values that are missing are asked for on a terminal, without --yes and --json. What cannot be undone, such as revoking, removing and pruning, is asked about there; elsewhere it needs --yes.',
      'With --json standard output is exactly one JSON object, for every exit code:',
    ].join('\n\n'),
    terms: [
      { term: '{"data": {...}}', description: 'A record, or what a command did.' },
      { term: '{"data": [...], "meta": {"total": 3}}', description: 'A list; total counts all records.' },
      { term: '{"error": {"code", "message", "details"}}', description: 'A refusal or failure.' },
    ],
  },
]);
