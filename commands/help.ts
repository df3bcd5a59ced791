/** `hcd help`: help of a command by its words, or one of the topics. */
import { textValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { helpText } from './help-text.js';
import { repeated } from './parameters.js';
import { createProgram } from './program.js';
import { topicText } from './topic-text.js';
import { topics } from './topics.js';
import { findPath, type Program } from './tree.js';
import { usageError } from './usage-error.js';
import { proseWidth } from './wrap-text.js';

export const command = defineCommand({
  path: 'help',
  summary: 'Show help for a command or topic',
  description: `Shows the help of a command or of a topic: ${topics.map(({ name }) => name).join(', ')}. Without a name it lists all commands.`,
  arguments: {
    words: repeated(textValue(), {
      placeholder: 'WORD',
      description: 'Command, or name of a topic',
      suggestions: topics.map(({ name }) => name),
    }),
  },
  options: {},
  examples: [
    { line: 'help config show', does: 'Show the help of a command' },
    { line: 'help exit-codes', does: 'Show the exit codes' },
  ],
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
