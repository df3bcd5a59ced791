/** What `/` shows: the interfaces that this process serves, whether each is on, and the addresses to begin with. */

export interface StartIndex {
  readonly name: string;
  readonly version: string;
  readonly interfaces: readonly {
    readonly name: 'gateway' | 'pages' | 'banners';
    readonly title: string;
    readonly summary: string;
    readonly enabled: boolean;
    readonly address: string;
    readonly links: Readonly<Record<string, string>>;
  }[];
}

/** Where an interface is, and whether it is on. */
export interface Place {
  readonly name: StartIndex['interfaces'][number]['name'];
  readonly address: string;
  readonly enabled: boolean;
}

const about = {
  gateway: {
    title: 'Content gateway',
    summary: 'Reads and changes content.',
    links: {
      discovery: '',
      docs: '/docs',
      health: '/health',
      endpoints: '/meta/endpoints',
      openapi: '/meta/openapi.json',
      resources: '/resources',
    },
  },
  pages: {
    title: 'Page delivery',
    summary: 'Delivers published pages; needs a token.',
    links: { routes: '', openapi: '/openapi.json', pages: '/pages' },
  },
  banners: {
    title: 'Banners',
    summary: 'Banners, positions and statistics; needs the key.',
    links: { discovery: '', openapi: '/openapi.json', banners: '/ads' },
  },
} as const;

export function startIndex(version: string, places: readonly Place[]): StartIndex {
  return {
    name: 'hcd',
    version,
    interfaces: places.map(({ name, address, enabled }) => {
      const { title, summary, links } = about[name];
      const whole = Object.entries(links).map(([label, rest]) => [label, `${address}${rest}`] as const);
      return { name, title, summary, enabled, address, links: Object.fromEntries(whole) };
    }),
  };
}
