/** Help topics that belong to no single command: `hcd help environment`, `exit-codes`, `formatting`. */
export interface Topic {
  readonly name: 'environment' | 'exit-codes' | 'formatting';
  readonly summary: string;
  readonly text: string;
}

export const topics: readonly Topic[] = Object.freeze([
  {
    name: 'environment',
    summary: 'Environment variables and the configuration file',
    text: [
      'A value comes from the first of: flag, environment, configuration file, default. An empty variable counts as unset, except HCD_CONTENT_PREFIX.',
      'The configuration file is hcd.toml in the working directory, or the file of --config. Its keys are the names that hcd config show prints, for example: port = 8080. Relative paths in the file are relative to its folder.',
      'HCD_ followed by the upper-case name of a runtime setting sets that setting for the process; hcd config show lists it as locked.',
      'NO_COLOR, when set, turns color off, like --no-color.',
    ].join('\n\n'),
  },
  {
    name: 'exit-codes',
    summary: 'Exit codes',
    text: 'Every command exits with one of these codes.',
  },
  {
    name: 'formatting',
    summary: 'Output on a terminal, in a pipe and with --json',
    text: [
      'Standard output contains only the result; notes, prompts, progress and the log go to standard error. On a terminal lists are tables that fit its width, with times relative to now. In a pipe each record is one line of values separated by tabs, without a heading; tabs, line breaks and backslashes in values are written as \\t, \\n and \\\\. Other control characters, and characters that reorder text, are always written as \\u and four digits.',
      'A terminal prompts for missing required values, unless --yes or --json is given. Changes that cannot be undone, such as revoking, removing and pruning, ask for confirmation on a terminal and require --yes elsewhere.',
      'With --json standard output is exactly one JSON object, for every exit code:',
    ].join('\n\n'),
  },
]);
