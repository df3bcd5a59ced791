/** The second context: the journal with its own start page, a container for every year and the articles in them. */
import { choose, fixedTime } from '../batch.js';
import { rssType } from '../data/content-types.js';
import { type ArticleKind, kinds, years } from '../data/journal.js';
import {
  bullets,
  escapeHtml,
  heading,
  join,
  link,
  linkList,
  paragraph,
  paragraphOf,
  picture,
  quotation,
} from '../html.js';
import type { PageSpec } from '../page.js';

const perYear = 24;
const fortnight = 15 * 86_400;

export function journalPages(): PageSpec[] {
  return [
    {
      key: 'journal-home',
      title: 'The Larkfell Journal',
      alias: 'index',
      menuTitle: 'Journal',
      template: 'Home',
      createdOn: fixedTime('2024-01-02T10:00:00Z'),
      intro: 'Walks, workshop notes and things in use.',
      values: {
        heroImage: 'journal/desk.jpg',
        heroCaption: 'The editorial desk, which is also the packing table',
        accentColour: 'ink',
        layoutVariant: 'list',
      },
      body: ({ uri, title }) =>
        join(
          paragraph(
            'A journal about hills and about the things that one carries over them.',
            'An article appears every second week, written by whoever was there.',
          ),
          heading('By year'),
          linkList(years.map((year) => link(uri(`journal-${year}`), String(year)))),
          heading('Good ones to begin with'),
          linkList(
            [articleKey(2024, 0), articleKey(2025, 7), articleKey(2026, 5)].map((key) => link(uri(key), title(key))),
          ),
          picture('journal/desk.jpg', 'The editorial desk, which is also the packing table'),
        ),
    },
    {
      key: 'journal-not-found',
      title: 'No such article',
      alias: 'not-found',
      template: 'Page',
      hidden: true,
      notSearchable: true,
      createdOn: fixedTime('2024-01-02T10:05:00Z'),
      body: ({ uri }) =>
        paragraphOf('It may have been renamed. Look through', `${link(uri('journal-home'), 'the front page')}.`),
    },
    {
      key: 'journal-about',
      title: 'About the journal',
      template: 'Page',
      createdOn: fixedTime('2024-01-02T10:10:00Z'),
      intro: 'Who writes here, and for whom.',
      body: ({ uri }) =>
        join(
          paragraph(
            'We print what we would have liked to know before.',
            'Nobody pays for being mentioned, and nobody is paid for mentioning.',
          ),
          heading('Write for us'),
          bullets([
            'Between four hundred and nine hundred words',
            'Three photographs at most',
            'One mistake that others can learn from',
          ]),
          paragraphOf(`The newest year: ${link(uri('journal-2026'), '2026')}.`),
        ),
    },
    {
      key: 'journal-rss',
      title: 'Journal as RSS',
      alias: 'feed',
      template: 'Plain',
      contentType: rssType,
      hidden: true,
      notSearchable: true,
      createdOn: fixedTime('2024-01-02T10:15:00Z'),
      body: ({ uri, title }) => {
        const items = [23, 22, 21]
          .map((index) => articleKey(2026, index))
          .map(
            (key) =>
              `<item><title>${escapeHtml(title(key))}</title><link>https://journal.larkfell.example/${escapeHtml(uri(key))}</link></item>`,
          );
        return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>The Larkfell Journal</title><link>https://journal.larkfell.example/</link><description>Walks, workshop, in use</description>\n${items.join('\n')}\n</channel></rss>\n`;
      },
    },
    ...years.map((year) => yearPage(year)),
  ];
}

function articleKey(year: number, index: number): string {
  return `article-${year}-${index + 1}`;
}

