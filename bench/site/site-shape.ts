/**
 * The generated site as arithmetic: which parent, context, template, URI and texts the resource with a given id has.
 * The same number gives the same row on every database and in every run; nothing is stored or random.
 */

export const childrenPerParent = 20;
export const templateCount = 7;
export const tvsPerTemplate = 3;
/** Resources without a parent; every fifth of them, with all below it, belongs to the second context. */
const rootCount = 20;
const secondContextEvery = 5;
/** The children of every 25th parent are unpublished: lists of the other parents keep their full length. */
const hiddenParentEvery = 25;

export const contexts = Object.freeze(['web', 'docs'] as const);
export type ContextKey = (typeof contexts)[number];

export interface ResourceRow {
  readonly id: number;
  readonly pagetitle: string;
  readonly longtitle: string;
  readonly description: string;
  readonly introtext: string;
  readonly alias: string;
  readonly published: number;
  readonly parent: number;
  readonly isfolder: number;
  readonly content: string;
  readonly template: number;
  readonly menuindex: number;
  readonly createdon: number;
  readonly editedon: number;
  readonly publishedon: number;
  readonly createdby: number;
  readonly context_key: ContextKey;
  readonly uri: string;
}

const words = (
  'river stone garden window paper morning silver harbour winter letter music forest bridge market lantern ' +
  'orchard summer pocket copper evening mountain thread anchor meadow kitchen signal station velvet ' +
  'compass island journal basket candle feather'
).split(' ');

/** Scatters numbers evenly over 32 bits; neighbours land far apart. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function word(seed: number): string {
  return words[scatter(seed) % words.length] ?? 'river';
}

/** Paragraphs of the contents, made once: a row takes a few of them and its own number. */
const paragraphs = Array.from({ length: 256 }, (_, at) => {
  const text = Array.from({ length: 58 }, (_unused, place) => word(at * 64 + place + 1)).join(' ');
  return `<p>${text[0]?.toUpperCase()}${text.slice(1)}.</p>`;
});

export function parentOf(id: number): number {
  return id <= rootCount ? 0 : Math.floor((id - rootCount - 1) / childrenPerParent) + 1;
}

/** The first of the ids that are children of `id`; the others follow it. */
export function firstChildOf(id: number): number {
  return rootCount + (id - 1) * childrenPerParent + 1;
}

function rootOf(id: number): number {
  let at = id;
  while (at > rootCount) at = parentOf(at);
  return at;
}

export function contextOf(id: number): ContextKey {
  return rootOf(id) % secondContextEvery === 0 ? 'docs' : 'web';
}

export function isPublished(id: number): boolean {
  const parent = parentOf(id);
  return parent === 0 || parent % hiddenParentEvery !== 7;
}

export function templateOf(id: number): number {
  return (scatter(id + 77) % templateCount) + 1;
}

export function aliasOf(id: number): string {
  return `${word(id)}-${word(id + 500_000)}-${id}`;
}

/** Aliases from the root down; a container ends in a slash, a leaf in `.html`. */
export function uriOf(id: number, count: number): string {
  const parts: string[] = [];
  for (let at = id; at > 0; at = parentOf(at)) parts.unshift(aliasOf(at));
  return parts.join('/') + (firstChildOf(id) <= count ? '/' : '.html');
}

/** Paragraphs of each content on an ordinary site: about 2 KB. Sites that measure growth have none, to be lean. */
export const usualParagraphs = 5;

/** The row of the resource `id` on a site of `count` resources, with so many paragraphs of content. */
export function resourceRow(id: number, count: number, length = usualParagraphs): ResourceRow {
  const created = 1_450_000_000 + (scatter(id + 13) % 250_000_000);
  const title = `${word(id)} ${word(id + 500_000)}`;
  const body = Array.from({ length }, (_, at) => paragraphs[scatter(id * 8 + at) % paragraphs.length]).join('\n');
  return {
    id,
    pagetitle: `${title[0]?.toUpperCase()}${title.slice(1)} ${id}`,
    longtitle: `All about ${title}, number ${id}`,
    description: `A page of the generated site on ${title}.`,
    introtext: `What the ${title} has to say, in short.`,
    alias: aliasOf(id),
    published: isPublished(id) ? 1 : 0,
    parent: parentOf(id),
    isfolder: firstChildOf(id) <= count ? 1 : 0,
    content: `<h2>${title} ${id}</h2>\n${body}`,
    template: templateOf(id),
    menuindex: id <= rootCount ? id - 1 : (id - rootCount - 1) % childrenPerParent,
    createdon: created,
    editedon: created + (scatter(id + 29) % 9_000_000),
    publishedon: isPublished(id) ? created + 3600 : 0,
    createdby: 1,
    context_key: contextOf(id),
    uri: uriOf(id, count),
  };
}

/** Ids of the tvs that a template links. */
export function tvsOfTemplate(template: number): readonly number[] {
  return Array.from({ length: tvsPerTemplate }, (_, at) => (template - 1) * tvsPerTemplate + at + 1);
}

/** A variable of every template with numbers; half of the resources have none. */
export const numberTv = templateCount * tvsPerTemplate + 1;

/** Three resources in ten have own values of two of their tvs; for the others the defaults apply. */
export function tvValuesOf(id: number): readonly { readonly tv: number; readonly value: string }[] {
  const number = scatter(id + 211) % 2 === 0 ? [{ tv: numberTv, value: String(scatter(id + 307) % 1000) }] : [];
  if (scatter(id + 101) % 10 >= 3) return number;
  const texts = tvsOfTemplate(templateOf(id)).slice(0, 2);
  return [...number, ...texts.map((tv) => ({ tv, value: `${word(id + tv)} ${tv} of ${id}` }))];
}

/** `how many` resources of the first context that satisfy `test`, spread evenly over the table. */
export function spreadIds(asked: {
  readonly count: number;
  readonly wanted: number;
  readonly highest: number;
  readonly test: (id: number) => boolean;
}): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < asked.wanted; at++) {
    const start = Math.max(1, Math.floor((asked.highest * (at + 0.5)) / asked.wanted));
    for (let id = start; id <= asked.highest; id++) {
      if (found.includes(id) || !isPublished(id) || contextOf(id) !== 'web' || !asked.test(id)) continue;
      found.push(id);
      break;
    }
  }
  return found;
}

/** Parents that have all their children, all of them published. */
export function fullParents(count: number, wanted: number): readonly number[] {
  const highest = Math.floor((count - rootCount) / childrenPerParent);
  return spreadIds({ count, wanted, highest, test: (id) => isPublished(firstChildOf(id)) });
}
