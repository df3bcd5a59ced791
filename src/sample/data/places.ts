/** Shops, people and trips of the sample site. */

export interface Shop {
  readonly town: string;
  readonly street: string;
  readonly country: string;
  readonly since: number;
  readonly trait: string;
  readonly latitude: number;
  readonly longitude: number;
}

function shop(town: string, street: string, rest: Omit<Shop, 'town' | 'street'>): Shop {
  return { town, street, ...rest };
}

export const shops: readonly Shop[] = [
  shop('Larkfell', 'Mill Lane 3', {
    country: 'United Kingdom',
    since: 1987,
    trait: 'Our first shop, below the workshop; you hear the machines.',
    latitude: 54.46,
    longitude: -3.09,
  }),
  shop('Dublin', 'Fishamble Street 11', {
    country: 'Ireland',
    since: 1999,
    trait: 'A narrow house with boots on all four floors.',
    latitude: 53.34,
    longitude: -6.27,
  }),
  shop('Zürich', 'Schmidgasse 8', {
    country: 'Switzerland',
    since: 2003,
    trait: 'The place for ropes; the drop tower stands in the yard.',
    latitude: 47.37,
    longitude: 8.54,
  }),
  shop('Tromsø', 'Storgata 95', {
    country: 'Norway',
    since: 2006,
    trait: 'Open until nine in the dark months.',
    latitude: 69.65,
    longitude: 18.96,
  }),
  shop('Åre', 'Årevägen 40', {
    country: 'Sweden',
    since: 2008,
    trait: 'Beside the station, with a waxing bench for everybody.',
    latitude: 63.4,
    longitude: 13.08,
  }),
  shop('Łódź', 'ulica Piotrkowska 112', {
    country: 'Poland',
    since: 2010,
    trait: 'Part of our second workshop, in an old weaving mill.',
    latitude: 51.76,
    longitude: 19.46,
  }),
  shop('Kraków', 'ulica Bracka 5', {
    country: 'Poland',
    since: 2012,
    trait: 'A vault full of tents; ask for the key to the courtyard.',
    latitude: 50.06,
    longitude: 19.94,
  }),
  shop('Málaga', 'Calle Nosquera 14', {
    country: 'Spain',
    since: 2014,
    trait: 'Everything for heat, dust and long ridges.',
    latitude: 36.72,
    longitude: -4.42,
  }),
  shop('Besançon', 'Rue des Granges 27', {
    country: 'France',
    since: 2015,
    trait: 'Shares its counter with a bookshop.',
    latitude: 47.24,
    longitude: 6.02,
  }),
  shop('Reykjavík', 'Laugavegur 61', {
    country: 'Iceland',
    since: 2017,
    trait: 'Close to the farm that our down comes from.',
    latitude: 64.14,
    longitude: -21.92,
  }),
  shop('Innsbruck', 'Höttinger Gasse 9', {
    country: 'Austria',
    since: 2019,
    trait: 'With a bench where boots are resoled while you wait.',
    latitude: 47.27,
    longitude: 11.39,
  }),
  shop('Ljubljana', 'Gornji trg 22', {
    country: 'Slovenia',
    since: 2022,
    trait: 'Our youngest shop, run by two former trip guides.',
    latitude: 46.05,
    longitude: 14.51,
  }),
];

export interface Colleague {
  readonly name: string;
  readonly role: string;
  readonly words: string;
}

export const colleagues: readonly Colleague[] = [
  { name: 'Rowan Hale', role: 'Head of the workshop', words: 'I would rather sew one seam twice than explain one.' },
  {
    name: 'Imke Brandt',
    role: 'Guides and courses',
    words: 'The best trip is the one that everybody wants to repeat.',
  },
  { name: 'Jonas Lind', role: 'Shop in Åre', words: 'Snow is a material like any other, only less patient.' },
  { name: 'Sara Okafor', role: 'Repair desk', words: 'Every hole tells what the drawing forgot.' },
  { name: 'Łucja Wójcik', role: 'Second workshop', words: 'Good thread costs little. Bad thread costs a Saturday.' },
  { name: 'Þóra Jónsdóttir', role: 'Down and wool', words: 'I know the birds better than the customers.' },
  { name: 'Émile Garnier', role: 'Shop in Besançon', words: 'People come for a map and leave with a novel.' },
  { name: 'Marta Núñez', role: 'Patterns and sizes', words: 'Nobody is average. That is the whole job.' },
  { name: 'Tomaž Zupan', role: 'Trips in the south', words: 'Turn round while you still want to go on.' },
  { name: 'Agnes Moore', role: 'Accounts', words: 'We spend slowly, and that is why we are still here.' },
];

