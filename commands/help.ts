/** `hcd help`: help of a command by its words, or one of the topics. */
import { textValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { helpText, topics } from './help-text.js';
import { repeated, usageError } from './parameters.js';
import { createProgram, findPath, type Program } from './program.js';
import { proseWidth } from './terminal-text.js';
import { topicText } from './topic-text.js';

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
