/** A small program that uses every kind of parameter and result, for the tests of the frame around commands. */
import { type CommandBody, defineCommand, type Result } from '../../commands/command.js';
import { optional, repeated, required, toggle } from '../../commands/parameters.js';
import type { Program } from '../../commands/program.js';
import {
  booleanValue,
  choiceValue,
  durationValue,
  fileValue,
  integerValue,
  listValue,
  textValue,
  timeValue,
} from '../../src/config/value-type.js';

const examples = { x: 'Do one thing', y: 'Do another' };

const boxAdd = defineCommand({
  description: 'Adds a box.',
  arguments: {
    name: required(textValue(), 'Name of the box'),
    items: repeated(integerValue({ min: 0, max: 99 }), 'Ids of items', { placeholder: 'ITEM' }),
  },
  options: {
    scopes: required(listValue(textValue(), { min: 1 }), 'What it may do'),
    maxClicks: optional(integerValue({ min: 0, max: 9 }), 'Most clicks'),
    kind: optional(choiceValue(['round', 'square']), 'Its shape'),
    expires: optional(durationValue, 'How long it lasts'),
    since: optional(timeValue, 'When it starts'),
    active: optional(booleanValue, 'Whether it counts', { placeholder: '0|1' }),
    file: optional(fileValue, 'Where it comes from'),
    tag: repeated(textValue(), 'A tag'),
    inactive: toggle('Add it turned off'),
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
  description: 'Lists labels.',
  examples,
  run: async (): Promise<Result> => ({ kind: 'list', columns: ['id'], rows: [{ id: 1 }], total: 3 }),
});

const sample = { 'box add': boxAdd, 'box label list': boxLabelList };
const summaries = { 'box add': 'Add a box', 'box label list': 'List labels', probe: 'Probe' };

export const sampleProgram = programOf(sample);

function programOf(bodies: Readonly<Partial<Record<keyof typeof summaries, CommandBody>>>): Program {
  return {
    version: '9.8.7',
    groups: { box: 'Boxes', 'box label': 'Labels of boxes' },
    commands: Object.fromEntries(Object.entries(summaries).filter(([path]) => path in bodies)),
    async load(path) {
      const found = Object.entries(bodies).find(([name]) => name === path);
      if (found === undefined) throw new Error(`the sample has no command ${path}`);
      return { ...found[1], path, summary: Object.entries(summaries).find(([name]) => name === path)?.[1] ?? '' };
    },
  };
}

/** The sample with one more command, `probe`, that does what a test needs. */
export function programWithProbe(
  run: Parameters<typeof defineCommand>[0]['run'],
  options: { readonly endsItself?: boolean } = {},
): Program {
  const probe = defineCommand({
    description: 'Probes.',
    examples,
    run,
    ...options,
  });
  return programOf({ ...sample, probe });
}
