/** The plainest kind of page: a few sentences, a few points, a picture and a link onwards. */
import { choose, fixedTime } from '../batch.js';
import { bullets, heading, join, link, linkList, paragraph, paragraphOf, picture } from '../html.js';
import type { PageLinks, PageSpec } from '../page.js';

/** When the site was set up; most of its standing pages date from that day. */
export const built = fixedTime('2024-01-16T09:00:00Z');

const answers = [
  'The desk in the hall answers the telephone on weekdays from nine to five, and letters within a week.',
  'Every shop can look this up for you, print it, and explain it over a cup of tea.',
  'If this page leaves something open, the fault is ours: tell the desk, and we shall write it down better.',
  'Whoever wrote this sits on the first floor, second door, and likes to be asked.',
];

const seeAlsoNotes = {
  stores: 'twelve shops, all with a workbench',
  repairs: 'what we mend, and what it costs',
  contact: 'letters, telephone, kettle',
} as const;
const seeAlso = ['stores', 'repairs', 'contact'] as const;

const principles = [
  'What stands on this page is binding for us, and we change it only with a date beside the change.',
  'We wrote this as short as we could, and then left out another third.',
  'Nothing here was written to be found by search engines; it was written to be read once and remembered.',
  'The page was last checked by somebody who does not work here, which is the rule for all of them.',
];

const hints = [
  'Have the number on the label at hand; it stands on the inside, below the washing symbols.',
  'A photograph saves three letters, and two photographs save the fourth.',
  'We read everything that arrives, and answer in the language it was written in whenever one of us speaks it.',
];

/** An ordinary page from a few sentences and points, closed by a way onwards. */
export function simplePage(
  page: Pick<PageSpec, 'key' | 'title'> &
    Partial<PageSpec> & { says: readonly string[]; points: readonly string[]; onwards: string },
): PageSpec {
  const { says, points, onwards, ...rest } = page;
  const [first = '', ...more] = says;
  return {
    template: 'Page',
    createdOn: built,
    intro: first,
    ...rest,
    body: (links) =>
      join(
        paragraph(first),
        ...more.map((text) => paragraph(text)),
        heading('In short'),
        bullets(points),
        picture(`house/${page.key}.jpg`, page.title),
        ...(systemPages.includes(page.key) ? [] : [goodToKnow(page, links)]),
        paragraphOf('Read on:', `${link(links.uri(onwards), links.title(onwards))}.`),
      ),
  };
}

/** Pages that stand in for others, and have little to say. */
const systemPages: readonly string[] = ['not-found', 'members-notice', 'unavailable'];

function goodToKnow(page: Pick<PageSpec, 'key' | 'title'>, { uri, title }: PageLinks): string {
  const others = seeAlso.filter((key) => key !== page.key);
  return join(
    heading(choose(['Who answers', 'If something is missing', 'Ask a person'], page.key.length)),
    paragraph(choose(answers, page.key.length), choose(hints, page.title.length)),
    heading('See also'),
    linkList(others.map((key) => `${link(uri(key), title(key))} – ${seeAlsoNotes[key]}`)),
    paragraph(choose(principles, page.title.length + page.key.length)),
  );
}