function yearPage(year: (typeof years)[number]): PageSpec {
  return {
    key: `journal-${year}`,
    title: String(year),
    longTitle: `Journal of ${year}`,
    template: 'Section',
    createdOn: fixedTime(`${year}-01-03T08:00:00Z`),
    intro: `The twenty-four articles of ${year}.`,
    body: ({ uri, title }) =>
      join(
        paragraph(`Twenty-four articles appeared in ${year}, eight of each kind.`),
        linkList(
          Array.from({ length: perYear }, (_, index) => articleKey(year, index)).map((key) =>
            link(uri(key), title(key)),
          ),
        ),
      ),
    children: Array.from({ length: perYear }, (_, index) => articlePage(year, index)),
  };
}

const writers = ['2', '3', '4', '5', '6'];
const bylines = ['Rowan Hale', 'Imke Brandt', 'Jonas Lind', 'Sara Okafor', 'Łucja Wójcik'];

function articlePage(year: (typeof years)[number], index: number): PageSpec {
  const number = years.indexOf(year) * perYear + index;
  const kind = choose(kinds, number);
  const subject = choose(kind.subjects, Math.floor(number / kinds.length));
  const about = (text: string): string => text.replaceAll('{}', subject);
  const written = fixedTime(`${year}-01-08T07:00:00Z`) + index * fortnight;
  const key = articleKey(year, index);
  const earlier =
    number === 0
      ? 'journal-about'
      : articleKey(years[Math.floor((number - 1) / perYear)] ?? year, (number - 1) % perYear);
  return {
    key,
    title: about(kind.title),
    description: about(kind.intro),
    intro: about(kind.intro),
    template: 'Article',
    createdOn: written,
    createdBy: Number(choose(writers, number)),
    ...unusual(year, index, written),
    values: {
      author: choose(writers, number),
      tags: [kind.tag, ...(number % 4 === 0 ? ['long read'] : []), ...(number % 7 === 2 ? ['winter'] : [])].join(', '),
      readingTime: String(3 + (number % 6)),
      teaser: about(kind.intro),
      relatedPage: ({ id }) => String(id(earlier)),
      ...(kind.key === 'walk' ? { places: subject, heroImage: `journal/${year}/${key}.jpg` } : {}),
      ...(number % 9 === 4 ? { sourceUrl: `https://library.example.org/journal/${key}` } : {}),
      ...(number % 8 === 3
        ? {
            gallery: JSON.stringify(
              [1, 2].map((n) => ({
                MIGX_id: String(n),
                image: `journal/${year}/${key}-${n}.jpg`,
                caption: `Picture ${n}`,
              })),
            ),
          }
        : {}),
    },
    body: ({ uri, title }) =>
      articleBody({
        kind,
        number,
        about,
        picturePath: `journal/${year}/${key}.jpg`,
        earlier: link(uri(earlier), title(earlier)),
      }),
  };
}

/** A few articles are drafts, planned or thrown away, as everywhere. */
function unusual(year: number, index: number, written: number): Partial<PageSpec> {
  if (year === 2026 && index >= 22)
    return { unpublished: true, publishOn: fixedTime('2027-01-15T06:00:00Z') + index * 86_400 };
  if (year === 2025 && index === 13) return { unpublished: true };
  return year === 2024 && index % 11 === 10 ? { deletedOn: written + fortnight } : {};
}

function articleBody(article: {
  kind: ArticleKind;
  number: number;
  about: (text: string) => string;
  picturePath: string;
  earlier: string;
}): string {
  const { kind, number, about, picturePath, earlier } = article;
  const turn = Math.floor(number / kinds.length);
  return join(
    paragraph(about(kind.intro), choose(kind.openings, turn)),
    paragraph(about(choose(kind.middles, turn)), about(choose(kind.middles, turn + 1))),
    heading(choose(['What we noted', 'For those who follow', 'The short version'], turn)),
    bullets([0, 1, 2, 3].map((offset) => choose(kind.findings, turn + offset))),
    picture(picturePath, about(choose(['Late in the day: {}', 'From close by: {}', 'As we found it: {}'], turn))),
    paragraph(about(choose(kind.middles, turn + 2))),
    quotation(choose(kind.closings, turn + 1), choose(bylines, number)),
    paragraph(choose(kind.closings, turn)),
    paragraphOf('Before this one:', `${earlier}.`),
  );
}
