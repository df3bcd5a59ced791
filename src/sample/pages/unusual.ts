/** Pages in unusual states: frozen, drafted, planned, withdrawn later, thrown away, pointing elsewhere. */
import { fixedTime } from '../batch.js';
import { pdfType } from '../data/content-types.js';
import type { PageSpec } from '../page.js';
import { built, simplePage } from './simple-page.js';

export function unusualPages(): PageSpec[] {
  return [
    simplePage({
      key: 'winter-campaign',
      title: 'Winter 2026',
      alias: 'winter-2026',
      frozenUri: 'campaign/winter-2026',
      says: [
        'Snowshoes, axes and crampons can be borrowed in all shops until the end of March.',
        'The address of this page is printed on posters; it must never change.',
      ],
      points: ['By the day or by the week', 'With ten minutes of instruction'],
      onwards: 'topic-winter',
    }),
    simplePage({
      key: 'autumn-draft',
      title: 'Autumn letter (draft)',
      unpublished: true,
      says: [
        'What we learned in summer, and what we changed because of it.',
        'Waiting for the numbers of the repair desk.',
      ],
      points: ['New buckle on all packs', 'Lochan: porch pole doubled'],
      onwards: 'about',
    }),
    simplePage({
      key: 'spring-letter',
      title: 'Spring letter 2027',
      unpublished: true,
      publishOn: fixedTime('2027-02-27T07:00:00Z'),
      says: [
        'The first trips of the year are open for booking.',
        'The workshop has a new cutting table, and the old one is for sale.',
      ],
      points: ['Eighteen trips', 'One table'],
      onwards: 'trips',
    }),
    simplePage({
      key: 'closing-sale',
      title: 'Stocktaking weekend',
      withdrawOn: fixedTime('2027-01-11T18:00:00Z'),
      says: ['All shops close for one weekend in January and count what they have.', 'Whoever helps gets soup.'],
      points: ['Saturday and Sunday', 'Soup at noon'],
      onwards: 'stores',
    }),
    {
      ...simplePage({
        key: 'old-catalogue',
        title: 'Catalogue 2019',
        deletedOn: fixedTime('2025-06-30T12:00:00Z'),
        says: ['The catalogue of 2019, kept for reference.'],
        points: ['Out of date'],
        onwards: 'equipment',
      }),
      children: [
        simplePage({
          key: 'old-catalogue-prices',
          title: 'Prices 2019',
          deletedOn: fixedTime('2025-06-30T12:00:00Z'),
          says: ['Prices of 2019.'],
          points: ['Out of date'],
          onwards: 'equipment',
        }),
      ],
    },
    // Deleted, with the address of a living page: it may stay, since deleted rows hold no address.
    simplePage({
      key: 'old-join',
      title: 'Join the club (2019)',
      alias: 'join-the-club',
      deletedOn: fixedTime('2025-09-01T12:00:00Z'),
      says: ['The old terms of membership.'],
      points: ['Twenty-four euro a year'],
      onwards: 'home',
    }),
    {
      key: 'journal-link',
      title: 'Journal',
      alias: 'journal',
      template: 'Page',
      kind: 'weblink',
      linkAttributes: 'rel="alternate"',
      properties: { core: { responseCode: 'HTTP/1.1 302 Found' } },
      createdOn: built,
      body: 'https://journal.larkfell.example/',
    },
    {
      key: 'catalogue-pdf',
      title: 'Catalogue 2026',
      alias: 'catalogue-2026',
      template: 'Plain',
      kind: 'static',
      contentType: pdfType,
      download: true,
      hidden: true,
      createdOn: built,
      body: 'assets/documents/catalogue-2026.pdf',
    },
  ];
}
