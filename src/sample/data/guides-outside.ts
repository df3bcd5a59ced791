/** Texts of the guides for mending and for the hills: repair, hillcraft, winter. */
import { type GuideTopic, guide } from './guide.js';

export const topicsOutside: readonly GuideTopic[] = [
  {
    key: 'topic-repair',
    title: 'Repair at home',
    opening: 'Most damage needs a needle, a patch or a screwdriver, and somebody who begins.',
    why: [
      'A small hole is a small job until it is a large one.',
      'Repairs that show are nothing to be ashamed of.',
      'We send spare parts in an envelope, usually on the same day.',
    ],
    shop: 'On the first Saturday of every month the workshop is open: bring the damage, we bring the machine.',
    guides: [
      guide('patching-fabric', 'Patching fabric', {
        summary: 'Round corners hold, square ones peel.',
        minutes: 4,
        steps: [
          'Clean the place with alcohol.',
          'Cut the patch with round corners and two centimetres to spare.',
          'Press it on from the middle outwards.',
          'Sew along the edge if it carries load.',
        ],
      }),
      guide('replacing-a-slider', 'Replacing a zip slider', {
        summary: 'It is the slider nine times out of ten, and seldom the zip.',
        minutes: 5,
        steps: [
          'Read the number on the back of the slider.',
          'Open the end of the zip with pliers.',
          'Thread the new slider on evenly.',
          'Sew the end shut again.',
        ],
      }),
      guide('splinting-a-pole', 'Splinting a tent pole', {
        summary: 'The sleeve in your repair bag, and how to use it in the dark.',
        minutes: 4,
        steps: [
          'Bend the broken part straight again.',
          'Push the sleeve over the break.',
          'Fix both ends with tape.',
          'Order the section when you are home.',
        ],
      }),
      guide('sewing-webbing', 'Sewing webbing', {
        summary: 'Box and cross: the only seam that a strap needs.',
        minutes: 6,
        steps: [
          'Melt the ends before you start.',
          'Use polyester thread, number 40 or thicker.',
          'Sew the box twice and the cross once.',
          'Load it with your own weight before you trust it.',
        ],
      }),
      guide('glueing-soles', 'Glueing a loose sole', {
        summary: 'Good for the way home; the cobbler does the rest.',
        minutes: 5,
        steps: [
          'Roughen both sides and clean them.',
          'Apply thin glue and wait ten minutes.',
          'Press for an hour with clamps or tape.',
          'Send the boots in when you are back.',
        ],
      }),
      guide('when-to-send-it-in', 'When to send it in', {
        summary: 'What our workshop does better, and what it costs.',
        minutes: 3,
        steps: [
          'Take two photographs, one close and one whole.',
          'Describe how it happened.',
          'Wait for our answer: it comes within two days.',
          'Send the piece in clean and dry.',
        ],
      }),
    ],
  },
  {
    key: 'topic-hillcraft',
    title: 'Hillcraft',
    opening: 'Things that nobody can sell you, written down by the people who guide our trips.',
    why: [
      'Skill weighs nothing and does not wear out.',
      'Practise where nothing can happen.',
      'Turning round is a skill, too.',
    ],
    shop: 'We teach all of this on our trips, in groups of no more than eight.',
    guides: [
      guide('walking-on-a-bearing', 'Walking on a bearing', {
        summary: 'Three steps that still work in fog.',
        minutes: 7,
        steps: [
          'Lay the edge of the compass from where you are to where you want to be.',
          'Turn the dial until its lines lie north.',
          'Turn yourself until the needle does, too.',
          'Pick a stone ahead, walk to it, and repeat.',
        ],
      }),
      guide('crossing-streams', 'Crossing streams', {
        summary: 'Wide and slow is better than narrow and quick.',
        minutes: 5,
        steps: [
          'Look for the widest place.',
          'Open the hip belt of your pack.',
          'Face upstream with a pole in front of you.',
          'Move one leg at a time.',
        ],
      }),
      guide('reading-clouds', 'Reading clouds', {
        summary: 'Five signs of weather that is about to change.',
        minutes: 6,
        steps: [
          'Watch the wind at three heights.',
          'Note the pressure every two hours.',
          'A halo around the sun means rain within a day.',
          'Towers before noon mean thunder after it.',
        ],
      }),
      guide('pitching-in-wind', 'Pitching in wind', {
        summary: 'Peg first, think second, stand up last.',
        minutes: 5,
        steps: [
          'Lie on the fabric while you unpack it.',
          'Peg the windward end before anything else.',
          'Put the poles in while the tent lies flat.',
          'Raise it against the wind and tie it down crosswise.',
        ],
      }),
      guide('retiring-a-rope', 'Retiring a rope', {
        summary: 'How to see, feel and decide that it is enough.',
        minutes: 4,
        steps: [
          'Count the years first: ten at most, even unused.',
          'Feel for flat places and stiff ones.',
          'Look for fur, glaze and a sheath that slips.',
          'Cut a rope that you retire, so that nobody trusts it again.',
        ],
      }),
      guide('emergency-signals', 'Emergency signals', {
        summary: 'Six a minute, then a minute of silence.',
        minutes: 3,
        steps: [
          'Six signals within one minute, by whistle or by light.',
          'Wait a minute and begin again.',
          'The answer is three a minute.',
          'Stay where you are once you have been seen.',
        ],
      }),
    ],
  },
  {
    key: 'topic-winter',
    title: 'Winter',
    opening: 'The same hills, shorter days. These guides assume that you know them in summer.',
    why: [
      'Cold is a matter of planning far more than of equipment.',
      'Daylight is the one thing that nobody can carry along.',
      'Snow hides what the map shows.',
    ],
    shop: 'From November to March the shops lend snowshoes, axes and crampons by the day.',
    guides: [
      guide('fuel-for-a-week', 'Fuel for a week', {
        summary: 'How much gas or spirit when all water is snow.',
        minutes: 5,
        steps: [
          'Count 60 grams of gas a day and person in winter.',
          'Start melting with a little water in the pot.',
          'Keep the cartridge in your sleeping bag.',
          'Use the windshield, but never closed all around.',
        ],
      }),
      guide('layers-that-breathe', 'Layers that breathe', {
        summary: 'Start cold, stay dry, stop warm.',
        minutes: 4,
        steps: [
          'Begin the climb with one layer less.',
          'Open zips before you sweat.',
          'Put the thick jacket on as soon as you stop.',
          'Keep one dry shirt for the evening.',
        ],
      }),
      guide('snow-shelters', 'Snow shelters', {
        summary: 'Trench, cave and wall, and the time that each one takes.',
        minutes: 9,
        steps: [
          'Choose a drift that is deeper than you are tall.',
          'Dig the entrance lower than the floor.',
          'Smooth the roof so that it does not drip.',
          'Keep an air hole open with a pole.',
        ],
      }),
      guide('avalanche-basics', 'Avalanche basics', {
        summary: 'What to know before you take a course, and why you should.',
        minutes: 8,
        steps: [
          'Read the bulletin aloud at breakfast.',
          'Measure slopes on the map: thirty degrees is the limit.',
          'Cross suspect slopes one at a time.',
          'Practise the search until it is dull.',
        ],
      }),
      guide('boots-in-frost', 'Boots in frost', {
        summary: 'Warm feet begin on the evening before.',
        minutes: 4,
        steps: [
          'Loosen the laces; blood is the heating.',
          'Take the inner boots into the sleeping bag.',
          'Change socks at noon.',
          'Wiggle, stamp, and say so when you feel nothing.',
        ],
      }),
      guide('short-days', 'Planning short days', {
        summary: 'Turn-round times and the head torch in the lid.',
        minutes: 3,
        steps: [
          'Write down sunset before you leave.',
          'Plan a third more time than in summer.',
          'Agree on the time of turning round.',
          'Put the torch where you find it blind.',
        ],
      }),
    ],
  },
];
