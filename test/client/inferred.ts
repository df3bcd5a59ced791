/**
 * What the compiler works out for the sample site. Nothing here runs: a wrong type is an error of `tsc`, and so is a
 * mistake that it lets pass.
 */
import { type Client, createClient, type List } from '../../client/src/client.js';
import type { ArticleResource, Site, TripResource } from './golden/site.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Rows<L> = L extends Promise<List<infer T>> ? T : never;

/** The types are the same, not only assignable: takes `true` for these alone. */
function same<A, B>(_is: Equal<A, B>): void {}

const hcd: Client<Site> = createClient<Site>({ url: 'http://127.0.0.1:8080', key: 'gk_' });

interface Shown {
  id: number;
  pagetitle: string;
  alias: string;
  uri: string | null;
  parent: number;
}

type Season = 'spring' | 'summer' | 'autumn' | 'winter';

/** Fields, filters and includes decide what a record is. */
export async function asked(): Promise<void> {
  const named = hcd.list('resources', { fields: ['id', 'uri'] });
  same<Rows<typeof named>, { id: number; uri: string | null }>(true);

  const linked = hcd.list('resources', { fields: ['id'], links: 'resolve' });
  same<Rows<typeof linked>, { id: number; link?: string | null }>(true);

  const { data: whole, meta } = await hcd.get('resources', 28);
  same<typeof whole.pagetitle, string>(true);
  same<typeof meta.ignored, readonly string[] | undefined>(true);
  same<typeof whole.createdby, number | undefined>(true);
  // @ts-expect-error: template variables come when they are asked for.
  whole.tvs;

  const articles = hcd.list('resources', { fields: ['id'], include: ['tvs'], filter: { template: 9 } });
  same<Rows<typeof articles>, { id: number; tvs: ArticleResource['tvs'] }>(true);

  const two = hcd.list('resources', { fields: ['template'], include: ['tvs'], filter: { template: { in: [8, 9] } } });
  same<Rows<typeof two>, { template: 8; tvs: TripResource['tvs'] } | { template: 9; tvs: ArticleResource['tvs'] }>(
    true,
  );

  const prices = hcd.list('resources', { fields: ['id'], tv_fields: ['price', 'seasons'], filter: { template: 5 } });
  same<Rows<typeof prices>, { id: number; tvs: { price: number | null; seasons: Season[] | null } }>(true);

  hcd.list('resources', {
    filter: { 'tv.price': { gte: 100 }, 'tv.seasons': { in: ['summer'] }, 'tv.relatedPage': null },
    sort: ['-tv.price', 'id'],
  });
  // @ts-expect-error: the prices are numbers.
  hcd.list('resources', { filter: { 'tv.price': '100' } });
  // @ts-expect-error: no template has the variable.
  hcd.list('resources', { filter: { 'tv.weather': 1 } });
  // @ts-expect-error: no template has the variable.
  hcd.list('resources', { sort: 'tv.weather' });
  // @ts-expect-error: other objects have no template variables.
  hcd.list('chunks', { sort: 'tv.price' });

  const record = hcd.list('resources', { fields: ['id'], include: ['tvs.relatedPage'], filter: { template: 5 } });
  same<Rows<typeof record>, { id: number; tvs: { relatedPage: number | Shown | null } }>(true);

  const parents = hcd.list('resources', { fields: ['id', 'parent'], include: ['parent'] });
  same<Rows<typeof parents>, { id: number; parent: number | Shown }>(true);

  const unnamed = hcd.list('resources', { fields: ['id'], include: ['parent'] });
  same<Rows<typeof unnamed>, { id: number; parent?: Shown }>(true);

  const nested = hcd.list('resources', {
    fields: ['id'],
    include: ['children', 'children.parent'],
    fieldsOf: { children: ['id', 'uri'], 'children.parent': ['pagetitle'] },
  });
  same<
    Rows<typeof nested>,
    { id: number; children: { id: number; uri: string | null; parent?: { pagetitle: string } }[] }
  >(true);

  const chunk = hcd.list('chunks', { fields: ['name', 'category'], include: ['category'] });
  same<
    Rows<typeof chunk>,
    { name: string; category: number | { id: number; parent: number; category: string; rank: number } }
  >(true);

  for await (const row of hcd.all('resources', { fields: ['id'], tv_fields: ['price'], filter: { template: 5 } })) {
    same<typeof row, { id: number; tvs: { price: number | null } }>(true);
  }

  const [node] = (await hcd.tree({ fields: ['id'] })).data;
  same<NonNullable<typeof node>['id'], number>(true);
  same<NonNullable<typeof node>['children'][number]['id'], number>(true);
  const [usual] = (await hcd.tree()).data;

  for await (const change of hcd.changes({}, { after: '7' })) {
    if ('reset' in change) same<typeof change, { readonly id: string; readonly reset: true }>(true);
    else same<typeof change.tags, readonly string[]>(true);
    break;
  }
  same<NonNullable<typeof usual>['menutitle'], string>(true);

  const many = await hcd.pages(['about/'], { fields: ['id'] });
  same<(typeof many)['data'], { id: number }[]>(true);
  same<(typeof many)['meta']['missing'], readonly string[] | undefined>(true);

  const { document } = await hcd.document(251, { section_types: ['hero', 'faq'] });
  for (const section of document.sections) {
    if (section.type === 'hero') same<typeof section.data.title, string>(true);
    if (section.type === 'faq')
      same<typeof section.data.items, { question: string; answer: string; _rowId?: string }[]>(true);
  }

  const made = await hcd.create('resources', { pagetitle: 'New', template: 9, tvs: { author: 'A' } });
  same<typeof made.id, number>(true);
  await hcd.create('resources', { pagetitle: 'New', tvs: { author: null, price: 3, gallery: [{ image: 'a.jpg' }] } });
  await hcd.update('resources', made.id, { menuindex: 3 }, { ifMatch: '"x"' });
  await hcd.update('resources', made.id, { tvs: { seasons: ['spring'], relatedPage: 7 } });
  await hcd.remove('resources', made.id);
}

