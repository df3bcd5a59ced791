/** Documents of the front page, the equipment and the winter campaign, whose sections depend on who asks. */
import { groups } from '../data/ranges.js';
import { address, type DocumentSpec, drawing, section } from '../document.js';

export const frontDocuments: readonly DocumentSpec[] = [
  {
    page: 'home',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'Equipment for hills, made to be mended',
          description:
            'Tents, packs and boots from two workshops in two old mills.\nWhatever leaves them can come back for repair, as long as there is something left to sew on.',
          button_label: 'See the equipment',
          button_url: address(uri('equipment')),
          background: drawing('ridge'),
          alignment: 'left',
        }),
        section('stats', {
          title: 'A year at the workbench',
          items: [
            { value: '9,412', label: 'things came back to us' },
            { value: '8,977', label: 'went home in working order' },
            { value: '12', label: 'shops with a workbench' },
            { value: '0', label: 'sales, discounts and collections' },
          ],
        }),
        section('cards', {
          title: 'Where to begin',
          items: [
            {
              title: 'Borrow it first',
              text: 'Every shop lends demonstration pieces for a weekend.\nWhat comes back muddy has been tested properly.',
            },
            {
              title: 'Learn how it works',
              text: 'Thirty guides, each on one sheet of paper, each tried out by somebody who had not known it before.',
            },
            {
              title: 'Have it mended',
              text: 'Describe the damage, add two photographs, and have a price within two days.',
            },
          ],
        }),
        section('spacer', { size: 'md' }),
        section('image', {
          image: drawing('cutting-table'),
          alt: 'A cutting table with two rolls of fabric and a pair of shears, under three windows',
          caption: 'The cutting table in Larkfell. The shears are older than the company.',
        }),
        section('testimonials', {
          title: 'What comes with the parcels',
          items: [
            {
              quote: 'It came back from the workshop better than it had left the shop.',
              name: 'A customer from Besançon',
              role: 'about a jacket of 2009',
              avatar: drawing('person-ines'),
            },
            {
              quote: 'You sewed my daughter’s name under mine.\nShe has had the pack for two summers now.',
              name: 'Tomasz, Zakopane',
              role: 'about a pack of 1998',
              avatar: drawing('person-tomasz'),
            },
          ],
        }),
        section('cta', {
          title: 'Something broke?',
          text: 'Good: that means it was used.',
          button_label: 'Send it to the repair desk',
          button_url: address(uri('repairs')),
        }),
      ],
    ],
  },
  {
    page: 'equipment',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'Eight kinds of equipment',
          description: 'And the rest we leave to people who are better at it.',
          background: drawing('camp'),
          alignment: 'center',
        }),
        section('cards', {
          title: 'Product groups',
          items: groups.map(({ title, purpose }) => ({ title, text: `Larkfell makes ${purpose}.` })),
        }),
        section('gallery', {
          title: 'On the shelf',
          items: [
            {
              image: drawing('packs'),
              alt: 'Three packs in red, green and yellow',
              caption: 'Fellside, in all three colours',
            },
            { image: drawing('boots'), alt: 'A pair of high leather boots', caption: 'Cairn, resoled twice' },
            {
              image: drawing('stove'),
              alt: 'A pot on a small stove',
              caption: 'A litre in four minutes, out of the wind',
            },
            { image: drawing('rope'), alt: 'A coiled rope in red and yellow', caption: 'Sixty metres, middle marked' },
          ],
        }),
        section('faq', {
          title: 'Before you buy',
          items: [
            {
              question: 'Can I try it out?',
              answer: `<p>Yes. Every one of <a href="${address(uri('stores'))}">our shops</a> lends demonstration pieces for a weekend, free of charge.</p>`,
            },
            {
              question: 'How long will it last?',
              answer:
                '<p>A jacket that is mended twice lasts <strong>eleven years</strong>; that is the most useful number we have. One that is never mended lasts four.</p>',
            },
            {
              question: 'Will there be a sale?',
              answer: '<p>No. The price is what it costs, in January as in June.</p>',
            },
          ],
        }),
        section('cta', {
          title: 'Undecided between two sizes?',
          text: 'Come by with what you carry, and load both.',
          button_label: 'Find a shop',
          button_url: address(uri('stores')),
        }),
      ],
    ],
  },
  {
    page: 'winter-campaign',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'Winter in the shops',
          description: 'Snowshoes, axes and crampons to borrow until the end of March.',
          button_label: 'Find the nearest shop',
          button_url: address(uri('stores')),
          background: drawing('snow'),
          alignment: 'left',
        }),
        section(
          'cta',
          {
            title: 'You have seen the poster at the station',
            text: 'Say “station” at the desk and borrow the first day for nothing.',
            button_label: 'Which shops lend',
            button_url: address(uri('stores')),
          },
          { name: 'from-the-poster', settings: { utm: { source: ['poster'], campaign: ['winter-2026', 'winter'] } } },
        ),
        section(
          'richtext',
          { content: '<p>Whoever brings a friend pays for one of the two. You were sent here by one.</p>' },
          { name: 'by-a-friend', settings: { conditions: [{ type: 'query', name: 'friend' }] } },
        ),
        section('richtext', {
          content:
            '<h2>What there is to borrow</h2><table><thead><tr><th scope="col">What</th><th scope="col">A day</th><th scope="col">A week</th></tr></thead><tbody><tr><th scope="row">Snowshoes</th><td>€ 9</td><td>€ 36</td></tr><tr><th scope="row">Axe</th><td>€ 6</td><td>€ 24</td></tr><tr><th scope="row">Crampons</th><td>€ 8</td><td>€ 32</td></tr></tbody></table><p>Ten minutes of instruction come with each of them, and nobody has ever regretted the ten minutes.</p>',
        }),
        section(
          'contact',
          {
            title: 'Not a member yet?',
            text: 'Members of the club borrow free of charge.',
            email: 'club@larkfell.example',
          },
          { name: 'for-guests', settings: { contexts: ['web'], conditions: [{ type: 'guest' }] } },
        ),
        section(
          'richtext',
          { content: '<p>Welcome back. The lending calendar has a column for snowshoes this year.</p>' },
          { name: 'for-members', settings: { conditions: [{ type: 'logged_in' }] } },
        ),
        section(
          'cta',
          {
            title: 'Avalanche course, 16 January',
            text: 'Full since November. Kept for next year.',
            button_label: 'See all trips',
            button_url: address(uri('trips')),
          },
          { name: 'avalanche-course', disabled: true },
        ),
      ],
    ],
  },
];
