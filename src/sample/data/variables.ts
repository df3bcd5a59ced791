/** The template variables of the sample site: one of every common input type, linked to the templates that use them. */
import type { CategoryName, TemplateName } from './templates.js';

export interface SampleVariable {
  readonly id: number;
  readonly type: string;
  readonly caption: string;
  readonly category: CategoryName;
  readonly templates: readonly TemplateName[];
  readonly defaultText: string;
  /** Input options, or the binding that gives them. */
  readonly elements: string;
  readonly display: string;
  /** Media source whose paths the values are. */
  readonly source: 'pictures' | 'documents' | null;
}

type Details = Partial<Pick<SampleVariable, 'defaultText' | 'elements' | 'display' | 'source'>>;

const everyPage: readonly TemplateName[] = [
  'Home',
  'Page',
  'Section',
  'Range',
  'Product',
  'Guide',
  'Store',
  'Trip',
  'Article',
  'Members',
];

function variable(
  id: number,
  type: string,
  rest: Pick<SampleVariable, 'caption' | 'category' | 'templates'> & Details,
): SampleVariable {
  return { id, type, defaultText: '', elements: '', display: 'default', source: null, ...rest };
}

export const variables = {
  heroImage: variable(1, 'image', {
    caption: 'Picture at the top',
    category: 'Layout',
    templates: everyPage,
    defaultText: '@INHERIT hero/larkfell-ridge.jpg',
    source: 'pictures',
  }),
  heroCaption: variable(2, 'text', { caption: 'Caption of the picture', category: 'Layout', templates: everyPage }),
  accentColour: variable(3, 'text', {
    caption: 'Accent colour',
    category: 'Layout',
    templates: everyPage,
    defaultText: '@INHERIT slate',
  }),
  layoutVariant: variable(4, 'hidden', {
    caption: 'Layout variant',
    category: 'Layout',
    templates: ['Home', 'Section', 'Range'],
    defaultText: 'cards-3',
  }),
  teaser: variable(5, 'textarea', {
    caption: 'Teaser for lists',
    category: 'Content',
    templates: ['Page', 'Section', 'Range', 'Guide', 'Trip', 'Article'],
  }),
  sidebar: variable(6, 'richtext', {
    caption: 'Sidebar',
    category: 'Content',
    templates: ['Home', 'Page', 'Section'],
    defaultText: '<p>Questions? Our shops answer the telephone.</p>',
    display: 'richtext',
  }),
  footerNote: variable(7, 'textarea', {
    caption: 'Note above the footer',
    category: 'Layout',
    templates: ['Page', 'Guide'],
    defaultText: '@CHUNK footer-note',
  }),
  seoTitle: variable(8, 'text', { caption: 'Title for search engines', category: 'Technical', templates: everyPage }),
  searchFlags: variable(9, 'checkbox', {
    caption: 'Search engines',
    category: 'Technical',
    templates: everyPage,
    elements: 'Do not index==noindex||Do not follow==nofollow||No archive==noarchive',
  }),
  relatedPage: variable(10, 'resourcelist', {
    caption: 'Read on',
    category: 'Content',
    templates: ['Page', 'Guide', 'Trip', 'Article', 'Product'],
  }),
  tags: variable(11, 'tag', { caption: 'Tags', category: 'Journal', templates: ['Article', 'Guide'] }),
  places: variable(12, 'autotag', {
    caption: 'Places',
    category: 'Journal',
    templates: ['Article', 'Trip'],
    display: 'delim',
  }),
  author: variable(13, 'listbox', {
    caption: 'Author',
    category: 'Journal',
    templates: ['Article', 'Guide'],
    elements: '@SELECT fullname, internalKey FROM [[+PREFIX]]user_attributes ORDER BY fullname',
  }),
  readingTime: variable(14, 'number', {
    caption: 'Reading time in minutes',
    category: 'Journal',
    templates: ['Article', 'Guide'],
    defaultText: '4',
  }),
  sourceUrl: variable(15, 'url', {
    caption: 'Further reading',
    category: 'Journal',
    templates: ['Article', 'Guide', 'Page'],
    display: 'url',
  }),
  articleNumber: variable(16, 'text', { caption: 'Article number', category: 'Catalogue', templates: ['Product'] }),
  price: variable(17, 'number', { caption: 'Price in euro', category: 'Catalogue', templates: ['Product', 'Trip'] }),
  weight: variable(18, 'number', { caption: 'Weight in grams', category: 'Catalogue', templates: ['Product'] }),
  seasons: variable(19, 'listbox-multiple', {
    caption: 'Seasons',
    category: 'Catalogue',
    templates: ['Product', 'Trip'],
    elements: 'Spring==spring||Summer==summer||Autumn==autumn||Winter==winter',
    defaultText: 'spring||summer||autumn',
  }),
  availability: variable(20, 'option', {
    caption: 'Availability',
    category: 'Catalogue',
    templates: ['Product'],
    elements: 'In stock==stock||Made to order==order||Discontinued==gone',
    defaultText: 'stock',
  }),
  dataSheet: variable(21, 'file', {
    caption: 'Data sheet',
    category: 'Catalogue',
    templates: ['Product', 'Range'],
    source: 'documents',
  }),
  specification: variable(22, 'migx', { caption: 'Specification', category: 'Catalogue', templates: ['Product'] }),
  gallery: variable(23, 'migx', {
    caption: 'Gallery',
    category: 'Content',
    templates: ['Product', 'Trip', 'Article', 'Store'],
  }),
  storeEmail: variable(24, 'email', { caption: 'E-mail of the shop', category: 'Places', templates: ['Store'] }),
  openingHours: variable(25, 'textarea', {
    caption: 'Opening hours',
    category: 'Places',
    templates: ['Store'],
    defaultText: 'Mon-Fri 10:00-18:30\nSat 10:00-16:00',
  }),
  mapUrl: variable(26, 'url', { caption: 'Map', category: 'Places', templates: ['Store', 'Trip'] }),
  startsOn: variable(27, 'date', { caption: 'Start', category: 'Places', templates: ['Trip'], display: 'date' }),
  difficulty: variable(28, 'option', {
    caption: 'Difficulty',
    category: 'Places',
    templates: ['Trip', 'Guide'],
    elements: 'Easy==1||Moderate==2||Demanding==3',
    defaultText: '1',
  }),
  meetingPoint: variable(29, 'listbox', {
    caption: 'Meeting point',
    category: 'Places',
    templates: ['Trip'],
    elements: 'Workshop==workshop||Railway station==station||Trailhead==trailhead',
    defaultText: 'station',
  }),
  memberNote: variable(30, 'richtext', { caption: 'Note for members', category: 'Members', templates: ['Members'] }),
} as const satisfies Record<string, SampleVariable>;

export type VariableName = keyof typeof variables;
