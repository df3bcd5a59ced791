/** Help topics that belong to no single command: `hcd help environment`, `exit-codes`, `formatting`. */
export interface Topic {
  readonly name: 'environment' | 'exit-codes' | 'formatting';
  readonly summary: string;
  /** Paragraphs before its terms. */
  readonly text: string;
}

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
  },
  {
    name: 'exit-codes',
    summary: 'What the exit codes mean',
    text: 'Every command ends with one of these codes.',
  },
  {
    name: 'formatting',
    summary: 'Output on a terminal, in a pipe and with --json',
    text: [
      'Standard output carries the result only; notes, questions, progress and the log go to standard error. On a terminal lists are tables of its width, in which times are told from now. In a pipe each record is one line, its values separated by tabs, without a heading; tabs, line breaks and backslashes in values are written \\t, \\n and \\\\. Other controls and marks that reorder text are written as \\u and four digits, everywhere.',
      'Required values that are missing are asked for on a terminal, without --yes and --json. What cannot be undone, such as revoking, removing and pruning, is asked about there; elsewhere it needs --yes.',
      'With --json standard output is exactly one JSON object, for every exit code:',
    ].join('\n\n'),
  },
]);
