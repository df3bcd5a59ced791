/** The front of the main site: home, the pages for errors, the members area, and feeds for machines. */
import { jsonType, rssType, textType, xmlType } from '../data/content-types.js';
import { groups } from '../data/ranges.js';
import { escapeHtml, heading, join, link, linkList, paragraph, paragraphOf, picture, quotation } from '../html.js';
import type { PageSpec } from '../page.js';
import { built, simplePage } from './simple-page.js';

/** Home comes first, so that it is resource 1. */
export function frontPages(): PageSpec[] {
  return [
    {
      key: 'home',
      title: 'Larkfell Outfitters',
      longTitle: 'Equipment for hills, made to be mended',
      menuTitle: 'Home',
      alias: 'index',
      template: 'Home',
      createdOn: built,
      intro: 'Tents, packs and boots from two workshops.',
      values: {
        heroImage: 'hero/larkfell-ridge.jpg',
        heroCaption: 'Larkfell ridge at six in the morning',
        accentColour: 'slate',
        layoutVariant: 'wide',
        seoTitle: 'Larkfell Outfitters – equipment made to be mended',
      },
      body: ({ uri }) =>
        join(
          paragraph(
            'We make equipment for people who walk, climb and sleep outside, and we mend what we make.',
            'Everything comes from two workshops in two old mills.',
          ),
          heading('Equipment'),
          linkList(groups.map((group) => link(uri(group.key), group.title))),
          heading('This season'),
          paragraphOf(
            `Snowshoes to borrow: ${link(uri('winter-campaign'), 'winter in the shops')}.`,
            `Eighteen ${link(uri('trips'), 'trips and courses')} are open for booking.`,
          ),
          quotation(
            'It came back from the workshop better than it had left the shop.',
            'A customer from Besançon, about a jacket of 2009',
          ),
          picture('hero/larkfell-ridge.jpg', 'Larkfell ridge at six in the morning'),
          paragraphOf(
            `New here? Read ${link(uri('about'), 'about us')}, visit ${link(uri('stores'), 'a shop')} or learn something from ${link(uri('guides'), 'the guides')}.`,
          ),
        ),
    },
    simplePage({
      key: 'not-found',
      title: 'This path ends here',
      alias: 'not-found',
      hidden: true,
      notSearchable: true,
      says: [
        'The page you were looking for has moved, or never existed.',
        'Go back to the last place you were sure of; it works on hills, too.',
      ],
      points: ['Check the address', 'Start again from the front page', 'Ask the desk'],
      onwards: 'home',
    }),
    simplePage({
      key: 'members-notice',
      title: 'For members of the club',
      alias: 'members-only',
      hidden: true,
      notSearchable: true,
      says: ['This page belongs to the Larkfell club.', 'Members log in; everybody else is welcome to join.'],
      points: ['Log in with your member name', 'Join in any shop'],
      onwards: 'join',
    }),
    simplePage({
      key: 'unavailable',
      title: 'Back in a minute',
      alias: 'unavailable',
      hidden: true,
      notSearchable: true,
      says: ['We are moving furniture.', 'The site will be back shortly.'],
      points: ['Please try again'],
      onwards: 'home',
    }),
  ];
}

