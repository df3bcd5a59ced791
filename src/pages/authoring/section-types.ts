/** Section types, read, imported (all or none) and removed: definitions of the site are deleted, shipped ones hidden. */

import { Op } from 'sequelize';
import { nearMatch } from '../../config/near-match.js';
import { AppError } from '../../errors/app-error.js';
import { type Reader, repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { isSameJson, type JsonObject, parseJson } from '../../values/json.js';
import { readAsset } from '../../values/read-asset.js';
import { pageRevisions } from '../models/page-revisions.js';
import { type PageRow, pageNumbers, pages } from '../models/pages.js';
import { putSectionType, type SectionTypeRow, sectionTypes } from '../models/section-types.js';
import { formatPageProblem, type PageReading, requireValue } from '../rules/page-problem.js';
import { readSectionType, readSectionTypes } from '../rules/read-section-type.js';
import type { SectionType, SectionTypes } from '../rules/section-type.js';
import { readStoredText } from './page-view.js';
import { announceSectionTypes } from './write-page.js';

/** `restored`: the definition is the shipped one, which is in force again. */
type ImportOutcome = 'added' | 'replaced' | 'restored' | 'unchanged';

export interface ImportedType {
  readonly key: string;
  readonly version: number;
  readonly outcome: ImportOutcome;
  readonly replaced: number | null;
}

/** Outcomes in the order given. Throws validation_failed with every problem by its path. */
export async function importSectionTypes(
  { own }: Pick<Store, 'own'>,
  { given, by, dryRun }: { readonly given: unknown; readonly by: string; readonly dryRun: boolean },
): Promise<readonly ImportedType[]> {
  const types = requireValue(readSectionTypes(given), 'The section types cannot be imported');
  const definitions: readonly unknown[] = Array.isArray(given) ? given : [given];
  const plan = (views: readonly SectionTypeView[]) =>
    types.map(({ key, version }, at): ImportedType => {
      const view = views.find((one) => one.key === key);
      const isInForce = view !== undefined && view.state !== 'hidden';
      const replaced = isInForce ? (view.type?.version ?? null) : null;
      return { key, version, replaced, outcome: outcomeOf(view, definitions[at]) };
    });
  if (dryRun) return plan(await listSectionTypes(own.primary));
  return own.write(async (tx) => {
    const planned = plan(await listSectionTypes(tx));
    for (const [at, { key, outcome }] of planned.entries()) {
      if (outcome === 'restored') await sectionTypes.on(tx).destroy({ where: { key } });
      else if (outcome !== 'unchanged') {
        await putSectionType(tx, { key, definition: JSON.stringify(definitions[at]), changedBy: by });
      }
    }
    if (planned.some(({ outcome }) => outcome !== 'unchanged')) await announceSectionTypes(tx);
    return planned;
  }, repeatable);
}

function outcomeOf(view: SectionTypeView | undefined, definition: unknown): ImportOutcome {
  if (!view) return 'added';
  if (view.state !== 'hidden' && isSameJson(view.definition, definition)) return 'unchanged';
  const shipped = shippedDefinition(view.key);
  if (shipped !== undefined && isSameJson(shipped, definition)) return 'restored';
  return view.state === 'hidden' ? 'added' : 'replaced';
}

/** `shipped again`: the definition of the site replaced a shipped one, which is in force again. */
export type RemovalOutcome = 'deleted' | 'hidden' | 'shipped again' | 'was hidden';

export interface RemovedType {
  readonly key: string;
  readonly outcome: RemovalOutcome;
  readonly uses: readonly number[];
}

/** Throws not_found, and refused when pages use the type, unless `force` is set. */
export async function removeSectionType(
  { own }: Pick<Store, 'own'>,
  { key, force, by }: { readonly key: string; readonly force: boolean; readonly by: string },
): Promise<RemovedType> {
  const { state: found } = await loadSectionType(own.primary, key);
  const leavesNone = found === 'shipped' || found === 'own';
  const uses = leavesNone ? await findTypeUses(own.primary, key) : [];
  if (uses.length > 0 && !force) throw inUse(key, uses);
  const outcome = await own.write(async (tx): Promise<RemovalOutcome> => {
    const { state } = await loadSectionType(tx, key);
    if (state === 'hidden') return 'was hidden';
    if (state === 'shipped') await putSectionType(tx, { key, definition: null, changedBy: by });
    else await sectionTypes.on(tx).destroy({ where: { key } });
    await announceSectionTypes(tx);
    if (state === 'shipped') return 'hidden';
    return shippedDefinition(key) === undefined ? 'deleted' : 'shipped again';
  });
  return { key, outcome, uses };
}

function inUse(key: string, uses: readonly number[]): AppError {
  const [shown, rest] = [uses.slice(0, 5).join(', '), uses.length > 5 ? ', …' : ''];
  return new AppError('refused', {
    message: `Section type ${key} is on ${uses.length} ${uses.length === 1 ? 'page' : 'pages'} (${shown}${rest}): their sections could no longer be rendered. --force removes it nevertheless`,
  });
}

/** So that no statement takes long. */
const batchSize = 100;

export async function findTypeUses(own: Reader, key: string): Promise<readonly number[]> {
  const uses: number[] = [];
  for (let after = 0; ; ) {
    const part = await pages.on(own).findAll({
      attributes: pageNumbers,
      where: { resource: { [Op.gt]: after } },
      order: ['resource'],
      limit: batchSize,
    });
    if (part.length === 0) return uses;
    const found = await usesAmong(own, part, key);
    uses.push(...part.map(({ resource }) => resource).filter((resource) => found.has(resource)));
    after = part.at(-1)?.resource ?? after;
  }
}

async function usesAmong(own: Reader, part: readonly PageRow[], key: string): Promise<ReadonlySet<number>> {
  // As JSON prints a section. An underscore in the key matches any character, so the documents found have to be read.
  const naming = { [Op.like]: `%"type":"${key}"%` };
  const drafts = await pages.on(own).findAll({
    attributes: ['resource', 'draft'],
    where: { resource: { [Op.in]: part.map(({ resource }) => resource) }, draft: naming },
  });
  // A draft that is published as it is was examined already.
  const changed = part.filter((page) => page.isPublished && page.publishedDraft !== page.revision);
  const places = changed.map(({ resource, lastPublished }) => ({ resource, revision: lastPublished }));
  const published =
    places.length === 0
      ? []
      : await pageRevisions.on(own).findAll({
          attributes: ['resource', 'document'],
          where: { [Op.or]: places, document: naming },
        });
  const candidates = [...drafts.map(({ resource, draft }) => ({ resource, document: draft ?? '' })), ...published];
  return new Set(candidates.filter(({ document }) => hasSection(document, key)).map(({ resource }) => resource));
}

function hasSection(document: string, key: string): boolean {
  return readStoredText(document).value?.sections.some(({ type }) => type === key) ?? false;
}

export const shippedKeys: readonly string[] = [
  ...['hero', 'richtext', 'image', 'gallery', 'video', 'faq', 'cards', 'stats', 'testimonials', 'cta', 'contact'],
  'spacer',
];

let shipped: readonly SectionType[] | undefined;

/** Read on first use: most commands never need them. */
export function shippedTypes(): readonly SectionType[] {
  shipped ??= requireValue(
    readSectionTypes(shippedKeys.map(shippedDefinition)),
    'The shipped section types are damaged',
  );
  return shipped;
}

/** As `hcd section-type import` takes it. The file in `assets/section-types` holds JSON, then the template. */
export function shippedDefinition(key: string): JsonObject | undefined {
  if (!shippedKeys.includes(key)) return undefined;
  const text = readAsset('section-types', `${key}.liquid`).toString();
  const end = text.indexOf('\n---\n');
  return { ...JSON.parse(text.slice('---\n'.length, end)), template: text.slice(end + '\n---\n'.length, -1) };
}

/** The section types in force: shipped ones overlaid by those of the site. Unreadable definitions are left out. */
export async function loadSectionTypes(own: Reader): Promise<SectionTypes> {
  const types = new Map(shippedTypes().map((type) => [type.key, type]));
  for (const { key, definition } of await sectionTypes.on(own).lookUpAll({}, { order: ['key'] })) {
    const type = definition === null ? null : readStoredType(key, definition).value;
    if (type) types.set(key, type);
    else types.delete(key);
  }
  return types;
}

function readStoredType(key: string, definition: string): PageReading<SectionType> {
  const given = parseJson(definition);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'is not JSON' }] };
  const { value, problems } = readSectionType(given);
  if (value && value.key !== key) {
    return { value: null, problems: [{ path: 'key', message: `is ${value.key} in the row of ${key}` }] };
  }
  return { value, problems };
}

