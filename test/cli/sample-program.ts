/** A small program that uses every kind of parameter and result, for the tests of the frame around commands. */
import { type Command, defineCommand } from '../../commands/command.js';
import { optional, repeated, required, toggle } from '../../commands/parameters.js';
import type { Result } from '../../commands/result.js';
import type { Program } from '../../commands/tree.js';
import { durationValue, timeValue } from '../../src/config/time-values.js';
import {
  booleanValue,
  choiceValue,
  fileValue,
  integerValue,
  listValue,
  textValue,
} from '../../src/config/value-type.js';

const examples = [
  { line: 'x', does: 'Do one thing' },
  { line: 'y', does: 'Do another' },
] as const;

const boxAdd = defineCommand({
  path: 'box add',
  summary: 'Add a box',
  description: 'Adds a box.',
  arguments: {
    name: required(textValue(), { placeholder: 'NAME', description: 'Name of the box' }),
    items: repeated(integerValue({ min: 0 }), { placeholder: 'ITEM', description: 'Ids of items' }),
  },
  options: {
    scopes: required(listValue(textValue(), { min: 1 }), { placeholder: 'LIST', description: 'What it may do' }),
    maxClicks: optional(integerValue({ min: 0, max: 9 }), { placeholder: 'N', description: 'Most clicks' }),
    kind: optional(choiceValue(['round', 'square']), { placeholder: 'KIND', description: 'Its shape' }),
    expires: optional(durationValue, { placeholder: 'DURATION', description: 'How long it lasts' }),
    since: optional(timeValue, { placeholder: 'TIME', description: 'When it starts' }),
    active: optional(booleanValue, { placeholder: '0|1', description: 'Whether it counts' }),
    file: optional(fileValue, { placeholder: 'FILE', description: 'Where it comes from' }),
    tag: repeated(textValue(), { placeholder: 'TAG', description: 'A tag' }),
    inactive: toggle('Add it switched off'),
    noWait: toggle('Do not wait'),
  },
  examples,
  async run(options): Promise<Result> {
    return {
      kind: 'record',
      record: { name: options.name, scopes: options.scopes, clicks: options.maxClicks ?? null },
    };
  },
});

const boxLabelList = defineCommand({
  path: 'box label list',
  summary: 'List labels',
  description: 'Lists labels.',
  arguments: {},
  options: {},
  examples,
  run: async (): Promise<Result> => ({ kind: 'list', columns: ['id'], rows: [{ id: 1 }], total: 3 }),
});

export const sampleProgram = programOf([boxAdd, boxLabelList]);

function programOf(commands: readonly Command[]): Program {
  return {
    version: '9.8.7',
    groups: { box: 'Boxes', 'box label': 'Labels of boxes' },
    commands: Object.fromEntries(commands.map(({ path, summary }) => [path, summary])),
    async load(path) {
      const command = commands.find((candidate) => candidate.path === path);
      if (command === undefined) throw new Error(`the sample has no command ${path}`);
      return command;
    },
  };
}

/** The sample with one more command, `probe`, that does what a test needs. */
export function programWithProbe(
  run: Parameters<typeof defineCommand>[0]['run'],
  options: { readonly endsItself?: boolean } = {},
): Program {
  const probe = defineCommand({
    path: 'probe',
    summary: 'Probe',
    description: 'Probes.',
    arguments: {},
    options: {},
    examples,
    run,
    ...options,
  });
  return programOf([boxAdd, boxLabelList, probe]);
}