export function memberPages(): PageSpec[] {
  const groupsOf = ['members'] as const;
  const member = (key: string, title: string, says: readonly string[], points: readonly string[]): PageSpec =>
    simplePage({
      key,
      title,
      says,
      points,
      onwards: 'club',
      template: 'Members',
      groups: groupsOf,
      notCacheable: true,
      values: { memberNote: `<p>${escapeHtml(title)}: please keep this among members.</p>` },
    });
  return [
    {
      key: 'club',
      title: 'The Larkfell club',
      alias: 'club',
      menuTitle: 'Club',
      template: 'Members',
      groups: groupsOf,
      createdOn: built,
      values: { memberNote: '<p>Welcome back. The lending calendar is open.</p>' },
      body: ({ uri, title }) =>
        join(
          paragraph(
            'The club has eleven hundred members, one hut and a cupboard full of things to borrow.',
            'It was founded in 1997 by customers who had come for a repair and stayed for the evening, and it has kept its own accounts ever since.',
          ),
          paragraph(
            'Members meet on the first Friday of March, June and November; between the meetings a board of five decides what cannot wait.',
            'What is written here stays among members, because some of the routes are somebody else’s garden.',
          ),
          linkList(
            ['club-hut', 'club-lending', 'club-minutes', 'club-routes', 'club-prototypes', 'club-directory'].map(
              (key) => link(uri(key), title(key)),
            ),
          ),
        ),
      children: [
        member(
          'club-hut',
          'The hut',
          [
            'The hut above the reservoir has fourteen beds, a stove and no electricity.',
            'The key hangs in the shop in Larkfell; the code of the box changes every month.',
          ],
          ['Book at least two days ahead', 'Bring wood from the shed to the stove', 'Leave it swept'],
        ),
        member(
          'club-lending',
          'Lending cupboard',
          ['Members borrow for ten days at a time, free of charge.', 'What comes back broken is mended together.'],
          ['Six tents', 'Nine ropes', 'Twenty pairs of snowshoes'],
        ),
        member(
          'club-minutes',
          'Minutes',
          [
            'Minutes of the meetings since 2018, in full.',
            'The last meeting decided to paint the hut, and not which colour.',
          ],
          ['Next meeting: first Friday in March', 'Motions until mid-February'],
        ),
        member(
          'club-routes',
          'Routes by members',
          [
            'Forty-one routes that are in no guidebook, and should stay out of them.',
            'Please report changes of fences and bridges.',
          ],
          ['Tracks as files', 'Notes on water and shelter'],
        ),
        member(
          'club-prototypes',
          'Prototypes',
          [
            'Members try out what is not for sale yet, and tell us why it should not be.',
            'Three prototypes are out at present.',
          ],
          ['Bealach 3 Storm', 'Fellside 28', 'Burnside Winter'],
        ),
        member(
          'club-directory',
          'Member directory',
          ['Only members who agreed are listed.', 'Ask the desk to be added or removed.'],
          ['By town', 'By skill'],
        ),
        member(
          'club-accounts',
          'Accounts',
          [
            'What came in, what went out, and what the roof of the hut will cost.',
            'Checked by two members who were drawn by lot.',
          ],
          ['Income 2025: € 48,210', 'Expenses 2025: € 46,975'],
        ),
        {
          ...member(
            'club-secret-draft',
            'Anniversary (draft)',
            ['In 2027 the club turns thirty.', 'Nothing is decided yet.'],
            ['Party or path repair'],
          ),
          unpublished: true,
        },
      ],
    },
    simplePage({
      key: 'join',
      title: 'Join the club',
      says: [
        'Membership costs thirty euro a year and half of it mends paths.',
        'This page is for visitors: members do not need to be persuaded.',
      ],
      points: ['Borrow from the cupboard', 'Sleep in the hut', 'Try prototypes'],
      onwards: 'stores',
      groups: ['visitors'],
    }),
    simplePage({
      key: 'join-form',
      title: 'Application for membership',
      says: ['Fill in the form in a shop or send us a letter.', 'We answer by hand.'],
      points: ['Name and address', 'One sentence about why'],
      onwards: 'join',
      groups: ['visitors'],
      hidden: true,
    }),
    simplePage({
      key: 'trade',
      title: 'Trade terms',
      says: [
        'Terms for the nineteen shops of friends that sell our things.',
        'Discounts follow the number of repairs done, not the number of pieces sold.',
      ],
      points: ['Order until Wednesday', 'Delivery by rail'],
      onwards: 'contact',
      groups: ['trade'],
      hidden: true,
    }),
  ];
}

export function machinePages(): PageSpec[] {
  const plain = { template: 'Plain', hidden: true, notSearchable: true, createdOn: built } as const;
  const site = 'https://www.larkfell.example/';
  return [
    {
      ...plain,
      key: 'robots',
      title: 'robots.txt',
      alias: 'robots',
      contentType: textType,
      body: `User-agent: *\nDisallow: /club/\nSitemap: ${site}sitemap.xml\n`,
    },
    {
      ...plain,
      key: 'sitemap',
      title: 'Sitemap',
      contentType: xmlType,
      body: ({ uri }) =>
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${['equipment', 'trips', 'stores', 'about', 'repairs'].map((key) => `  <url><loc>${site}${uri(key)}</loc></url>`).join('\n')}\n</urlset>\n`,
    },
    {
      ...plain,
      key: 'feed',
      title: 'News feed',
      alias: 'feed',
      contentType: xmlType,
      body: ({ uri, title }) =>
        `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n  <title>Larkfell Outfitters</title>\n  <id>${site}</id>\n  <updated>2026-11-02T08:00:00Z</updated>\n${['winter-campaign', 'trips', 'open-workshop'].map((key) => `  <entry><title>${escapeHtml(title(key))}</title><id>${site}${uri(key)}</id><link href="${site}${uri(key)}"/><updated>2026-11-02T08:00:00Z</updated></entry>`).join('\n')}\n</feed>\n`,
    },
    {
      ...plain,
      key: 'trips-rss',
      title: 'Trips as RSS',
      alias: 'trips',
      contentType: rssType,
      body: ({ uri }) =>
        `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Larkfell trips</title><link>${site}${uri('trips')}</link><description>Trips and courses</description></channel></rss>\n`,
    },
    {
      ...plain,
      key: 'data',
      title: 'Catalogue data',
      alias: 'data',
      contentType: jsonType,
      body: ({ uri, id }) =>
        JSON.stringify(
          { groups: groups.map(({ key, title }) => ({ id: id(key), title, uri: uri(key) })), currency: 'EUR' },
          null,
          2,
        ),
    },
  ];
}
