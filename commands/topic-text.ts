/** A help topic as text: its paragraphs, then its terms. */
import { configNames, variableOf } from '../src/config/definitions.js';
import { definitionOf } from '../src/config/load.js';
import { settingDefinition, settingKeys } from '../src/config/settings.js';
import { exitCodeMeanings } from './exit-codes.js';
import type { Term, Topic } from './help-text.js';
import { wrapText } from './terminal-text.js';

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

export function topicText({ name, summary, text }: Topic, width: number): string {
  const terms = topicTerms[name].map(({ term, description }) =>
    [wrapText(term, { indent: 2, width }), wrapText(description, { indent: 6, width })].join('\n'),
  );
  return `${[wrapText(`${summary}.`, { indent: 0, width }), wrapText(text, { indent: 0, width }), terms.join('\n')].join('\n\n')}\n`;
}
