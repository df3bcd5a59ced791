/** Page documents with their drafts, and the section types of the site. */

import { siteContent } from '../../content/models/resources.js';
import type { JsonValue } from '../../content/objects/values.js';
import { putWithdrawal } from '../../pages/authoring/change-page.js';
import { idsFor } from '../../pages/authoring/import-batch.js';
import { readPresent } from '../../pages/authoring/page-view.js';
import { loadSectionTypes } from '../../pages/authoring/section-types.js';
import {
  announcePublication,
  announceSectionTypes,
  lockOrCreatePage,
  putDraft,
  putPublication,
} from '../../pages/authoring/write-page.js';
import { pageRevisions } from '../../pages/models/page-revisions.js';
import { findDraft, findPageRows, type PageRow, pages } from '../../pages/models/pages.js';
import { putSectionType, sectionTypes } from '../../pages/models/section-types.js';
import { formatPageProblem, publishProblems } from '../../pages/rules/page-problem.js';
import { readPageDocument } from '../../pages/rules/read-page-document.js';
import { readSectionType } from '../../pages/rules/read-section-type.js';
import type { SectionTypes } from '../../pages/rules/section-type.js';
import { batchesOf } from '../../values/batches.js';
import { isJsonObject, isSameJson, type JsonObject, parseJson } from '../../values/json.js';
import type { Kind, Reading, RowKey, Scope, Stored, Writing } from './kind.js';
import { linkTexts, nameTexts } from './links.js';
import type { Names } from './names.js';
import type { NamedKind } from './record-names.js';
import { Findings, WrongValue } from './transfer-record.js';

const batchSize = 50;

export const pagesKind: Kind = {
  object: 'pages',
  database: 'own',
  members: ['resource', 'published', 'draft', 'withdrawn'],
  async *list({ readers, names, onLost }, { contexts, since }) {
    const ordered = await names.resources.list({ contexts });
    const found = new Set<number>();
    const rows = await pages
      .on(readers.own)
      .findAll({ attributes: ['resource', 'revision', 'editedOn', 'publishedOn'] });
    for (const { resource, revision, editedOn, publishedOn } of rows) {
      if (revision === 0) continue;
      if ((await names.nameOf('resources', resource)) === undefined) {
        onLost?.({ object: 'pages', key: resource, member: null, why: `there is no resource ${resource}` });
        continue;
      }
      if (since === undefined || Math.max(editedOn, publishedOn ?? 0) >= since * 1000) found.add(resource);
    }
    yield ordered.filter((resource) => found.has(resource));
  },
  async show({ readers, names }, keys) {
    const shown = new Map<RowKey, JsonObject>();
    for (const some of batchesOf(keys.map(Number), batchSize)) {
      for (const row of await findPageRows(readers.own, some)) {
        shown.set(row.resource, await showPage(row, { readers, names }));
      }
    }
    return shown;
  },
  async find({ readers, names }, record) {
    const id = Number(await names.idOf('resources', record['resource']));
    const [row] = await findPageRows(readers.own, [id]);
    return row === undefined || row.revision === 0 ? undefined : id;
  },
  read: readPage,
  nameOf({ resource }) {
    const { context, uri, nth = 1 } = isJsonObject(resource) ? resource : {};
    return `${String(context)}:${String(uri)}${nth === 1 ? '' : ` (${String(nth)})`}`;
  },
  finish: (tx) => announcePublication(tx),
};

async function showPage(row: PageRow, { readers, names }: Pick<Scope, 'readers' | 'names'>): Promise<JsonObject> {
  const { resource, lastPublished: revision } = row;
  const name = (await names.nameOf('resources', resource)) ?? null;
  const draft = await findDraft(readers.own, resource);
  const [last] =
    revision === 0
      ? []
      : await pageRevisions.on(readers.own).lookUpAll({ resource, revision }, { attributes: ['document'] });
  const document = last?.document ?? null;
  const withdrawn = document !== null && !row.isPublished;
  return { resource: name, ...(await showDocuments(document, draft, names)), withdrawn };
}

async function showDocuments(published: string | null, draft: string | null, names: Names) {
  const show = (text: string): Promise<JsonValue> => nameTexts(parseJson(text) ?? null, names);
  return {
    published: published === null ? [] : [await show(published)],
    draft: draft === null || draft === published ? null : await show(draft),
  };
}

