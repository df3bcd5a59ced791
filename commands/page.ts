/** The commands that show pages, and what the other ones for pages share. */
import { choiceValue, integerValue, refusal, timeValue } from '../src/config/value-type.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { type PlanRequest, planPage } from '../src/pages/authoring/change-page.js';
import {
  type DocumentChoice,
  listHistory,
  listPages,
  loadDocument,
  loadPage,
  type PageView,
} from '../src/pages/authoring/page-view.js';
import { loadSectionTypes } from '../src/pages/authoring/section-types.js';
import type { PageAuthoring } from '../src/pages/authoring/write-page.js';
import { type DeliverySite, isOpen } from '../src/pages/delivery/deliverable.js';
import { reconcilePages } from '../src/pages/delivery/reconcile.js';
import type { PageDocument } from '../src/pages/rules/page-document.js';
import { formatPageProblem, type PageProblem } from '../src/pages/rules/page-problem.js';
import { publishProblems } from '../src/pages/rules/publish-problems.js';
import { accept } from '../src/values/checked.js';
import { type DoneResult, defineSiteCommand, isoTime, type JsonRecord, type JsonValue, type Notes } from './command.js';
import type { SiteDeps } from './deps.js';
import { defaultRows, idValue, optional, type Readable, required, rowParameters, toggle } from './parameters.js';

export const pageParameter = required(idValue, { placeholder: 'ID', description: 'Id of the resource' });

const highest = 2 ** 32 - 1;

export const publishedNumber = integerValue({ min: 1, max: highest });

export const expectedParameter = optional(
  integerValue({ min: 0, max: highest }),
  'Expected revision of the draft; fails with revision_conflict when the draft is newer',
);

const choiceAccepts = 'draft, published or the number of a publication';

/** Which document of a page is meant. */
export const documentValue: Readable<DocumentChoice> = {
  kind: 'choice',
  accepts: choiceAccepts,
  choices: ['draft', 'published'],
  parse(text) {
    if (text === 'draft' || text === 'published') return accept(text);
    const number = publishedNumber.parse(text);
    return number.ok ? number : refusal(choiceAccepts, text);
  },
};

/** Unix milliseconds; null cancels the schedule. */
type PlannedTime = { readonly ms: number | null };

const plannedAccepts = `${timeValue.accepts}, or never`;

export const plannedValue: Readable<PlannedTime> = {
  kind: 'time',
  accepts: plannedAccepts,
  choices: ['never'],
  parse(text) {
    if (text === 'never') return accept({ ms: null });
    const time = timeValue.parse(text);
    return time.ok ? accept({ ms: time.value * 1000 }) : refusal(plannedAccepts, text);
  },
};

function pageRecord(page: PageView): JsonRecord {
  return {
    resource_id: page.resource,
    pagetitle: page.about?.pagetitle ?? null,
    context_key: page.about?.context ?? null,
    uri: page.about?.uri ?? null,
    state: page.state,
    revision: page.revision,
    published_revision: page.publishedRevision,
    last_published: page.lastPublished,
    published_on: isoTime(page.publishedOn),
    publish_on: isoTime(page.publishOn),
    unpublish_on: isoTime(page.unpublishOn),
    created_on: isoTime(page.createdOn),
    edited_on: isoTime(page.editedOn),
    edited_by: page.editedBy,
  };
}

/** Such as `page 42 "About us" (about.html)`. */
export function pageName({ resource, about }: PageView): string {
  return about === null ? `page ${resource}` : `page ${resource} "${about.pagetitle}" (${about.uri})`;
}

/** Values that are missing, as lines for people. */
export function missingNotes(missing: readonly PageProblem[], intro: string): readonly string[] {
  return missing.length === 0 ? [] : [intro, ...missing.map((problem) => `  ${formatPageProblem(problem)}`)];
}

/** Schedules a page to be published or unpublished, or cancels the schedule. */
export async function planResult(deps: SiteDeps, plan: PlanRequest): Promise<DoneResult> {
  const page = await planPage(authoringOf(deps), plan);
  const { step } = plan;
  const time = step === 'publish' ? page.publishOn : page.unpublishOn;
  const verb = step === 'publish' ? 'published' : 'unpublished';
  const message =
    time === null
      ? `Cancelled the schedule: ${pageName(page)} is not going to be ${verb}.`
      : `Scheduled: ${pageName(page)} is going to be ${verb} at ${isoTime(time)}.`;
  return pageResult(page, message, [time !== null && 'This needs a running hcd worker.']);
}

export function pageResult(page: PageView, message: string, notes: Notes = []): DoneResult {
  return { kind: 'done', message, data: pageRecord(page), notes };
}

export function authoringOf(deps: SiteDeps): PageAuthoring {
  return {
    store: deps.store,
    by: 'cli',
    async tellReaders() {
      await reconcilePages(await deliverySiteOf(deps));
    },
  };
}

/** With the current settings and access rules; called late, because most commands need none of them. */
async function deliverySiteOf(deps: SiteDeps): Promise<DeliverySite> {
  const { reader, live } = await openAdministration(deps.store, deps);
  return { store: deps.store, registry: reader.registry, reader, live: () => live };
}

