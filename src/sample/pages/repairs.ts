/** The repair section, with a web link and a symlink to pages elsewhere. */
import { factTable, heading, join, link, linkList, paragraph, paragraphOf, picture, steps } from '../html.js';
import type { PageSpec } from '../page.js';
import { built, simplePage } from './simple-page.js';

export function repairPages(): PageSpec {
  return {
    key: 'repairs',
    title: 'Repairs',
    intro: 'Send it in, bring it along, or do it yourself.',
    template: 'Section',
    createdOn: built,
    values: { heroImage: 'hero/repair-desk.jpg', accentColour: 'rust', teaser: 'Three ways to keep what you have.' },
    body: ({ uri, title }) =>
      join(
        paragraph('Last year 9,412 things came back to us, and 8,977 of them went home again in working order.'),
        heading('How it works'),
        steps([
          'Describe the damage and add two photographs.',
          'Receive a price within two days.',
          'Send the piece in, clean and dry.',
          'Have it back within three weeks.',
        ]),
        linkList(
          ['repair-prices', 'spare-parts', 'warranty', 'returns', 'open-workshop', 'guide-when-to-send-it-in'].map(
            (key) => link(uri(key), title(key)),
          ),
        ),
        picture('house/repairs.jpg', 'The repair desk on a Monday'),
      ),
    children: [
      {
        key: 'repair-prices',
        title: 'Prices of repairs',
        template: 'Page',
        createdOn: built,
        intro: 'Cost price, without profit.',
        body: ({ uri }) =>
          join(
            paragraph(
              'We charge what the repair costs us: time, thread and postage.',
              'If it would cost more than half of a new piece, we ask first.',
            ),
            factTable([
              ['New slider', '€ 6'],
              ['New zip, short', '€ 24'],
              ['New zip, long', '€ 38'],
              ['Patch, per piece', '€ 9'],
              ['Boots resoled', '€ 78'],
              ['Tent pole section', '€ 12'],
              ['Down refilled, per 50 g', '€ 31'],
            ]),
            paragraphOf(`Within ${link(uri('warranty'), 'the warranty')} all of this is free.`),
          ),
      },
      simplePage({
        key: 'spare-parts',
        title: 'Spare parts',
        says: [
          'Every part that we use can be bought singly, by number.',
          'The numbers stand on the label, on the part itself, or in the drawing that we send on request.',
        ],
        points: ['Sliders, buckles, cords', 'Poles and sleeves', 'Soles, laces and hooks', 'Gaskets and jets'],
        onwards: 'guide-replacing-a-slider',
      }),
      simplePage({
        key: 'warranty',
        title: 'Warranty',
        says: [
          'Three years on everything, on paper.',
          'After that we are generous as long as nobody tries to be clever.',
        ],
        points: [
          'Keep the receipt or the number inside',
          'Wear is no defect',
          'Defects are mended first and replaced second',
        ],
        onwards: 'returns',
      }),
      simplePage({
        key: 'returns',
        title: 'Returns',
        says: [
          'Unused things come back within sixty days, without a reason.',
          'Used things come back as well: for parts, for lending, for the museum shelf.',
        ],
        points: ['Print the label at home', 'Hand it in at any shop', 'Money back within a week'],
        onwards: 'contact',
      }),
      simplePage({
        key: 'open-workshop',
        title: 'Open workshop',
        says: [
          'On the first Saturday of every month the machines are yours.',
          'Somebody stands beside you who knows them.',
        ],
        points: ['From ten to four', 'Thread and tea are free', 'Children from ten years'],
        onwards: 'guide-patching-fabric',
      }),
      {
        key: 'repairs-guide-link',
        title: 'Repair guides',
        alias: 'guides',
        template: 'Page',
        kind: 'weblink',
        createdOn: built,
        body: ({ id }) => String(id('topic-repair')),
      },
      {
        key: 'repairs-care',
        title: 'Caring for boots',
        alias: 'caring-for-boots',
        template: 'Page',
        kind: 'symlink',
        hidden: true,
        createdOn: built,
        body: ({ id }) => String(id('guide-waxing-boots')),
      },
    ],
  };
}