/** Mistakes that a server would refuse. */
export function refused(): void {
  // @ts-expect-error
  hcd.list('resource');
  // @ts-expect-error
  hcd.list('resources', { fields: ['id', 'title'] });
  // @ts-expect-error
  hcd.list('resources', { feilds: ['id'] });
  // @ts-expect-error
  hcd.list('resources', { filter: { colour: 'red' } });
  // @ts-expect-error
  hcd.list('resources', { filter: { id: { in: '5,6' } } });
  // @ts-expect-error
  hcd.list('resources', { filter: { id: 'five' } });
  // @ts-expect-error
  hcd.list('resources', { filter: { id: { above: 5 } } });
  // @ts-expect-error
  hcd.list('resources', { filter: { template: 99 } });
  // @ts-expect-error
  hcd.list('resources', { sort: 'introtext' });
  // @ts-expect-error
  hcd.list('resources', { include: ['siblings'] });
  // @ts-expect-error
  hcd.list('resources', { include: ['parent.siblings'] });
  // @ts-expect-error
  hcd.list('resources', { include: ['tvs.price'] });
  // @ts-expect-error
  hcd.list('resources', { include: ['children'], fieldsOf: { children: ['content'] } });
  // @ts-expect-error
  hcd.list('resources', { tv_fields: ['prize'] });
  // @ts-expect-error
  hcd.list('resources', { context: 'shop' });
  // @ts-expect-error
  hcd.get('resources', 'about');
  // @ts-expect-error
  hcd.get('contexts', 1);
  // @ts-expect-error: the title is required.
  hcd.create('resources', { template: 9 });
  // @ts-expect-error: nothing creates chunks.
  hcd.create('chunks', { name: 'x' });
  // @ts-expect-error: the id cannot be changed.
  hcd.update('resources', 1, { id: 2 });
  // @ts-expect-error
  hcd.document(251, { section_types: ['carousel'] });
}

/** Without types of a site everything can be asked, and nothing is known. */
export async function untyped(): Promise<void> {
  const any = createClient({ url: 'http://127.0.0.1:8080' });
  const { data } = await any.list('books', { fields: ['title'], filter: { pages: { gt: 100 } }, sort: '-pages' });
  same<(typeof data)[number]['title'], unknown>(true);
}