/** `changed` replaces a shipped type; `unreadable` is stored in a form that this version refuses. */
type SectionTypeState = 'shipped' | 'changed' | 'own' | 'hidden' | 'unreadable';

export interface SectionTypeView {
  readonly key: string;
  readonly state: SectionTypeState;
  /** Also while it is hidden; null when it is unreadable. */
  readonly type: SectionType | null;
  readonly definition: unknown;
  readonly problem: string | null;
  /** Unix milliseconds; null for a shipped type as it is. */
  readonly changedOn: number | null;
  readonly changedBy: string | null;
}

export async function listSectionTypes(own: Reader): Promise<readonly SectionTypeView[]> {
  const rows = new Map((await sectionTypes.on(own).lookUpAll({}, { order: ['key'] })).map((row) => [row.key, row]));
  const shipped = shippedTypes().map((type) => viewOf({ key: type.key, shipped: type, row: rows.get(type.key) }));
  const keys = new Set(shipped.map(({ key }) => key));
  const others = [...rows.values()].filter(({ key }) => !keys.has(key));
  return [...shipped, ...others.map((row) => viewOf({ key: row.key, shipped: null, row }))];
}

/** Throws not_found with the closest key. */
export async function loadSectionType(own: Reader, key: string): Promise<SectionTypeView> {
  const views = await listSectionTypes(own);
  const view = views.find((one) => one.key === key);
  if (view) return view;
  const near = nearMatch(
    key,
    views.map((one) => one.key),
  );
  const hint = near === undefined ? '; hcd section-type list shows all' : `; did you mean "${near}"?`;
  throw new AppError('not_found', { message: `There is no section type ${JSON.stringify(key)}${hint}` });
}

function viewOf(found: {
  readonly key: string;
  readonly shipped: SectionType | null;
  readonly row: SectionTypeRow | undefined;
}): SectionTypeView {
  const { key, shipped, row } = found;
  const changed = { changedOn: row?.changedOn ?? null, changedBy: row?.changedBy ?? null };
  if (!row || row.definition === null) {
    const state = row ? 'hidden' : 'shipped';
    return { key, state, type: shipped, definition: shippedDefinition(key), problem: null, ...changed };
  }
  const { value: type, problems } = readStoredType(key, row.definition);
  if (!type) {
    const problem = problems.map(formatPageProblem).join('; ');
    return { key, state: 'unreadable', type, definition: row.definition, problem, ...changed };
  }
  const definition: unknown = JSON.parse(row.definition);
  return { key, state: shipped ? 'changed' : 'own', type, definition, problem: null, ...changed };
}
