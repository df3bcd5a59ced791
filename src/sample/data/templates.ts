/** The templates of the sample site and the category tree that all elements are sorted into. */

/** Categories by name: place in the tree and order among siblings. */
export const categories = {
  Larkfell: { id: 1, parent: 0, rank: 0 },
  Layout: { id: 2, parent: 1, rank: 0 },
  Content: { id: 3, parent: 1, rank: 1 },
  Catalogue: { id: 4, parent: 3, rank: 0 },
  Journal: { id: 5, parent: 3, rank: 1 },
  Places: { id: 6, parent: 3, rank: 2 },
  Members: { id: 7, parent: 1, rank: 2 },
  Technical: { id: 8, parent: 0, rank: 1 },
} as const;

export type CategoryName = keyof typeof categories;

interface Template {
  readonly id: number;
  readonly category: CategoryName;
  readonly description: string;
  readonly icon: string;
  readonly main: string;
}

export const templates = {
  Home: template(1, 'Layout', {
    description: 'Front page of a context',
    icon: 'icon-home',
    main: '[[$hero]]\n[[*content]]\n[[!latestPages? &limit=`4`]]',
  }),
  Page: template(2, 'Layout', {
    description: 'Ordinary page',
    icon: 'icon-file-o',
    main: '[[*content]]\n[[$contact-box]]',
  }),
  Section: template(3, 'Layout', {
    description: 'Start of a section with its children',
    icon: 'icon-folder-open-o',
    main: '[[*content]]\n[[childCards? &parent=`[[*id]]`]]',
  }),
  Range: template(4, 'Catalogue', {
    description: 'Product group or line',
    icon: 'icon-th-large',
    main: '[[*content]]\n[[productTable? &parent=`[[*id]]`]]',
  }),
  Product: template(5, 'Catalogue', {
    description: 'One article of the catalogue',
    icon: 'icon-tag',
    main: '[[$product-head]]\n[[*content]]\n[[$spec-table]]',
  }),
  Guide: template(6, 'Content', {
    description: 'How-to text',
    icon: 'icon-book',
    main: '[[$guide-meta]]\n[[*content]]\n[[relatedPages]]',
  }),
  Store: template(7, 'Places', {
    description: 'One of our shops',
    icon: 'icon-map-marker',
    main: '[[$store-card]]\n[[*content]]',
  }),
  Trip: template(8, 'Places', {
    description: 'Guided trip with a date',
    icon: 'icon-calendar',
    main: '[[$trip-facts]]\n[[*content]]\n[[$booking-note]]',
  }),
  Article: template(9, 'Journal', {
    description: 'Article of the journal',
    icon: 'icon-pencil',
    main: '[[$byline]]\n[[*content]]\n[[tagCloud? &tags=`[[*tags]]`]]',
  }),
  Members: template(10, 'Members', {
    description: 'Page of the members area',
    icon: 'icon-lock',
    main: '[[$members-bar]]\n[[*content]]',
  }),
  Plain: {
    id: 11,
    category: 'Technical',
    description: 'Content and nothing else, for feeds and data',
    icon: 'icon-code',
    main: '',
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

function template(id: number, category: CategoryName, parts: Omit<Template, 'id' | 'category'>): Template {
  return { id, category, ...parts };
}

/** The whole page of a template. */
export function templateContent(name: TemplateName): string {
  const { main } = templates[name];
  if (main === '') return '[[*content]]';
  return `<!doctype html>
<html lang="[[++cultureKey]]">
<head>
[[$head]]
</head>
<body class="${name.toLowerCase()}">
[[$site-header]]
<main>
<h1>[[*longtitle:default=\`[[*pagetitle]]\`]]</h1>
${main}
</main>
[[$site-footer]]
</body>
</html>
`;
}
