/** Shops, people and trips: three containers with a page for each of their entries. */
import { cleanAlias } from '../../content/alias.js';
import { readAliasOptions } from '../../content/alias-options.js';
import { choose, fixedTime } from '../batch.js';
import { geoJsonType } from '../data/content-types.js';
import { type Colleague, colleagues, levels, type Shop, shops, type Trip, trips } from '../data/places.js';
import { furlSettings } from '../data/settings.js';
import {
  bullets,
  factTable,
  heading,
  join,
  link,
  linkList,
  paragraph,
  paragraphOf,
  picture,
  quotation,
} from '../html.js';
import type { PageSpec } from '../page.js';

const day = 86_400;
const aliasOptions = readAliasOptions(furlSettings).options;

function keyOf(kind: string, name: string): string {
  return `${kind}-${cleanAlias(name, aliasOptions)}`;
}

export const shopKey = (shop: Shop): string => keyOf('store', shop.town);

export function storePages(): PageSpec {
  return {
    key: 'stores',
    title: 'Our shops',
    alias: 'stores',
    menuTitle: 'Shops',
    intro: 'Twelve shops in ten countries, every one of them with a workbench.',
    template: 'Section',
    createdOn: fixedTime('2024-01-20T09:00:00Z'),
    values: { heroImage: 'hero/shop-window.jpg', teaser: 'Find the nearest workbench.' },
    body: ({ uri }) =>
      join(
        paragraph(
          'We open a shop where there are hills to walk on and somebody who can sew.',
          'All of them lend, mend and take back.',
        ),
        heading('Where we are'),
        linkList(shops.map((shop) => `${link(uri(shopKey(shop)), shop.town)}, ${shop.country}`)),
        paragraphOf('Coordinates of all shops:', `${link(uri('stores-map'), 'stores as GeoJSON')}.`),
      ),
    children: [...shops.map((shop, index) => shopPage(shop, index)), mapPage()],
  };
}

function shopPage(shop: Shop, index: number): PageSpec {
  return {
    key: shopKey(shop),
    title: `Larkfell in ${shop.town}`,
    alias: cleanAlias(shop.town, aliasOptions),
    menuTitle: shop.town,
    intro: shop.trait,
    template: 'Store',
    createdOn: fixedTime('2024-01-21T09:00:00Z') + index * day,
    values: {
      storeEmail: `shop${index + 1}@larkfell.example`,
      mapUrl: `https://maps.example.org/?at=${shop.latitude},${shop.longitude}`,
      heroImage: `stores/${index + 1}.jpg`,
      ...(index % 3 === 0 ? { openingHours: 'Tue-Fri 10:00-19:00\nSat 09:00-17:00' } : {}),
      ...(index % 4 === 1
        ? { gallery: JSON.stringify([{ MIGX_id: '1', image: `stores/${index + 1}-inside.jpg`, caption: 'Inside' }]) }
        : {}),
    },
    body: ({ uri }) =>
      join(
        paragraph(shop.trait, `You find us in ${shop.street}, and have done so since ${shop.since}.`),
        heading('What we do here'),
        bullets([
          'Fit packs and boots, with sand and on a ramp',
          'Repair on the spot whatever takes less than half an hour',
          'Lend demonstration pieces from Friday to Monday',
          'Take back worn equipment for spare parts',
        ]),
        factTable([
          ['Address', `${shop.street}, ${shop.town}, ${shop.country}`],
          ['Open since', String(shop.since)],
          ['E-mail', `shop${index + 1}@larkfell.example`],
        ]),
        picture(`stores/${index + 1}.jpg`, `The shop in ${shop.town}`),
        paragraphOf(
          `Nearest trips: see ${link(uri('trips'), 'the calendar')}. Larger repairs go to ${link(uri('repairs'), 'the workshop')}.`,
        ),
      ),
  };
}