async function readPage(scope: Scope, record: JsonObject, stored: Stored | null): Promise<Reading> {
  const { readers, names } = scope;
  const findings = new Findings();
  const { missing, problems } = findings;
  const resource = Number((await findings.read('resource', () => names.idOf('resources', record['resource']))) ?? 0);
  if (resource === 0) return { shown: {}, missing, problems, write };
  const { published = [], draft = null, withdrawn = false } = record;
  if (!Array.isArray(published)) problems.push(['published', 'must be a list of documents']);
  if (typeof withdrawn !== 'boolean') problems.push(['withdrawn', 'must be true or false']);
  const [row] = await findPageRows(readers.own, [resource]);
  const rules = await rulesOf(scope, { resource, row });
  const readOne = async (member: string, given: unknown, isPublished: boolean): Promise<string | null> => {
    const linked = await findings.read(member, () => linkTexts(given, names));
    if (linked === undefined) return null;
    const { value, problems: found } = readPageDocument(linked, rules());
    const all = value && isPublished ? publishProblems(value, rules().types) : found;
    for (const problem of all) problems.push([member, formatPageProblem(problem)]);
    return value && all.length === 0 ? JSON.stringify(value) : null;
  };
  const documents: string[] = [];
  for (const one of Array.isArray(published) ? published : []) {
    const text = await readOne('published', one, true);
    if (text !== null) documents.push(text);
  }
  const draftText = draft === null ? null : await readOne('draft', draft, false);
  const last = documents.at(-1) ?? null;
  const all = { ...(await showDocuments(last, draftText, names)), withdrawn: withdrawn === true };
  const shown: Readonly<Record<string, JsonValue>> = Object.fromEntries(
    Object.entries(all).filter(([name]) => record[name] !== undefined),
  );
  return { shown, missing, problems, write };

  async function write(writing: Writing | null): Promise<RowKey> {
    if (writing === null) return resource;
    const { tx, by } = writing;
    let page = await lockOrCreatePage(tx, { resource, by });
    const before = stored?.record ?? { published: [], draft: null, withdrawn: false };
    const isChanged = (name: string): boolean => shown[name] !== undefined && !isSameJson(shown[name], before[name]);
    const isOut = last !== null && (isChanged('published') || (!page.isPublished && withdrawn !== true));
    for (const text of isOut ? (stored === null ? documents : documents.slice(-1)) : []) {
      page = await putDraft(tx, page, { text, expected: null, by });
      page = await putPublication(tx, page, { document: text, restoredFrom: null, by });
    }
    const wanted = draftText ?? last;
    if (wanted !== null && (isChanged('draft') || isOut)) {
      if ((await findDraft(tx, resource)) !== wanted) await putDraft(tx, page, { text: wanted, expected: null, by });
    }
    if (withdrawn === true && page.isPublished) await putWithdrawal(tx, page, null);
    return resource;
  }
}

/** The page's place decides which section types it may have; a resource of a dry run has no place yet. */
async function rulesOf(
  { readers, prefix }: Scope,
  { resource, row }: { readonly resource: number; readonly row: PageRow | undefined },
) {
  const types: SectionTypes = await loadSectionTypes(readers.own);
  const attributes = ['parent', 'template', 'context_key'] as const;
  const [found] = await siteContent.on(readers.content, prefix).lookUpAll({ id: resource }, { attributes });
  const present = await readPresent(readers.own, row ?? null);
  const place =
    found === undefined
      ? {}
      : { place: { id: resource, parent: found.parent, template: found.template, context: found.context_key } };
  return () => ({ types, makeId: idsFor(resource), ...present, ...place });
}

export const sectionTypesKind: Kind = {
  object: 'section_types',
  database: 'own',
  members: ['key', 'definition'],
  async *list({ readers }, { since }) {
    const rows = await sectionTypes.on(readers.own).findAll({ attributes: ['key', 'changedOn'] });
    const recent = rows.filter(({ changedOn }) => since === undefined || changedOn >= since * 1000);
    yield recent.map(({ key }) => key).sort();
  },
  async show({ readers, names }, keys) {
    const rows = await sectionTypes.on(readers.own).lookUpAll({ key: keys.map(String) });
    const shown = new Map<RowKey, JsonObject>();
    for (const { key, definition } of rows) {
      const stored = definition === null ? null : parseJson(definition);
      shown.set(key, { key, definition: isJsonObject(stored) ? await showPlaces(stored, names) : null });
    }
    return shown;
  },
  async find({ readers }, { key }) {
    if (typeof key !== 'string') throw new WrongValue('key must be a text');
    return (await sectionTypes.on(readers.own).lookUp({ key }))?.key;
  },
  async read({ names }, { key, definition }) {
    const findings = new Findings();
    const { missing, problems } = findings;
    const read = await findings.read('definition', async () => {
      if (definition === undefined) throw new WrongValue('is required');
      if (isJsonObject(definition)) return changePlaces(definition, (kind, name) => names.idOf(kind, name));
      if (definition !== null) throw new WrongValue('must be an object, or null to hide a shipped type');
      return null;
    });
    if (definition === undefined) return { shown: {}, missing, problems, write };
    if (read) {
      for (const problem of readSectionType(read).problems) problems.push(['definition', formatPageProblem(problem)]);
      if (read['key'] !== key) problems.push(['definition', `must have the key ${String(key)}`]);
    }
    const shown = { definition: read ? ((await showPlaces(read, names)) as JsonValue) : null };
    return { shown, missing, problems, write };

    async function write(writing: Writing | null): Promise<RowKey> {
      const text = !read ? null : JSON.stringify(read);
      if (writing !== null) {
        await putSectionType(writing.tx, { key: String(key), definition: text, changedBy: writing.by });
      }
      return String(key);
    }
  },
  nameOf: ({ key }) => String(key),
  finish: (tx) => announceSectionTypes(tx),
};

/** Lists in the availability of a section type, and what they name. */
const places = { templates: 'templates', parents: 'resources', resources: 'resources' } as const;

async function changePlaces(
  definition: JsonObject,
  change: (kind: NamedKind, value: unknown) => Promise<unknown>,
): Promise<JsonObject> {
  const { availability } = definition;
  if (!isJsonObject(availability)) return definition;
  const changed: Record<string, unknown> = { ...availability };
  for (const [list, kind] of Object.entries(places)) {
    const given = availability[list];
    if (!Array.isArray(given)) continue;
    const values: unknown[] = [];
    for (const one of given) values.push(await change(kind, one));
    changed[list] = values.filter((one) => one !== undefined);
  }
  return { ...definition, availability: changed };
}

function showPlaces(definition: JsonObject, names: Names): Promise<JsonObject> {
  return changePlaces(definition, (kind, id) => names.nameOf(kind, Number(id)));
}
