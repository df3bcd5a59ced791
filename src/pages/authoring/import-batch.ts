/** Decides each line of a batch separately, and writes the accepted ones in one transaction. */
import { sha256Hex } from '../../crypto/primitives.js';
import { type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { findDraft, findPageRows, type PageRow } from '../models/pages.js';
import { formatPageProblem, publishProblems } from '../rules/page-problem.js';
import { readPageDocument } from '../rules/read-page-document.js';
import type { SectionTypes } from '../rules/section-type.js';
import type { PageResource, ResourcePlace } from './page-resources.js';
import { readPresent } from './page-view.js';
import { announcePublication, lockOrCreatePage, type PageAuthoring, putDraft, putPublication } from './write-page.js';

export interface ImportLine {
  readonly number: number;
  readonly target: number | ResourcePlace;
  readonly document: unknown;
  readonly publish: boolean;
}

export interface TargetedLine {
  readonly line: ImportLine;
  readonly about: PageResource;
}

export interface LineRefusal {
  readonly line: number;
  readonly problems: readonly string[];
}

export interface BatchReport {
  readonly saved: number;
  readonly published: number;
  readonly unchanged: number;
  readonly refused: readonly LineRefusal[];
}

interface Decision {
  readonly problems: readonly string[];
  readonly text: string;
  readonly saves: boolean;
  readonly publishes: boolean;
}

interface Batch {
  readonly lines: readonly TargetedLine[];
  readonly types: SectionTypes;
}

/** Refused lines leave their pages as they were. */
export function importBatch({ store, by }: PageAuthoring, { lines, types }: Batch): Promise<BatchReport> {
  const work = async (tx: Tx): Promise<BatchReport> => {
    const rows = byResource(await findPageRows(tx, resourcesOf(lines), { lock: true }));
    const decisions: Decision[] = [];
    for (const one of lines) {
      const resource = one.about.id;
      let row = rows.get(resource) ?? null;
      const isDraft = async (text: string) => (await findDraft(tx, resource)) === text;
      const decideFor = (page: PageRow | null) =>
        decide(tx, { ...one, types, row: page, isOut: isPublishedAsItIs(page), isDraft });
      let decision = await decideFor(row);
      if (row === null && decision.problems.length === 0) {
        row = await lockOrCreatePage(tx, { resource, by });
        // Another process has made the page since the rows were locked.
        if (row.revision > 0) decision = await decideFor(row);
      }
      decisions.push(decision);
      if (row === null) continue;
      const { text, saves, publishes } = decision;
      if (saves) row = await putDraft(tx, row, { text, expected: null, by });
      if (publishes) row = await putPublication(tx, row, { document: text, restoredFrom: null, by });
      rows.set(resource, row);
    }
    const report = reportOf(lines, decisions);
    if (report.published > 0) await announcePublication(tx);
    return report;
  };
  // A line that was imported already is unchanged, so repeating a batch is harmless.
  return store.own.write(work, repeatable);
}

/** The pages as earlier lines of a dry run would leave them, by resource. */
export type Rehearsed = Map<number, { readonly digest: string; readonly isOut: boolean }>;

/** Also notes the outcome in `rehearsed`. Only the stored page shows which sections are present. */
export async function rehearseBatch(
  { store }: PageAuthoring,
  { lines, types, rehearsed }: Batch & { readonly rehearsed: Rehearsed },
): Promise<BatchReport> {
  const reader = store.own.primary;
  const rows = byResource(await findPageRows(reader, resourcesOf(lines)));
  const decisions: Decision[] = [];
  for (const one of lines) {
    const { id } = one.about;
    const row = rows.get(id) ?? null;
    const earlier = rehearsed.get(id);
    const isOut = earlier?.isOut ?? isPublishedAsItIs(row);
    const isDraft = async (text: string) =>
      earlier === undefined ? (await findDraft(reader, id)) === text : earlier.digest === sha256Hex(text);
    const decision = await decide(reader, { ...one, types, row, isOut, isDraft });
    decisions.push(decision);
    const { problems, text, saves, publishes } = decision;
    if (problems.length > 0) continue;
    rehearsed.set(id, { digest: sha256Hex(text), isOut: publishes || (isOut && !saves) });
  }
  return reportOf(lines, decisions);
}

interface Question extends TargetedLine {
  readonly types: SectionTypes;
  readonly row: PageRow | null;
  readonly isOut: boolean;
  readonly isDraft: (text: string) => Promise<boolean>;
}

async function decide(reader: Reader, { line, about, types, row, isOut, isDraft }: Question): Promise<Decision> {
  const { value: document, problems } = readPageDocument(line.document, {
    types,
    makeId: idsFor(about.id),
    place: about,
    ...(await readPresent(reader, row)),
  });
  const all = document && line.publish ? publishProblems(document, types) : problems;
  if (!document || all.length > 0) {
    return { problems: all.map(formatPageProblem), text: '', saves: false, publishes: false };
  }
  const text = JSON.stringify(document);
  const saves = !(await isDraft(text));
  return { problems: [], text, saves, publishes: line.publish && (saves || !isOut) };
}

function isPublishedAsItIs(row: PageRow | null): boolean {
  return row?.isPublished === true && row.publishedDraft === row.revision;
}

/** Made of the resource and a number, so that every import of the file makes the same ids. */
export function idsFor(resource: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return sha256Hex(`imported section ${resource} ${count}`).slice(0, 32);
  };
}

function resourcesOf(lines: readonly TargetedLine[]): readonly number[] {
  return lines.map(({ about }) => about.id);
}

function byResource(rows: readonly PageRow[]): Map<number, PageRow> {
  return new Map(rows.map((row) => [row.resource, row]));
}

function reportOf(lines: readonly TargetedLine[], decisions: readonly Decision[]): BatchReport {
  const accepted = decisions.filter(({ problems }) => problems.length === 0);
  return {
    saved: accepted.filter(({ saves }) => saves).length,
    published: accepted.filter(({ publishes }) => publishes).length,
    unchanged: accepted.filter(({ saves, publishes }) => !saves && !publishes).length,
    refused: lines.flatMap(({ line }, at) => {
      const problems = decisions[at]?.problems ?? [];
      return problems.length === 0 ? [] : [{ line: line.number, problems }];
    }),
  };
}