function mapPage(): PageSpec {
  const features = shops.map((shop) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [shop.longitude, shop.latitude] },
    properties: { town: shop.town, country: shop.country, street: shop.street },
  }));
  return {
    key: 'stores-map',
    title: 'Stores as GeoJSON',
    alias: 'all',
    template: 'Plain',
    contentType: geoJsonType,
    hidden: true,
    notSearchable: true,
    createdOn: fixedTime('2025-03-04T10:00:00Z'),
    body: JSON.stringify({ type: 'FeatureCollection', features }, null, 2),
  };
}

export function peoplePages(): PageSpec {
  return {
    key: 'people',
    title: 'People',
    intro: 'Ten of the eighty-four who work here.',
    template: 'Section',
    aliasHidden: true,
    createdOn: fixedTime('2024-02-01T09:00:00Z'),
    body: ({ uri }) =>
      join(
        paragraph('Eighty-four people work for Larkfell, and all of them sew for a week when they begin.'),
        linkList(
          colleagues.map(
            (person) => `${link(uri(keyOf('person', person.name)), person.name)}, ${person.role.toLowerCase()}`,
          ),
        ),
      ),
    children: colleagues.map((person, index) => personPage(person, index)),
  };
}

const mornings = [
  'The morning belongs to the post: on Mondays there are sixty parcels, and every one of them is opened by two people.',
  'The day begins at seven with the machines, because they are quieter while the street is still asleep.',
  'Until ten nobody may ask anything; after that everybody may ask everything.',
];

const afternoons = [
  'After lunch comes the test of whatever was finished the day before, outside, in whatever weather there is.',
  'In the afternoon the telephone rings, and most of the questions can be answered with a needle.',
  'From three o’clock on, patterns are drawn, thrown away and drawn again.',
  'The last hour goes into notes, so that somebody else can go on from there.',
];

function personPage(person: Colleague, index: number): PageSpec {
  const years = 3 + ((index * 7) % 22);
  return {
    key: keyOf('person', person.name),
    title: person.name,
    longTitle: `${person.name}: ${person.role}`,
    intro: person.role,
    template: 'Page',
    createdOn: fixedTime('2024-02-02T09:00:00Z') + index * day,
    ...(index === 9 ? { hidden: true as const } : {}),
    values: { heroImage: `people/${index + 1}.jpg`, searchFlags: index % 2 === 0 ? 'noindex||noarchive' : 'noarchive' },
    body: ({ uri }) =>
      join(
        quotation(person.words, person.name),
        paragraph(
          `${person.name} has been with us for ${years} years and answers for this part of the house: ${person.role.toLowerCase()}.`,
          choose(
            [
              'The first week was spent at the cutting table, the second at the repair desk.',
              'Before that came ten years in another trade, which helps more than anybody expected.',
              'There is a key to every door in the house, and nobody remembers why.',
            ],
            index,
          ),
        ),
        heading('A usual day'),
        paragraph(
          choose(mornings, index),
          choose(afternoons, index * 2 + 1),
          'On Fridays everybody eats together, and whoever broke something that week tells how.',
        ),
        heading('In three lines'),
        bullets([
          `Since ${2026 - years} at Larkfell`,
          choose(['Walks to work', 'Comes by train', 'Keeps bees'], index),
          choose(['Never without a needle', 'Never without a map', 'Never without coffee'], index + 1),
        ]),
        picture(`people/${index + 1}.jpg`, `${person.name} at work`),
        paragraphOf(`More about ${link(uri('about'), 'the house')} and ${link(uri('careers'), 'open positions')}.`),
      ),
  };
}

