/** Texts of the guides for what is done at home before and after: packing and care. */
import { type GuideTopic, guide } from './guide.js';

export const topicsAtHome: readonly GuideTopic[] = [
  {
    key: 'topic-packing',
    title: 'Packing',
    opening: 'What stays at home weighs nothing. These guides help to decide before the bag is full.',
    why: [
      'A pack that sits well costs less strength than a light one that does not.',
      'Order in the pack saves more time than speed on the path.',
      'Whoever packs the evening before forgets half as much.',
    ],
    shop: 'Bring your pack to a shop: we load it with sandbags and set the straps with you.',
    guides: [
      guide('loading-a-pack', 'Loading a pack', {
        summary: 'Heavy things close to the back and between the shoulder blades, soft things at the bottom.',
        minutes: 4,
        steps: [
          'Lay everything on the floor and take a third of it away again.',
          'Sleeping bag and spare clothes go to the bottom.',
          'Food, stove and water lie close to your back.',
          'Rain gear comes last and stays on top.',
        ],
      }),
      guide('first-aid-pouch', 'A first-aid pouch that gets used', {
        summary: 'Twelve items that cover blisters, cuts and the wait for help.',
        minutes: 6,
        steps: [
          'Start with blister plasters and a pair of scissors that cut.',
          'Add two bandages that can be put on with one hand.',
          'Write the emergency numbers on the lid.',
          'Replace what was used on the day you come home.',
        ],
      }),
      guide('food-for-four-days', 'Food for four days', {
        summary: 'How much to take so that you neither starve nor carry dinner home.',
        minutes: 7,
        steps: [
          'Count 600 grams a day and person, 750 in winter.',
          'Take out the packaging at home.',
          'Pack each day into one bag and label it.',
          'Keep one cold meal apart for the day that goes wrong.',
        ],
      }),
      guide('packing-with-children', 'Packing with children', {
        summary: 'They carry what they want to have with them; you carry the rest.',
        minutes: 5,
        steps: [
          'A child’s pack weighs no more than a tenth of the child.',
          'Let them choose one thing that serves no purpose.',
          'Dry socks go into every bag.',
          'Put the snacks where you can reach them while walking.',
        ],
      }),
      guide('weekend-list', 'The weekend list', {
        summary: 'One page to print, cross out and improve.',
        minutes: 3,
        steps: [
          'Print the list once a season.',
          'Cross out what you did not use.',
          'Write down what you missed.',
          'Keep the list with the tent.',
        ],
      }),
      guide('travelling-by-train', 'Travelling by train', {
        summary: 'Poles, axes and gas cartridges: what may go where.',
        minutes: 4,
        steps: [
          'Tape the points of axes and crampons.',
          'Buy gas where you arrive, never on the way.',
          'Strap loose parts to the inside.',
          'Take a bag cover for the luggage rack.',
        ],
      }),
    ],
  },
  {
    key: 'topic-care',
    title: 'Care',
    opening: 'Ten minutes on the evening of the return are worth more than a day in spring.',
    why: [
      'Most returns that reach our desk were put away wet.',
      'Dirt is what ages fabric; washing does it far less harm.',
      'A product that is looked after is easier to mend.',
    ],
    shop: 'Every shop sells the soap, wax and thread that we use ourselves, in small bottles too.',
    guides: [
      guide('washing-down', 'Washing down', {
        summary: 'A bath tub, a drop of soap, and patience while it dries.',
        minutes: 8,
        steps: [
          'Close all zips and turn the bag inside out.',
          'Use special soap and lukewarm water.',
          'Rinse until the water stays clear, then once more.',
          'Dry it warm with two tennis balls and break up the lumps by hand.',
        ],
      }),
      guide('waxing-boots', 'Waxing boots', {
        summary: 'Why less wax is more, and when to leave it alone.',
        minutes: 5,
        steps: [
          'Brush the boots and take out laces and insoles.',
          'Let them dry for a day at room temperature.',
          'Rub in little wax with your fingers, most of it at the seams.',
          'Polish after an hour.',
        ],
      }),
      guide('reproofing-shells', 'Reproofing shells', {
        summary: 'Wash first: half of all leaking jackets are only dirty.',
        minutes: 6,
        steps: [
          'Wash the jacket twice without softener.',
          'Iron it warm through a cloth.',
          'Spray the proofing on the wet fabric if drops still sink in.',
          'Let it dry and test it under the tap.',
        ],
      }),
      guide('storing-tents', 'Storing tents', {
        summary: 'Loose, dry and in the dark.',
        minutes: 3,
        steps: [
          'Hang the tent up until the seams are dry.',
          'Brush sand from zips and sleeves.',
          'Stuff it loosely in a cotton bag.',
          'Leave the poles assembled in their longest sections.',
        ],
      }),
      guide('cleaning-stoves', 'Cleaning stoves', {
        summary: 'Soot, resin and a blocked jet.',
        minutes: 5,
        steps: [
          'Let the stove cool down completely.',
          'Unscrew the jet and hold it against the light.',
          'Clean it with the needle from the kit, never with wire.',
          'Check the gasket and replace it every second year.',
        ],
      }),
      guide('drying-rope', 'Drying a rope', {
        summary: 'In shade and air, never on a radiator.',
        minutes: 3,
        steps: [
          'Rinse mud out with cold water.',
          'Lay the rope in loose loops on a clothes horse.',
          'Run it through your hands once when it is dry.',
          'Note what you felt in the booklet.',
        ],
      }),
    ],
  },
];
