/** The guides: a section that does not show in the addresses of its pages, five topics, thirty how-to texts. */
import { choose, fixedTime } from '../batch.js';
import type { GuideText, GuideTopic } from '../data/guide.js';
import { topicsAtHome } from '../data/guides-at-home.js';
import { topicsOutside } from '../data/guides-outside.js';
import { bullets, heading, join, link, linkList, paragraph, paragraphOf, picture, quotation, steps } from '../html.js';
import type { PageSpec } from '../page.js';

const topics: readonly GuideTopic[] = [...topicsAtHome, ...topicsOutside];
const week = 7 * 86_400;
const firstGuide = fixedTime('2024-09-02T07:30:00Z');

export function guidePages(): PageSpec {
  return {
    key: 'guides',
    title: 'Guides',
    longTitle: 'Guides: packing, care, repair, hillcraft, winter',
    intro: 'Thirty short texts by the people who make, mend and use our things.',
    template: 'Section',
    // The topics stand directly under the root in addresses: /packing/loading-a-pack.html.
    aliasHidden: true,
    createdOn: firstGuide - week,
    values: {
      heroImage: 'hero/map-table.jpg',
      accentColour: 'moss',
      sidebar: '<p>Something missing? Write to <a href="mailto:desk@larkfell.example">the desk</a>.</p>',
    },
    body: ({ uri }) =>
      join(
        paragraph(
          'Every guide fits on one sheet of paper and was tried out by somebody who had not known it before.',
          'Print them, fold them, correct them, and send us the corrections.',
        ),
        heading('Topics'),
        linkList(topics.map((topic) => `${link(uri(topic.key), topic.title)}: ${topic.guides.length} guides`)),
        picture('guides/table.jpg', 'A guide being tried out at the workshop table'),
      ),
    children: topics.map((topic, index) => topicPage(topic, index)),
  };
}

function topicPage(topic: GuideTopic, topicIndex: number): PageSpec {
  return {
    key: topic.key,
    title: topic.title,
    intro: topic.opening,
    template: 'Section',
    createdOn: firstGuide + topicIndex * week,
    values: { teaser: topic.opening },
    body: ({ uri }) =>
      join(
        paragraph(topic.opening),
        bullets(topic.why),
        heading('In this topic'),
        linkList(topic.guides.map((guide) => `${link(uri(guide.key), guide.title)} – ${guide.summary}`)),
        paragraph(topic.shop),
      ),
    children: topic.guides.map((guide, index) => guidePage({ topic, guide, number: topicIndex * 6 + index })),
  };
}

const authors = ['2', '3', '4', '5'];
const voices = ['Rowan Hale, workshop', 'Imke Brandt, guides', 'Jonas Lind, Åre', 'Sara Okafor, repair desk'];

function guidePage(place: { topic: GuideTopic; guide: GuideText; number: number }): PageSpec {
  const { topic, guide, number } = place;
  const siblings = topic.guides;
  const next = choose(siblings, siblings.indexOf(guide) + 1);
  return {
    key: guide.key,
    title: guide.title,
    description: guide.summary,
    intro: guide.summary,
    template: 'Guide',
    createdOn: firstGuide + number * week,
    values: {
      teaser: guide.summary,
      author: choose(authors, number),
      readingTime: String(guide.minutes),
      tags: `guide, ${topic.title.toLowerCase()}${number % 3 === 0 ? ', beginners' : ''}`,
      relatedPage: ({ id }) => String(id(next.key)),
      ...(topic.key === 'topic-hillcraft' || topic.key === 'topic-winter'
        ? { difficulty: number % 2 === 0 ? '2' : '3' }
        : {}),
      ...(number % 7 === 3 ? { footerNote: 'This guide is under review; the next edition appears in spring.' } : {}),
      ...(number % 5 === 0 ? { sourceUrl: `https://library.example.org/outdoor/${guide.key}` } : {}),
    },
    body: ({ uri }) =>
      join(
        paragraph(guide.summary, choose(topic.why, number)),
        heading('Step by step'),
        steps(guide.steps),
        heading('Why it matters'),
        paragraph(
          choose(topic.why, number + 1),
          `Take ${guide.minutes} minutes to read it, and an afternoon to try it where nothing depends on it.`,
        ),
        quotation(choose(topic.why, number + 2), choose(voices, number)),
        picture(
          `guides/${guide.key}.jpg`,
          `${guide.title}, photographed at the ${choose(['workshop', 'hut', 'trailhead'], number)}`,
        ),
        paragraphOf(
          `Read on: ${link(uri(next.key), next.title)}, or all of ${link(uri(topic.key), topic.title)}.`,
          topic.shop,
        ),
      ),
  };
}