export function tripPages(): PageSpec {
  return {
    key: 'trips',
    title: 'Trips & courses',
    alias: 'trips',
    intro: 'Small groups, local guides, trains where there are any.',
    template: 'Section',
    createdOn: fixedTime('2025-01-10T09:00:00Z'),
    values: {
      heroImage: 'hero/two-tents.jpg',
      accentColour: 'sea',
      teaser: 'Eighteen trips between the Lake District and Iceland.',
    },
    body: ({ uri }) =>
      join(
        paragraph(
          'We guide trips for the same reason that we mend things: it shows us what works.',
          'No group is larger than eight.',
        ),
        heading('Calendar'),
        linkList(
          trips.map(
            (trip) => `${link(uri(keyOf('trip', trip.title)), trip.title)} – ${trip.area}, ${levels[trip.level]}`,
          ),
        ),
        paragraphOf(`What to bring: ${link(uri('guide-weekend-list'), 'the weekend list')}.`),
      ),
    children: trips.map((trip, index) => tripPage(trip, index)),
  };
}

/** Two trips of every six are planned ahead, one of them is over: the worker or the CMS acts on their dates. */
function schedule(index: number): Partial<PageSpec> {
  if (index % 6 === 4) return { unpublished: true, publishOn: fixedTime('2027-03-01T06:00:00Z') + index * day };
  if (index % 6 === 5) return { withdrawOn: fixedTime('2027-10-31T22:00:00Z') + index * day };
  return index === 8 ? { unpublished: true } : {};
}

function tripPage(trip: Trip, index: number): PageSpec {
  const month = String(3 + (index % 8)).padStart(2, '0');
  const start = `2027-${month}-${String(5 + index).padStart(2, '0')} 09:30:00`;
  return {
    key: keyOf('trip', trip.title),
    title: trip.title,
    longTitle: `${trip.title}: ${trip.days === 1 ? 'one day' : `${trip.days} days`} in ${trip.area}`,
    description: trip.highlight,
    intro: trip.highlight,
    template: 'Trip',
    createdOn: fixedTime('2025-01-12T09:00:00Z') + index * 9 * day,
    ...schedule(index),
    values: {
      startsOn: start,
      difficulty: trip.level,
      price: String(trip.euros),
      places: trip.area,
      teaser: trip.highlight,
      ...(index % 3 === 1 ? { meetingPoint: 'trailhead' } : {}),
      ...(index % 4 === 0
        ? { seasons: 'spring||autumn', mapUrl: `https://maps.example.org/?q=${encodeURIComponent(trip.area)}` }
        : {}),
      ...(index % 5 === 2
        ? {
            gallery: JSON.stringify(
              [1, 2, 3].map((n) => ({ MIGX_id: String(n), image: `trips/${index + 1}-${n}.jpg`, caption: `Day ${n}` })),
            ),
          }
        : {}),
      relatedPage: ({ id }) =>
        String(id(choose(['guide-loading-a-pack', 'guide-walking-on-a-bearing', 'guide-short-days'], index))),
    },
    body: ({ uri }) =>
      join(
        paragraph(
          trip.highlight,
          `${trip.days === 1 ? 'One day' : `${trip.days} days`} in ${trip.area}, ${levels[trip.level]}, for six to eight people.`,
        ),
        heading('How it goes'),
        bullets([
          `Meet at half past nine at the ${choose(['railway station', 'trailhead', 'workshop'], index)}.`,
          `Walk ${choose(['four to five', 'five to six', 'six to seven'], Number(trip.level) - 1)} hours a day with packs of ${choose(['eight', 'eleven', 'fourteen'], Number(trip.level) - 1)} kilograms.`,
          'Cook together; somebody always knows a better recipe.',
          'Return in time for the evening train.',
        ]),
        factTable([
          ['Area', trip.area],
          ['Price', `€ ${trip.euros}, equipment included`],
          ['Level', levels[trip.level]],
          ['Start', start.slice(0, 10)],
        ]),
        heading('Who guides'),
        paragraph(
          `${choose(colleagues, index * 3 + 1).name} knows the area and decides about the weather.`,
          'If a trip is called off, you choose between another date and the whole price back.',
        ),
        picture(`trips/${index + 1}.jpg`, `${trip.area}, early in the morning`),
        paragraphOf(
          `Prepare with ${link(uri('guide-reading-clouds'), 'Reading clouds')} or come to ${link(uri('stores'), 'a shop')} for fitting.`,
        ),
      ),
  };
}
