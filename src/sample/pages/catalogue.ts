/** The equipment section: product groups, their lines, and a page for every size of every line. */
import { choose, fixedTime } from '../batch.js';
import type { ProductGroup, ProductLine } from '../data/range.js';
import { groups } from '../data/ranges.js';
import { bullets, factTable, heading, join, link, linkList, paragraph, paragraphOf, picture } from '../html.js';
import type { PageSpec } from '../page.js';

const day = 86_400;
const firstSeason = fixedTime('2024-02-05T08:00:00Z');

export function cataloguePages(): PageSpec {
  return {
    key: 'equipment',
    title: 'Equipment',
    longTitle: 'Equipment made to be mended',
    intro: 'Eight product groups, every part of them for sale as a spare.',
    template: 'Section',
    createdOn: fixedTime('2024-01-15T09:00:00Z'),
    values: {
      heroImage: 'hero/cutting-table.jpg',
      accentColour: 'heather',
      layoutVariant: 'cards-4',
      teaser: 'Tents, packs, boots and the small things between them.',
    },
    body: ({ uri }) =>
      join(
        paragraph(
          'We make eight kinds of equipment and leave the rest to people who are better at it.',
          'Everything is cut and sewn in two workshops, one in Larkfell and one in Łódź, and whatever leaves them can come back for repair.',
        ),
        heading('Product groups'),
        linkList(groups.map((group) => `${link(uri(group.key), group.title)} – ${group.purpose}`)),
        heading('Before you buy'),
        paragraphOf(
          'Borrow it first: every shop lends demonstration pieces for a weekend.',
          `Ask at one of ${link(uri('stores'), 'our shops')}, or read ${link(uri('repairs'), 'what we repair')} before you replace anything.`,
        ),
        picture('equipment/shelf.jpg', 'The shelf of returned jackets, waiting for new zips'),
      ),
    children: groups.map((group, index) => groupPage(group, index)),
  };
}

function groupPage(group: ProductGroup, groupIndex: number): PageSpec {
  return {
    key: group.key,
    title: group.title,
    intro: `${group.title}: ${group.purpose}.`,
    template: 'Range',
    createdOn: firstSeason + groupIndex * day,
    values: {
      teaser: `Three lines, six sizes each: ${group.lines.map(({ name }) => name).join(', ')}.`,
      heroImage: `equipment/${group.key}/group.jpg`,
      dataSheet: `catalogue/${group.key}-2026.pdf`,
    },
    body: ({ uri }) =>
      join(
        paragraph(
          `Larkfell makes ${group.purpose}.`,
          'Three lines share the same patterns and the same spare parts, so that a repair never waits for a delivery.',
        ),
        ...group.lines.map((line) =>
          join(
            heading(line.name),
            paragraph(line.character, `Made of ${line.fabric}.`),
            paragraphOf(link(uri(lineKey(group, line)), `All sizes of ${line.name}`)),
          ),
        ),
        heading('Common to all of them'),
        bullets(group.features),
        paragraphOf(`How to look after them: ${link(uri(group.guide), 'read the guide')}.`),
      ),
    children: group.lines.map((line, index) => linePage(group, line, groupIndex * 3 + index)),
  };
}

export function lineKey(group: ProductGroup, line: ProductLine): string {
  return `${group.key}-${line.name.toLowerCase()}`;
}

function linePage(group: ProductGroup, line: ProductLine, lineIndex: number): PageSpec {
  const key = lineKey(group, line);
  return {
    key,
    title: line.name,
    longTitle: `${line.name} ${group.title.toLowerCase()}`,
    intro: line.character,
    template: 'Range',
    createdOn: firstSeason + lineIndex * 3 * day,
    values: { teaser: line.character },
    body: ({ uri, title }) =>
      join(
        paragraph(
          line.character,
          `The whole line is made of ${line.fabric} and comes in ${group.sizes.length} versions.`,
        ),
        heading('Versions'),
        linkList(group.sizes.map((_, index) => link(uri(productKey(key, index)), title(productKey(key, index))))),
        heading('What they share'),
        bullets(group.features.slice(0, 4)),
        paragraph(group.care),
        picture(`equipment/${group.key}/${line.name.toLowerCase()}.jpg`, `${line.name} in use above the reservoir`),
      ),
    children: group.sizes.map((_, index) => productPage({ group, line, lineIndex, index })),
  };
}

