/** A help topic as text: its paragraphs, then its terms. */
import type { Topic } from './topics.js';
import { wrapText } from './wrap-text.js';

export function topicText(topic: Topic, width: number): string {
  const terms = topic.terms.map(({ term, description }) =>
    [wrapText(term, { indent: 2, width }), wrapText(description, { indent: 6, width })].join('\n'),
  );
  return `${[wrapText(`${topic.summary}.`, { indent: 0, width }), wrapText(topic.text, { indent: 0, width }), terms.join('\n')].join('\n\n')}\n`;
}
