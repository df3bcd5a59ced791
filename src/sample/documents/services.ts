/** Documents of what the house does for people: repairs, the open workshop (three revisions), shops, trips, guides. */
import { address, type DocumentSpec, drawing, drawings, type SectionSpec, section } from '../document.js';
import type { PageLinks } from '../page.js';

const workshopHero = (description: string): SectionSpec =>
  section('hero', { title: 'The machines are yours', description, background: drawing('mill'), alignment: 'center' });

const workshopRules = ({ uri }: PageLinks, price: string): SectionSpec =>
  section('faq', {
    title: 'Before you come',
    items: [
      { question: 'What does it cost?', answer: `<p>${price}</p>` },
      {
        question: 'What should I bring?',
        answer: `<p>Something broken, clean and dry. Thread is here. If you would rather have it done, <a href="${address(uri('repairs'))}">send it in</a>.</p>`,
      },
    ],
  });

const besideYou = section('richtext', {
  content: '<p>Somebody stands beside you who knows the machines. Thread and tea are free.</p>',
});

export const serviceDocuments: readonly DocumentSpec[] = [
  {
    page: 'repairs',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'Send it in, bring it along, or do it yourself',
          description: 'Three ways to keep what you have.',
          button_label: 'Prices',
          button_url: address(uri('repair-prices')),
          background: drawing('repair-desk'),
          alignment: 'left',
        }),
        section('cards', {
          title: 'How it works',
          items: [
            { title: '1. Describe', text: 'Describe the damage and add two photographs.' },
            { title: '2. Decide', text: 'Receive a price within two days, and say yes or no.' },
            { title: '3. Send', text: 'Send the piece in, clean and dry.' },
            { title: '4. Unpack', text: 'Have it back within three weeks.' },
          ],
        }),
        section('video', {
          title: 'A slider replaced, without words',
          video: { url: `${drawings}zip.webm`, poster: `${drawings}zip.svg` },
        }),
        section('faq', {
          title: 'Asked every day',
          items: [
            {
              question: 'Do you mend things of other makers?',
              answer: '<p>If the part exists, yes. If it does not, we tell you who might have it.</p>',
            },
            {
              question: 'Is it worth it?',
              answer:
                '<p>If a repair would cost more than half of a new piece, we ask first. Nine of ten people say yes.</p>',
            },
          ],
        }),
        section('contact', {
          title: 'The repair desk',
          phone: '+44 (0) 1539 555 044',
          email: 'repairs@larkfell.example',
          button_label: 'What the warranty covers',
          button_url: address(uri('warranty')),
        }),
      ],
    ],
  },
  {
    page: 'repair-prices',
    published: [
      ({ uri }) => [
        section('richtext', {
          content:
            '<p>We charge what the repair costs us: time, thread and postage.</p><table><thead><tr><th scope="col">Repair</th><th scope="col">Price</th></tr></thead><tbody><tr><td>New slider</td><td>€ 6</td></tr><tr><td>New zip, short</td><td>€ 24</td></tr><tr><td>New zip, long</td><td>€ 38</td></tr><tr><td>Patch, per piece</td><td>€ 9</td></tr><tr><td>Boots resoled</td><td>€ 78</td></tr></tbody></table>',
        }),
        section('cta', {
          title: 'Do it yourself',
          text: 'The machines are yours on the first Saturday of the month.',
          button_label: 'The open workshop',
          button_url: address(uri('open-workshop')),
        }),
      ],
    ],
  },
  {
    page: 'open-workshop',
    published: [
      (links) => [
        workshopHero('First Saturday of the month.'),
        workshopRules(links, 'Five euro for the afternoon, tea included.'),
      ],
      (links) => [
        workshopHero('First Saturday of the month, from ten to four.'),
        besideYou,
        workshopRules(links, 'Nothing. The five euro cost more to count than they brought in.'),
        section('richtext', { content: '<p>New: no charge, and tea all the same.</p>' }, { name: 'news' }),
      ],
      (links) => [
        workshopHero('First Saturday of the month, from ten to four. Children from ten years.'),
        workshopRules(links, 'Nothing. The five euro cost more to count than they brought in.'),
        besideYou,
        section('testimonials', {
          items: [
            {
              quote: 'I came with a torn tent and left with a tent and a bag for it.',
              name: 'Aoife, Westport',
              role: 'second visit',
              avatar: drawing('person-aoife'),
            },
          ],
        }),
      ],
    ],
  },
  {
    page: 'stores',
    published: [
      () => [
        section('hero', {
          title: 'Twelve shops in ten countries',
          description: 'Every one of them with a workbench.',
          background: drawing('shop-window'),
          alignment: 'left',
        }),
        section('cards', {
          title: 'What every shop does',
          items: [
            { title: 'Lends', text: 'Demonstration pieces for a weekend, snowshoes for the winter.' },
            { title: 'Mends', text: 'Sliders, buckles and small tears while you wait.' },
            { title: 'Takes back', text: 'For parts, for lending, for the museum shelf.' },
          ],
        }),
      ],
    ],
    // What is published stays until somebody publishes this.
    draft: () => [
      section('hero', {
        title: 'Thirteen shops in ten countries',
        description: 'Every one of them with a workbench. New: Inverness, from March.',
        background: drawing('shop-window'),
        alignment: 'left',
      }),
      section('cards', {
        title: 'What every shop does',
        items: [
          { title: 'Lends', text: 'Demonstration pieces for a weekend, snowshoes for the winter.' },
          { title: 'Mends', text: 'Sliders, buckles and small tears while you wait.' },
          { title: 'Takes back', text: 'For parts, for lending, for the museum shelf.' },
        ],
      }),
    ],
  },
  {
    page: 'trips',
    published: [
      ({ uri }) => [
        section('hero', {
          title: 'Eighteen trips and courses',
          description: 'Small groups, plain food, and somebody who has been there before.',
          background: drawing('trail'),
          alignment: 'left',
        }),
        section('richtext', {
          content: `<p>Each trip is graded from one to five. <strong>Three</strong> means a long day with a pack; <strong>five</strong> means that we would like to talk to you first.</p><p>If you have never walked with a rope, begin with one of <a href="${address(uri('guides'))}">the guides</a> at home, and with a course after that.</p>`,
        }),
        section('testimonials', {
          title: 'From the book in the hut',
          items: [
            {
              quote: 'Rain, wind, rain, soup.\nWould walk again.',
              name: 'Samir',
              role: 'four days, graded three',
              avatar: drawing('person-samir'),
            },
            { quote: 'Nobody hurried, and we were early every day.', name: 'Ines', role: 'first winter course' },
          ],
        }),
        section('spacer', { size: 'lg' }),
        section('cta', {
          title: 'Booking opens in November',
          text: 'Places are drawn by lot among those who wrote in the first week.',
          button_label: 'Write to the desk',
          button_url: 'mailto:trips@larkfell.example?subject=A%20trip',
        }),
      ],
    ],
  },
  {
    page: 'guides',
    published: [
      () => [
        section('richtext', {
          content:
            '<p>Every guide fits on one sheet of paper and was tried out by somebody who had not known it before. Print them, fold them, correct them, and send us the corrections.</p>',
        }),
        section('cards', {
          title: 'Five topics',
          items: [
            { title: 'Packing', text: 'What goes in, and what goes on top.' },
            { title: 'Care', text: 'Wash, wax, dry, and leave alone.' },
            { title: 'Repair', text: 'With a needle, with glue, with patience.' },
            { title: 'Hillcraft', text: 'Where you are, and how you know.' },
            { title: 'Winter', text: 'What is different, and what is the same.' },
          ],
        }),
      ],
    ],
  },
  {
    page: 'warranty',
    published: [
      ({ uri }) => [
        section('richtext', {
          content: `<p><strong>Three years on everything, on paper.</strong> After that we are generous as long as nobody tries to be clever.</p><ol><li>Keep the receipt, or the number inside.</li><li>Wear is no defect.</li><li>Defects are mended first and replaced second.</li></ol><p>What comes after the three years stands under <a href="${address(uri('repair-prices'))}">prices of repairs</a>.</p>`,
        }),
      ],
    ],
  },
  {
    page: 'closing-sale',
    published: [
      () => [
        section('hero', {
          title: 'We count what we have',
          description: 'All shops close for one weekend in January. Whoever helps gets soup.',
        }),
      ],
    ],
    // Announced too early, and taken back.
    withdrawn: true,
  },
  {
    // The resource is not published before the end of February 2027; its page appears with it.
    page: 'spring-letter',
    published: [
      ({ uri }) => [
        section('richtext', {
          content:
            '<p>The first trips of the year are open for booking. The workshop has a new cutting table, and the old one is for sale: it has a burn in the corner that nobody admits to.</p>',
        }),
        section('cta', {
          title: 'Eighteen trips, one table',
          button_label: 'See the trips',
          button_url: address(uri('trips')),
        }),
      ],
    ],
  },
  {
    // In a context of its own: a site by itself for those who read pages with context=journal.
    page: 'journal-about',
    published: [
      () => [
        section('richtext', {
          content:
            '<p>The journal is written by the people who make and mend our things, on Friday afternoons, when the machines are being oiled.</p><p>Nobody is paid by the line.</p>',
        }),
      ],
    ],
  },
];