export async function visibilityNotes({ resource, about }: PageView, deps: SiteDeps): Promise<readonly string[]> {
  if (about === null) return [`The page is not visible: resource ${resource} no longer exists.`];
  if (about.isDeleted)
    return [`The page is not visible: its resource is deleted. Restore it: hcd resource restore ${resource}`];
  if (!about.isPublished)
    return [`The page is not visible: its resource is not published. Publish it: hcd resource publish ${resource}`];
  if (await isOpen(await deliverySiteOf(deps), resource)) return [];
  return ['The page is not visible: access rules do not let anonymous visitors see its resource.'];
}

const columns = [
  'resource_id',
  'pagetitle',
  'context_key',
  'uri',
  'state',
  'revision',
  'published_revision',
  'published_on',
  'publish_on',
  'unpublish_on',
  'edited_on',
];

export const pageList = defineSiteCommand({
  description:
    'Lists all resources that have a page document, by id: state, revision of the draft, published revision (0 when not published) and schedule. States: draft (never published), published, changed (published, with a newer draft), withdrawn (unpublished). A narrow terminal shows fewer columns and names the missing ones.',
  options: {
    state: optional(choiceValue(['draft', 'published', 'changed', 'withdrawn']), 'Show only pages in this state'),
    planned: toggle('Show only pages that are scheduled to be published or unpublished'),
    ...rowParameters,
  },
  examples: {
    'page list --state changed': 'List pages with changes that are not published',
    'page list --limit 1000 --json': 'List 1000 pages as JSON',
  },
  async run(options, deps) {
    const { state = null, planned: isPlanned, limit = defaultRows, offset = 0 } = options;
    const { pages, total } = await listPages(deps.store, { filter: { state, isPlanned }, limit, offset });
    const empty =
      state === null && !isPlanned ? 'No pages. Create one: hcd page edit ID --file FILE' : 'No matching pages.';
    return {
      kind: 'list',
      columns,
      spare: ['unpublish_on', 'publish_on', 'edited_on', 'context_key', 'published_on', 'revision', 'uri'],
      marks: { state: { changed: 'warning', withdrawn: 'past' } },
      rows: pages.map(pageRecord),
      total,
      offset,
      empty,
    };
  },
});

export const pageShow = defineSiteCommand({
  description:
    'Shows the state, revisions and schedule of a page, the sections of its draft, and the values that are missing to publish it. --json also has the draft. With --document the command prints only that document, in the format of hcd page edit.',
  arguments: { id: pageParameter },
  options: {
    document: optional(documentValue, { placeholder: 'WHICH', description: 'Print only this document' }),
  },
  examples: {
    'page show 42': 'Show the state of a page',
    'page show 42 --document draft > about.json': 'Save the draft to a file',
  },
  async run({ id, document: choice }, deps) {
    const page = await loadPage(deps.store, id);
    const { document } = await loadDocument(deps.store, page, choice ?? 'draft');
    const draft = jsonOf(document);
    // The form that `hcd page edit` accepts.
    if (choice !== undefined) return { kind: 'text', text: `${JSON.stringify(draft, null, 2)}\n`, data: draft };
    const missing = publishProblems(document, await loadSectionTypes(deps.store.own.primary)).map(formatPageProblem);
    const record: JsonRecord = { ...pageRecord(page), sections: sectionNames(document), missing, draft };
    const fields = Object.keys(record).filter((name) => name !== 'draft' && (name !== 'missing' || missing.length > 0));
    const notes = page.publishedRevision > 0 ? await visibilityNotes(page, deps) : [];
    return { kind: 'record', record, fields, notes };
  },
});

/** Types in their order; those that are switched off in brackets. */
function sectionNames({ sections }: PageDocument): readonly string[] {
  return sections.map(({ type, enabled }) => (enabled ? type : `(${type})`));
}

/** Documents come out of JSON, so they are JSON. */
function jsonOf(document: PageDocument): JsonValue {
  return JSON.parse(JSON.stringify(document)) as JsonValue;
}

export const pageHistory = defineSiteCommand({
  description:
    'Lists the publications of a page, newest first: revision, time, who published it, the revision that it restored, and the length of the document as JSON. Publications never change. To compare two of them, use hcd page diff; to publish one again, use hcd page rollback.',
  arguments: { id: pageParameter },
  options: rowParameters,
  examples: {
    'page history 42': 'Show when a page was published',
    'page history 42 --limit 1 --json': 'Show the last publication as JSON',
  },
  async run({ id, limit = defaultRows, offset = 0 }, deps) {
    const { entries, total } = await listHistory(deps.store, { resource: id, limit, offset });
    const empty = `The page has never been published. Publish it: hcd page publish ${id}`;
    return {
      kind: 'list',
      columns: ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'],
      rows: entries.map((entry) => ({
        revision: entry.revision,
        published_on: isoTime(entry.publishedOn),
        published_by: entry.publishedBy,
        restored_from: entry.restoredFrom,
        characters: entry.size,
        is_published: entry.isPublished,
      })),
      total,
      empty,
    };
  },
});
