/** The house itself: about us, and the legal texts. */
import { fixedTime } from '../batch.js';
import { heading, join, link, linkList, paragraph, picture, quotation } from '../html.js';
import type { PageSpec } from '../page.js';
import { peoplePages } from './places.js';
import { built, simplePage } from './simple-page.js';

export function aboutPages(): PageSpec {
  return {
    key: 'about',
    title: 'About us',
    alias: 'about',
    intro: 'A workshop that grew, and then decided to stop growing.',
    template: 'Section',
    createdOn: built,
    values: {
      heroImage: 'hero/mill.jpg',
      accentColour: 'rust',
      teaser: 'Who we are, where the money goes, and why we are small.',
    },
    body: ({ uri }) =>
      join(
        paragraph(
          'Larkfell began in 1987 with one sewing machine and an order for twelve rucksacks from the mountain rescue team.',
          'The machine still runs; two of the rucksacks do, too.',
        ),
        quotation('Make it so that somebody else can mend it.', 'Rule one, painted on the wall of the mill'),
        heading('More about the house'),
        linkList(
          ['history', 'people', 'sustainability', 'careers', 'press'].map((key) =>
            link(uri(key), key.charAt(0).toUpperCase() + key.slice(1)),
          ),
        ),
        picture('house/mill.jpg', 'The mill at Larkfell, seen from the footbridge'),
      ),
    children: [
      simplePage({
        key: 'history',
        title: 'History',
        says: [
          'The mill wove blankets for a hundred and forty years before it stood empty.',
          'In 1987 two climbers rented the ground floor for a year. They never left, and bought the building in 1996.',
          'The second workshop, in Łódź, opened in 2010 in a mill that is one year older.',
        ],
        points: [
          '1987: twelve rucksacks',
          '1993: the first tent',
          '2003: the drop tower',
          '2010: second workshop',
          '2021: owned by the people who work here',
        ],
        onwards: 'sustainability',
      }),
      peoplePages(),
      simplePage({
        key: 'sustainability',
        title: 'Sustainability',
        longTitle: 'What we do, what we do not do, and what we do not know yet',
        says: [
          'The most useful number we have is this one: a jacket that is mended twice lasts eleven years.',
          'We publish what we buy, from whom, and what went wrong. The list of what went wrong is the longer one.',
          'Fluorine has been gone since 2019; the last zip from a mine that we cannot name went out in 2023.',
        ],
        points: [
          'Every part sold as a spare',
          'Repairs at cost price',
          'Heat from the river, power from the roof',
          'No discounts, no sales, no collections',
        ],
        onwards: 'repairs',
        values: { searchFlags: '', sourceUrl: 'https://library.example.org/reports/larkfell-2025' },
      }),
      simplePage({
        key: 'careers',
        title: 'Careers',
        says: [
          'We look for people who finish things.',
          'There are three open positions this season. All of them begin with a paid week at the cutting table, so that both sides know.',
        ],
        points: [
          'Sewer, Larkfell, four days a week',
          'Repair desk, Łódź, part time',
          'Trip guide, Tromsø, winter season',
        ],
        onwards: 'people',
        withdrawOn: fixedTime('2028-01-31T23:00:00Z'),
      }),
      simplePage({
        key: 'press',
        title: 'Press',
        says: [
          'Pictures may be printed free of charge when the photographer is named.',
          'We answer within a day, except on the first Saturday of the month, when everybody is sewing.',
        ],
        points: [
          'Pictures of the mill and the workshops',
          'Numbers of the past five years',
          'Interviews by appointment',
        ],
        onwards: 'contact',
      }),
      simplePage({
        key: 'contact',
        title: 'Contact',
        says: [
          'Write to us, call us, or come by: the kettle stands next to the door.',
          'Repairs go to the repair desk, everything else to the desk in the hall.',
        ],
        points: ['desk@larkfell.example', 'Mill Lane 3, Larkfell', 'Weekdays from nine to five'],
        onwards: 'stores',
        notCacheable: true,
      }),
    ],
  };
}

export function legalPages(): PageSpec {
  const legal = (key: string, title: string, says: readonly string[], points: readonly string[]): PageSpec =>
    simplePage({
      key,
      title,
      says,
      points,
      onwards: 'contact',
      hidden: true,
      notSearchable: true,
      values: { searchFlags: 'noindex||nofollow' },
    });
  return {
    key: 'legal',
    title: 'Legal',
    template: 'Section',
    hidden: true,
    createdOn: built,
    body: ({ uri, title }) =>
      join(
        paragraph(
          'The texts that have to be here, as short as they may be.',
          'Each of them was written by one of us and read by a lawyer, in this order. When they change, the old versions stay available from the desk, so that you can see what was valid on the day you ordered.',
        ),
        linkList(['imprint', 'privacy', 'terms', 'cookies', 'accessibility'].map((key) => link(uri(key), title(key)))),
      ),
    children: [
      legal(
        'imprint',
        'Imprint',
        ['Larkfell Outfitters is a cooperative of the people who work in it.', 'Responsible for this site: the desk.'],
        ['Mill Lane 3, Larkfell', 'Registered in 1987'],
      ),
      legal(
        'privacy',
        'Privacy',
        [
          'We keep what we need to send you a parcel, and forget it after ten years because the law wants us to keep it that long.',
          'Nothing on this site follows you elsewhere.',
        ],
        ['No advertising networks', 'No profiles', 'Ask us and we show what we have'],
      ),
      legal(
        'terms',
        'Terms',
        ['You order, we confirm, and then it is a contract.', 'Prices include tax; postage is shown before you pay.'],
        ['Sixty days to change your mind', 'Irish law applies', 'Disputes: talk to us first'],
      ),
      legal(
        'cookies',
        'Cookies',
        ['One cookie keeps the basket, another the login of club members.', 'That is all of them.'],
        ['Basket: one week', 'Login: until you leave'],
      ),
      legal(
        'accessibility',
        'Accessibility',
        ['We test this site with a keyboard, a screen reader and a tired colleague.', 'Tell us where it fails.'],
        ['Text can be enlarged to 200 percent', 'Pictures are described', 'Videos have subtitles'],
      ),
    ],
  };
}
