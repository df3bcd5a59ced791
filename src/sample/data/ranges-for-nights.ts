/** Product groups for nights outside: tents, backpacks, sleeping bags. */
import { line, type ProductGroup } from './range.js';

export const groupsForNights: readonly ProductGroup[] = [
  {
    key: 'tents',
    title: 'Tents',
    singular: 'tent',
    purpose: 'shelter that goes up in the wind and stays up in the rain',
    lines: [
      line('Corrie', 'A low tunnel that two cold hands can pitch in four minutes.', {
        fabric: 'silicone-coated polyamide',
        grams: 1480,
        euros: 389,
      }),
      line('Bealach', 'A free-standing dome for rock, sand and hut terraces.', {
        fabric: 'ripstop polyester',
        grams: 2260,
        euros: 449,
      }),
      line('Lochan', 'A family tent with standing height and a porch for wet boots.', {
        fabric: 'polycotton',
        grams: 6900,
        euros: 619,
      }),
    ],
    sizes: [
      ['1', 'Sleeps one person with a pack beside the mat.'],
      ['2', 'Sleeps two; the doors open on both sides.'],
      ['2 Storm', 'Sleeps two under a second set of poles for the winter months.'],
      ['3', 'Sleeps three, or two who do not want to count every gram.'],
      ['3 Long', 'Sleeps three tall people: the inner is 235 cm long.'],
      ['4', 'Sleeps four with a divided inner tent.'],
    ],
    features: [
      'Colour-coded poles and sleeves',
      'Two vents that can be closed from inside',
      'Seams sealed on both sides',
      'Guy lines with reflective thread',
      'Spare pole section and patch in the bag',
    ],
    care: 'Dry the tent before it goes into its bag, even if that means hanging it in the stairwell.',
    guide: 'guide-pitching-in-wind',
  },
  {
    key: 'backpacks',
    title: 'Backpacks',
    singular: 'backpack',
    purpose: 'carrying systems that put the load on the hips and leave the shoulders free',
    lines: [
      line('Drover', 'A plain top-loader with one big compartment and nothing to snag.', {
        fabric: 'waxed cotton canvas',
        grams: 1350,
        euros: 189,
      }),
      line('Skerry', 'A roll-top pack that shrugs off spray and sleet.', {
        fabric: 'welded polyurethane fabric',
        grams: 980,
        euros: 209,
      }),
      line('Fellside', 'A ventilated back panel for long summer days.', {
        fabric: 'recycled polyamide',
        grams: 1120,
        euros: 169,
      }),
    ],
    sizes: [
      ['18', 'Room for lunch, a jacket and a flask.'],
      ['24', 'Room for a long day with a rope or a camera.'],
      ['32', 'Room for a night in a hut.'],
      ['38', 'Room for a weekend with a light tent.'],
      ['45', 'Room for four days between shops.'],
      ['60', 'Room for winter kit, or for carrying somebody else’s as well.'],
    ],
    features: [
      'Hip belt in three lengths',
      'Lid pocket that a gloved hand can open',
      'Loops for two poles or axes',
      'Bottle pockets within reach',
      'All buckles can be replaced without sewing',
    ],
    care: 'Brush out sand and grit, wash by hand in lukewarm water and never in a machine.',
    guide: 'guide-loading-a-pack',
  },
  {
    key: 'sleeping-bags',
    title: 'Sleeping bags',
    singular: 'sleeping bag',
    purpose: 'warmth that is stated honestly and weighed on our own scales',
    lines: [
      line('Eider', 'Down from one farm in the north of Iceland, traceable to the season.', {
        fabric: 'polyamide 20 denier',
        grams: 890,
        euros: 419,
      }),
      line('Moorgrass', 'Synthetic filling that still warms when it is damp.', {
        fabric: 'recycled polyester',
        grams: 1320,
        euros: 179,
      }),
      line('Shearling', 'A wool quilt that needs no washing for a whole season.', {
        fabric: 'wool and cotton',
        grams: 1540,
        euros: 239,
      }),
    ],
    sizes: [
      ['Kids', 'For children up to 150 cm; grows by thirty centimetres.'],
      ['Summer', 'Comfortable down to eight degrees.'],
      ['0', 'Comfortable down to freezing.'],
      ['−5', 'Comfortable to five degrees below freezing.'],
      ['−10', 'Comfortable to ten degrees below freezing, with a draught collar.'],
      ['−20', 'For winter nights in the open; the foot box is filled twice.'],
    ],
    features: [
      'Zip that does not catch the lining',
      'Comfort limit measured, not guessed',
      'Inner pocket for a telephone or a filter',
      'Loops for airing after every night',
      'Cotton bag for storage at home',
    ],
    care: 'Keep it loose in the cotton bag; a compressed filling forgets how to be warm.',
    guide: 'guide-washing-down',
  },
];
