/**
 * What is measured: each scenario is a question that a frontend asks, in several variants spread over the table, so
 * that no single row or page of an index decides the figure.
 */
import { tvName } from './site/bulk.js';
import {
  childrenPerParent,
  fullParents,
  isPublished,
  spreadIds,
  templateCount,
  tvsOfTemplate,
  uriOf,
} from './site/site-shape.js';

export interface Scenario {
  readonly name: string;
  /** As the result table calls it. */
  readonly title: string;
  /** Paths below the gateway's base on a site of `count` resources. */
  paths(count: number): readonly string[];
  /** The paths only start the walk: the scenario asks for pages by the cursors found from there on. */
  readonly byCursor?: true;
}

const variants = 16;
const encode = encodeURIComponent;

function list(query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '/resources' : `/resources?${pairs.join('&')}`;
}

const perParent =
  (more: Readonly<Record<string, string>>) =>
  (count: number): string[] =>
    childrenOf(fullParents(count, variants), more);

function childrenOf(parents: readonly number[], more: Readonly<Record<string, string>>): string[] {
  return parents.map((parent) => list({ 'filter[parent]': parent, sort: 'menuindex', ...more }));
}

/** Parents whose children have twenty children each. */
function fullGrandparents(count: number): readonly number[] {
  return fullParents(Math.floor(count / childrenPerParent) - 1, variants);
}

function triples(ids: readonly number[]): string[] {
  return ids.map((id, at) => [id, ids[(at + 5) % ids.length], ids[(at + 9) % ids.length]].join(','));
}

const pages = (count: number) => spreadIds({ count, wanted: variants, highest: count, test: isPublished });

const firstTv = (template: number) => tvsOfTemplate(template)[0] ?? 0;

const templates = Array.from({ length: templateCount }, (_, at) => at + 1);

export const scenarios: readonly Scenario[] = Object.freeze([
  { name: 'children', title: 'children of a parent, menu order', paths: perParent({}) },
  {
    name: 'template',
    title: 'filter by template',
    paths: () => templates.map((template) => list({ 'filter[template]': template })),
  },
  { name: 'context', title: 'another context', paths: () => [list({ context: 'docs' })] },
  { name: 'default', title: 'default list, by id', paths: () => [list({})] },
  {
    name: 'in-parents',
    title: 'filter parent in three values',
    paths: (count) => triples(fullParents(count, variants)).map((ids) => list({ 'filter[parent][in]': ids })),
  },
  {
    name: 'in-templates',
    title: 'filter template in three values',
    paths: () => ['1,3,5', '2,4,7'].map((ids) => list({ 'filter[template][in]': ids })),
  },
  { name: 'offset', title: 'deep page by offset 100,000', paths: () => [list({ offset: 100_000 })] },
  { name: 'newest', title: 'newest first (sort=-createdon)', paths: () => [list({ sort: '-createdon' })] },
  {
    name: 'cursor-id',
    title: 'deep page by cursor, by id',
    paths: (count) => [list({ offset: Math.floor(count * 0.6) })],
    byCursor: true,
  },
  {
    name: 'cursor-createdon',
    title: 'deep page by cursor, by createdon',
    paths: (count) => [list({ sort: 'createdon', offset: Math.floor(count * 0.6) })],
    byCursor: true,
  },
  { name: 'read', title: 'single read', paths: (count) => pages(count).map((id) => `/resources/${id}`) },
  {
    name: 'page',
    title: 'page by URI',
    paths: (count) => pages(count).map((id) => `/pages/${uriOf(id, count)}`),
  },
  {
    name: 'include',
    title: 'children of a parent with parent, children',
    paths: (count) => childrenOf(fullGrandparents(count), { include: 'parent,children' }),
  },
  {
    name: 'tv-value',
    title: 'filter by the text of a template variable',
    paths: () => templates.map((id) => list({ [`filter[tv.${tvName(firstTv(id))}]`]: `default ${firstTv(id)}` })),
  },
  {
    name: 'tv-range',
    title: 'filter by a range of numbers of a template variable, by id',
    paths: () => ['0', '200', '500', '700'].map((least) => list({ 'filter[tv.price][gte]': least })),
  },
  {
    name: 'tv-order',
    title: 'order of a template variable',
    paths: () => ['tv.price', '-tv.price'].map((sort) => list({ sort })),
  },
  {
    name: 'tv-range-order',
    title: 'range and order of a template variable, in a template',
    paths: () =>
      templates.map((id) => list({ 'filter[tv.price][lt]': 500, 'filter[template]': id, sort: '-tv.price' })),
  },
  { name: 'tvs', title: 'children of a parent with tvs', paths: perParent({ include: 'tvs' }) },
  {
    name: 'tree',
    title: 'tree below a parent',
    paths: (count) => fullGrandparents(count).map((id) => `/tree?root=${id}&depth=1`),
  },
  {
    name: 'tree-deep',
    title: 'tree of two levels below a parent',
    paths: (count) => fullGrandparents(count).map((id) => `/tree?root=${id}&depth=2`),
  },
  {
    name: 'words',
    title: 'search (words)',
    paths: (count) =>
      pages(count)
        .slice(0, 4)
        .map((id) => list({ search: `${id} number` })),
  },
  {
    name: 'common-first',
    title: 'search (a word of every resource, and another)',
    paths: (count) =>
      pages(count)
        .slice(0, 4)
        .map((id) => list({ search: `number ${id}` })),
  },
  {
    name: 'beginning',
    title: 'search (the beginning of a word of every resource)',
    paths: () => ['n', 'num', 'numbe'].map((search) => list({ search })),
  },
  {
    name: 'two-words',
    title: 'search (two words of one title in 260)',
    paths: () => ['river stone', 'garden winter', 'silver bridge'].map((search) => list({ search })),
  },
  {
    name: 'in-parent',
    title: 'search (a word of every resource, in a parent)',
    paths: (count) => fullParents(count, variants).map((id) => list({ search: 'number', 'filter[parent]': id })),
  },
  {
    name: 'in-order',
    title: 'search (a word of every resource, newest first)',
    paths: () => [list({ search: 'number', sort: '-createdon' })],
  },
  {
    name: 'tv-narrow',
    title: 'range of numbers of a template variable with two ends, by id',
    paths: () =>
      ['0', '300', '600'].map((least) =>
        list({ 'filter[tv.price][gte]': least, 'filter[tv.price][lt]': Number(least) + 5 }),
      ),
  },
  { name: 'common', title: 'search (a word of every resource)', paths: () => [list({ search: 'number' })] },
  { name: 'common-title', title: 'search (a word of one title in 16)', paths: () => [list({ search: 'river' })] },
] satisfies readonly Scenario[]);

/** The scenarios of these names, all when none is named; throws an Error for an unknown name. */
export function chooseScenarios(names: readonly string[]): readonly Scenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    throw new Error(`${unknown} is none of ${scenarios.map((scenario) => scenario.name).join(', ')}`);
  }
  return names.length === 0 ? scenarios : scenarios.filter((scenario) => names.includes(scenario.name));
}