export interface Trip {
  readonly title: string;
  readonly area: string;
  readonly days: number;
  readonly level: '1' | '2' | '3';
  readonly euros: number;
  readonly highlight: string;
}

function trip(title: string, area: string, rest: Omit<Trip, 'title' | 'area'>): Trip {
  return { title, area, ...rest };
}

export const trips: readonly Trip[] = [
  trip('First night outside', 'Lake District', {
    days: 2,
    level: '1',
    euros: 140,
    highlight: 'Pitch, cook and sleep an hour from the bus.',
  }),
  trip('Ridges above Larkfell', 'Lake District', {
    days: 3,
    level: '2',
    euros: 210,
    highlight: 'Four summits, one bothy and a swim.',
  }),
  trip('Map and compass weekend', 'Wicklow Mountains', {
    days: 2,
    level: '1',
    euros: 150,
    highlight: 'Bog, forest and fog, all on purpose.',
  }),
  trip('Coast of a hundred stiles', 'Pembrokeshire', {
    days: 4,
    level: '1',
    euros: 280,
    highlight: 'Cliff paths, seals and a bus back.',
  }),
  trip('Winter skills', 'Cairngorms', {
    days: 5,
    level: '3',
    euros: 540,
    highlight: 'Axe, crampons and a night in a snow hole.',
  }),
  trip('Huts of the Tatra', 'High Tatra', {
    days: 6,
    level: '2',
    euros: 620,
    highlight: 'From hut to hut, with soup at every one of them.',
  }),
  trip('Light of Lofoten', 'Lofoten', {
    days: 7,
    level: '2',
    euros: 890,
    highlight: 'Sea on both sides and no night at all.',
  }),
  trip('Snowshoes in Jämtland', 'Åre fells', {
    days: 5,
    level: '2',
    euros: 680,
    highlight: 'Birch forest, wind shelters and a sauna.',
  }),
  trip('Cols of the Jura', 'Jura', {
    days: 4,
    level: '1',
    euros: 360,
    highlight: 'Easy passes, cheese dairies and wide views.',
  }),
  trip('Sierra in spring', 'Sierra Nevada', {
    days: 6,
    level: '2',
    euros: 590,
    highlight: 'Firn at dawn and orange trees by noon.',
  }),
  trip('Highlands of Iceland', 'Fjallabak', {
    days: 8,
    level: '3',
    euros: 1240,
    highlight: 'Black sand, hot springs and cold rivers.',
  }),
  trip('Ropes for beginners', 'Zürich', {
    days: 2,
    level: '1',
    euros: 190,
    highlight: 'Knots, belays and falls that are meant to happen.',
  }),
  trip('Glacier course', 'Stubai Alps', {
    days: 5,
    level: '3',
    euros: 720,
    highlight: 'Crevasse rescue until it is routine.',
  }),
  trip('Karst and caves', 'Notranjska', {
    days: 4,
    level: '2',
    euros: 430,
    highlight: 'A lake that disappears while you look.',
  }),
  trip('Family camp', 'Lake District', {
    days: 5,
    level: '1',
    euros: 320,
    highlight: 'A meadow, a stream and no programme before ten.',
  }),
  trip('Mending walk', 'Peak District', {
    days: 1,
    level: '1',
    euros: 45,
    highlight: 'Walk in the morning, sew in the afternoon.',
  }),
  trip('Night navigation', 'Wicklow Mountains', {
    days: 1,
    level: '2',
    euros: 60,
    highlight: 'From dusk to midnight with a red lamp.',
  }),
  trip('Photographers’ dawn', 'Isle of Skye', {
    days: 3,
    level: '2',
    euros: 390,
    highlight: 'Up at four, back for breakfast.',
  }),
];

/** What the words of the level mean. */
export const levels: Readonly<Record<Trip['level'], string>> = { '1': 'easy', '2': 'moderate', '3': 'demanding' };