function productKey(key: string, index: number): string {
  return `${key}-${index + 1}`;
}

const testers = [
  'a hut warden',
  'two of our guides',
  'the mountain rescue team',
  'a class of fourteen-year-olds',
  'a postwoman on her daily round',
  'our own repair desk',
];
const grounds = [
  'on the ridge above Larkfell',
  'in the Cairngorms in March',
  'along the coast of Lofoten',
  'in the Sierra de Gredos',
  'on the moor in November',
  'between two huts in the Tatra',
];

function productPage(place: { group: ProductGroup; line: ProductLine; lineIndex: number; index: number }): PageSpec {
  const { group, line, lineIndex, index } = place;
  const [size = '', note = ''] = group.sizes[index] ?? [];
  const name = `${line.name} ${size}`;
  const key = lineKey(group, line);
  const number = lineIndex * 6 + index;
  const grams = Math.round(line.grams * (0.8 + index * 0.12));
  const euros = Math.round(line.euros * (0.85 + index * 0.1));
  const articleNumber = `LF-${String(1000 + number * 7)}`;
  const neighbour = productKey(key, (index + 1) % group.sizes.length);
  const retired = number % 29 === 11;
  const picturePath = `equipment/${group.key}/${articleNumber.toLowerCase()}`;
  return {
    key: productKey(key, index),
    title: name,
    longTitle: `${name}: ${group.singular} of ${line.fabric}`,
    description: `${note} ${line.character}`,
    intro: note,
    template: 'Product',
    createdOn: firstSeason + number * 2 * day,
    createdBy: number % 3 === 0 ? 3 : 2,
    ...(retired ? { unpublished: true as const } : {}),
    values: {
      articleNumber,
      price: String(euros),
      weight: String(grams),
      heroImage: `${picturePath}.jpg`,
      ...(number % 4 === 0 ? { seasons: 'summer||autumn' } : number % 4 === 1 ? { seasons: 'winter' } : {}),
      ...(number % 5 === 2 ? { availability: 'order' } : retired ? { availability: 'gone' } : {}),
      ...(number % 6 === 0 ? { dataSheet: `products/${articleNumber}.pdf` } : {}),
      specification: JSON.stringify([
        { MIGX_id: '1', name: 'Material', value: line.fabric },
        { MIGX_id: '2', name: 'Weight', value: `${grams} g` },
        { MIGX_id: '3', name: 'Made in', value: choose(['Larkfell', 'Łódź'], number) },
      ]),
      relatedPage: ({ id }) => String(id(neighbour)),
    },
    body: ({ uri, title }) =>
      join(
        paragraph(`The ${name} is our ${group.singular} for people who know what they need.`, note, line.character),
        heading('Details'),
        bullets(group.features),
        heading('Facts'),
        factTable([
          ['Article number', articleNumber],
          ['Material', line.fabric],
          ['Weight', `${grams} g`],
          ['Price', `€ ${euros}`],
          ['Warranty', 'three years, repairs for as long as we have the parts'],
        ]),
        heading('Tried and mended'),
        paragraph(
          `This version was carried for a season by ${choose(testers, number)} ${choose(grounds, number * 5 + lineIndex)}.`,
          'What broke was changed before the first one was sold, and the list of changes hangs in the workshop.',
          group.care,
        ),
        picture(`${picturePath}.jpg`, `${name}, seen from the side`),
        paragraphOf(
          `Compare it with the ${link(uri(neighbour), title(neighbour))}, go back to ${link(uri(key), `the ${line.name} line`)},`,
          `or read ${link(uri(group.guide), title(group.guide))}.`,
        ),
      ),
  };
}
