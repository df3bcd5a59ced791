/** Chooses the banners that a slot of a page shows now (docs/banners-tracking.md#slots). */

import { siteContent } from '../../content/models/resources.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { isIdText } from '../../values/unsigned.js';
import { type ImageAddress, readLinked } from '../management/read-banners.js';
import type { Position } from '../rules/banner.js';
import type { Banner } from '../rules/banner-fields.js';
import { reasonText } from '../rules/banner-state.js';
import { type Rotation, rotate } from '../rules/rotation.js';
import { type Counts, type Place, whyHidden } from '../rules/targeting.js';
import type { Placement, PlacementView } from './placement-memory.js';

export interface SlotQuestion extends Pick<Place, 'moment' | 'resource' | 'product' | 'tags' | 'tagsMode'> {
  readonly position: string;
  readonly context: string;
  /** Adds to the sections of the resource. */
  readonly parent: number | null;
  readonly limit: number;
  readonly rotation: Rotation;
  readonly sticky: (position: number) => number | null;
}

interface PlaceDeps {
  readonly ancestors: (resource: number) => Promise<ReadonlySet<number>>;
}

interface SlotDeps extends PlaceDeps {
  readonly view: () => PlacementView;
  readonly counts: (ad: number) => Counts;
  readonly random: () => number;
}

export interface Slot {
  readonly shown: readonly Placement[];
  readonly remember: { readonly position: number; readonly link: number } | null;
}

/** Throws not_found for an unknown position. A position of another context shows nothing. */
export async function readSlot(deps: SlotDeps, question: SlotQuestion): Promise<Slot> {
  const view = deps.view();
  const named = findPositions(view, question.position);
  if (named.length === 0) throw new AppError('not_found');
  const positions = named.filter(({ context_key }) => context_key === '' || context_key === question.context);
  const there = positions.flatMap(({ id }) => view.atPosition.get(id) ?? []);
  const place = await placeOf(deps, question, there);
  const [first] = positions;
  const { shown, chosen } = rotate({
    rotation: question.rotation,
    candidates: there.filter(({ banner }) => whyHidden(banner, place, () => deps.counts(banner.id)) === null),
    limit: question.limit,
    random: deps.random,
    sticky: first === undefined ? null : question.sticky(first.id),
  });
  return { shown, remember: first === undefined || chosen === null ? null : { position: first.id, link: chosen } };
}

/** The position with the id; else all with the name, the oldest first. `01` is not an id, so it can only be a name. */
function findPositions({ positions }: PlacementView, text: string): Position[] {
  const byId = isIdText(text) ? positions.get(Number(text)) : undefined;
  if (byId !== undefined) return [byId];
  return [...positions.values()].filter(({ name }) => name === text).sort((one, other) => one.id - other.id);
}

type PlaceQuestion = Pick<SlotQuestion, 'moment' | 'resource' | 'product' | 'tags' | 'tagsMode' | 'parent'>;

async function placeOf(
  deps: PlaceDeps,
  question: PlaceQuestion,
  there: readonly Pick<Placement, 'banner'>[],
): Promise<Place> {
  const { moment, resource, product, tags, tagsMode, parent } = question;
  const sections = new Set<number>();
  if (there.some(({ banner }) => banner.target_parent_id > 0)) {
    if (parent !== null) sections.add(parent);
    for (const start of [resource, parent]) {
      if (start !== null) for (const id of await deps.ancestors(start)) sections.add(id);
    }
  }
  const isAimed = product !== null && there.some(({ banner }) => banner.category_id > 0);
  const categories = isAimed ? await deps.ancestors(product) : new Set<number>();
  return { moment, resource, product, tags, tagsMode, sections, categories };
}

const mostRemembered = 10_000;
/** Deeper trees are damaged. */
const deepest = 100;

/** `parents` are those that are known; more are added. */
export async function ancestorsOf(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  resource: number,
  parents = new Map<number, number>(),
): Promise<ReadonlySet<number>> {
  const above = new Set<number>();
  for (let at = resource; above.size < deepest; above.add(at)) {
    let parent = parents.get(at);
    if (parent === undefined) {
      const [row] = await siteContent.on(content.primary, prefix).lookUpAll({ id: at }, { attributes: ['parent'] });
      parent = row?.parent ?? 0;
      if (parents.size >= mostRemembered) parents.clear();
      parents.set(at, parent);
    }
    // In damaged data, parents may form a circle.
    if (parent <= 0 || above.has(parent)) break;
    at = parent;
  }
  return above;
}

interface ExplainQuestion extends PlaceQuestion {
  readonly position: Position;
  readonly context: string;
  readonly images: ImageAddress;
  readonly limit: number;
  readonly offset: number;
}

/** In the order of the position. `reason` is null for a banner that is shown. */
export async function explainPosition(store: Store, question: ExplainQuestion) {
  const { position, context } = question;
  const { rows, total } = await readLinked(store.own.primary, { ...question, position: position.id });
  const place = await placeOf({ ancestors: (resource) => ancestorsOf(store, resource) }, question, rows);
  const titles = await readTitles(
    store,
    rows.map(({ banner }) => banner),
  );
  const isElsewhere = position.context_key !== '' && position.context_key !== context;
  const explained = rows.map(({ banner, view }) => {
    const why = isElsewhere ? 'context' : whyHidden(banner, place, () => view);
    const facts = { banner, zone: place.moment.zone, counts: view, titles, position };
    return { ...view, shown: why === null, reason: why === null ? null : reasonText(why, facts) };
  });
  return { rows: explained, total };
}

async function readTitles(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  banners: readonly Banner[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(
    banners.flatMap((one) => [one.target_resource_id, one.target_parent_id, one.product_id, one.category_id]),
  );
  ids.delete(0);
  if (ids.size === 0) return new Map();
  const attributes = ['id', 'pagetitle'] as const;
  const found = await siteContent.on(content.primary, prefix).lookUpAll({ id: [...ids] }, { attributes });
  return new Map(found.map(({ id, pagetitle }) => [id, pagetitle]));
}
