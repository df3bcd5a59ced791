/** `hcd help`: help of a command by its words, or one of the topics. */
import { configNames, variableOf } from '../src/config/definitions.js';
import { definitionOf } from '../src/config/load.js';
import { settingDefinition, settingKeys } from '../src/config/settings.js';
import { textValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { exitCodeMeanings } from './exit-codes.js';
import { helpText, type Term, type Topic, topics } from './help-text.js';
import { repeated, usageError } from './parameters.js';
import { createProgram, findPath, type Program } from './program.js';
import { proseWidth, wrapText } from './terminal-text.js';

export const command = defineCommand({
  description: `Shows the help of a command or of a topic: ${topics.map(({ name }) => name).join(', ')}. Without a name it lists all commands.`,
  arguments: {
    words: repeated(textValue(), 'Command, or name of a topic', {
      placeholder: 'WORD',
      suggestions: topics.map(({ name }) => name),
    }),
  },
  examples: {
    'help config show': 'Show the help of a command',
    'help exit-codes': 'Show the exit codes',
  },
  async run({ words }, { io }) {
    const text = await textFor(createProgram(), { words, width: proseWidth(io.stdout) });
    return { kind: 'text', text, data: { help: text } };
  },
});

async function textFor(
  program: Program,
  { words, width }: { readonly words: readonly string[]; readonly width: number },
): Promise<string> {
  const topic = topics.find(({ name }) => name === words.join(' '));
  if (topic) return topicText(topic, width);
  const path = findPath(program, words);
  if (path === null) throw usageError({ WORD: `must be a command or topic, not "${words.join(' ')}"` });
  return helpText(program, path, width);
}

function defaultOf(value: unknown, format: (value: unknown) => string): string {
  const text = value === null ? '' : format(value);
  return text === '' ? 'no default' : `default ${text}`;
}

const variables = [
  ...configNames.map((name) => [name, definitionOf(name)] as const),
  ...settingKeys.map((key) => [key, settingDefinition(key)] as const),
].map(([name, { description, type, default: value }]): Term => {
  const accepted = `Accepted: ${type.accepts}; ${defaultOf(value, type.format)}.`;
  return { term: variableOf(name), description: `${description} ${accepted}` };
});

export const topicTerms: Readonly<Record<Topic['name'], readonly Term[]>> = {
  environment: variables,
  'exit-codes': exitCodeMeanings.map(({ code, meaning }) => ({ term: String(code), description: meaning })),
  formatting: [
    { term: '{"data": {...}}', description: 'A record, or the result of a command.' },
    { term: '{"data": [...], "meta": {"total": 3}}', description: 'A list; total is the number of all records.' },
    {
      term: '{"error": {"code", "message", "details"}}',
      description: 'An error; details.fields has problems by flag.',
    },
  ],
};

function topicText({ name, summary, text }: Topic, width: number): string {
  const terms = topicTerms[name].map(({ term, description }) =>
    [wrapText(term, { indent: 2, width }), wrapText(description, { indent: 6, width })].join('\n'),
  );
  return `${[wrapText(`${summary}.`, { indent: 0, width }), wrapText(text, { indent: 0, width }), terms.join('\n')].join('\n\n')}\n`;
}
