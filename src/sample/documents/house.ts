/** Documents about the house: its history, its accounts of itself, its people and how to reach them. */
import { address, type DocumentSpec, drawing, section } from '../document.js';

export const houseDocuments: readonly DocumentSpec[] = [
  {
    page: 'about',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'A workshop that grew, and then decided to stop growing',
          description: 'One sewing machine in 1987, two mills today, and no plans for a third.',
          background: drawing('mill'),
          alignment: 'left',
        }),
        section('richtext', {
          content: `<p>Larkfell began with an order for twelve rucksacks from the mountain rescue team. The machine that sewed them still runs; two of the rucksacks do, too.</p><blockquote><p>Make it so that somebody else can mend it.</p><cite>Rule one, painted on the wall of the mill</cite></blockquote><p>What became of that rule is written down under <a href="${address(uri('history'))}">history</a>, and what it costs us under <a href="${address(uri('sustainability'))}">sustainability</a>.</p>`,
        }),
        section('stats', {
          items: [
            { value: '1987', label: 'founded' },
            { value: '84', label: 'people, all of them owners' },
            { value: '2', label: 'workshops' },
          ],
        }),
        section('image', {
          image: drawing('valley'),
          alt: 'A valley with houses at the foot of steep green hills',
          caption: 'Larkfell, seen from the path to the reservoir.',
        }),
        section('cta', {
          title: 'Three positions are open this season',
          button_label: 'Read what we look for',
          button_url: address(uri('careers')),
        }),
      ],
    ],
  },
  {
    page: 'history',
    published: [
      () => [
        section('richtext', {
          content:
            '<h2>Before us</h2><p>The mill wove blankets for a hundred and forty years before it stood empty.</p><h2>Since 1987</h2><dl><dt>1987</dt><dd>Two climbers rent the ground floor for a year. They never leave.</dd><dt>1993</dt><dd>The first tent, and the first tent that is returned.</dd><dt>2010</dt><dd>A second workshop opens in Łódź, in a mill that is one year older.</dd><dt>2021</dt><dd>The company belongs to the people who work in it.</dd></dl>',
        }),
        section('gallery', {
          title: 'Places that taught us something',
          items: [
            {
              image: drawing('moor'),
              alt: 'A line of standing stones on a moor at dawn',
              caption: 'The moor: why seams are taped',
            },
            {
              image: drawing('coast'),
              alt: 'Cliffs above the sea at night',
              caption: 'The coast: why zips are not of steel',
            },
            {
              image: drawing('hut'),
              alt: 'A hut with lit windows above a reservoir',
              caption: 'The hut: why everything dries on hooks',
            },
          ],
        }),
      ],
    ],
  },
  {
    page: 'sustainability',
    published: [
      () => [
        section('richtext', {
          content:
            '<p>We publish what we buy, from whom, and what went wrong. <em>The list of what went wrong is the longer one.</em></p><ul><li>Every part is sold as a spare.</li><li>Repairs at cost price.</li><li>Heat from the river, power from the roof.</li></ul>',
        }),
        section('stats', {
          title: 'What we can count',
          items: [
            { value: '95 %', label: 'of repairs succeed' },
            { value: '11 years', label: 'a jacket lasts that is mended twice' },
            { value: '31 %', label: 'of the power comes from the roof' },
          ],
        }),
        section('faq', {
          title: 'What we do not know yet',
          items: [
            {
              question: 'Where does the wool of 2023 come from?',
              answer:
                '<p>From two farms that we can name and a third that we cannot. We bought too late in the year.</p>',
            },
            {
              question: 'What becomes of what cannot be mended?',
              answer:
                '<p>Buckles and cords go into the box of parts. Fabric becomes stuff sacks. About <strong>four kilograms a month</strong> become nothing, and we are not proud of them.</p>',
            },
          ],
        }),
      ],
    ],
  },
  {
    page: 'careers',
    published: [
      () => [
        section('cards', {
          title: 'Three positions',
          items: [
            { title: 'Sewer', text: 'Larkfell, four days a week.' },
            { title: 'Repair desk', text: 'Łódź, part time.' },
            { title: 'Trip guide', text: 'Tromsø, winter season.' },
          ],
        }),
        section('contact', {
          title: 'How to apply',
          text: 'Every position begins with a paid week at the cutting table, so that both sides know.\nA letter of one page is enough.',
          email: 'desk@larkfell.example',
        }),
      ],
    ],
  },
  {
    page: 'contact',
    published: [
      ({ uri }) => [
        section('contact', {
          title: 'The desk in the hall',
          text: 'Write to us, call us, or come by: the kettle stands next to the door.\nWeekdays from nine to five.',
          phone: '+44 (0) 1539 555 010',
          email: 'desk@larkfell.example',
          button_label: 'All shops',
          button_url: address(uri('stores')),
        }),
        section('spacer', { size: 'sm' }),
        section(
          'contact',
          {
            title: 'The repair desk',
            text: 'Have the number on the label at hand; it stands on the inside, below the washing symbols.',
            phone: '+44 (0) 1539 555 044',
            email: 'repairs@larkfell.example',
          },
          { name: 'repair-desk' },
        ),
      ],
    ],
  },
  {
    // Published as a page, but never as a document: the draft waits for its numbers.
    page: 'press',
    published: [],
    draft: () => [
      section('hero', { title: 'Pictures, numbers, people', description: 'Numbers of 2026 follow in January.' }),
      section('stats', { title: 'Numbers of 2026', items: [{ value: '…', label: 'repairs' }] }),
      section('contact', { title: 'Interviews', email: 'press@larkfell.example' }),
    ],
  },
];
