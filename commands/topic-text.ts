/** A help topic as text: its paragraphs, then its terms. */
import type { Topic } from './topics.js';
import { wrapText } from './wrap-text.js';

export function topicText(topic: Topic): string {
  const terms = topic.terms.map(({ term, description }) => `  ${term}\n${wrapText(description, { indent: 6 })}`);
  return `${[`${topic.summary}.`, wrapText(topic.text, { indent: 0 }), terms.join('\n')].join('\n\n')}\n`;
}
