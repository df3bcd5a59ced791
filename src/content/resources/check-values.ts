/** Checks values (docs/reference/gateway.md#writes), and decides on context and parent, which belong together. */
import { AppError } from '../../errors/app-error.js';
import type { Column } from '../../store/base/columns.js';
import type { Param } from '../../store/base/database.js';
import { trimStartOf } from '../../values/text.js';
import type { FieldValues } from '../live/mutation.js';
import { isResourceClass, resourceClasses, spellClass, templates } from '../models/elements.js';
import { classIsStored, type ResourceState, siteContent } from '../models/resources.js';
import type { FieldDefinition } from '../objects/definition.js';
import { type JsonValue, parseWriteValue } from '../objects/values.js';
import { contextProblem, mayWriteStatic } from '../query/authorize.js';
import { uriProblem } from '../rules/uri.js';
import { type ContextRules, checkRowContext, type ResourceWork, rightsTo, type UriWork } from './resource-write.js';

type RealColumn = Pick<Column, 'maxLength' | 'maxBytes' | 'charset'>;

/** Existing sites may have shorter columns. Nothing is cut (docs/reference/storage.md#text-and-columns). */
export function checkValues({ definition, table, problems }: ResourceWork, values: FieldValues): void {
  for (const [name, value] of Object.entries(values)) {
    const field = definition.fields[name];
    const problem = field ? valueProblem(value, { field, column: table.columns.get(field.column) }) : null;
    if (problem !== null) problems.add(name, problem);
  }
}

export function valueProblem(
  value: JsonValue,
  { field, column }: { readonly field: FieldDefinition; readonly column: RealColumn | undefined },
): string | null {
  const parsed = parseWriteValue(column === undefined ? field : narrowed(field, column), value);
  if (!parsed.ok) return parsed.problem;
  if (typeof value !== 'string' || fitsCharset(value, column?.charset ?? null)) return null;
  return `must not have characters beyond U+FFFF (such as emoji): the database keeps it as ${column?.charset}`;
}

function narrowed(field: FieldDefinition, { maxLength, maxBytes }: RealColumn): FieldDefinition {
  return {
    ...field,
    ...(maxLength === null ? {} : { maxLength: Math.min(maxLength, field.maxLength ?? maxLength) }),
    ...(maxBytes === null ? {} : { maxBytes: Math.min(maxBytes, field.maxBytes ?? maxBytes) }),
  };
}

function fitsCharset(text: string, charset: string | null): boolean {
  if (charset !== 'utf8' && charset !== 'utf8mb3' && charset !== 'ucs2') return true;
  return !/[\u{10000}-\u{10ffff}]/u.test(text);
}

/** A given URI must be one that requests can reach; an attached CMS may store any. */
export function settleGivenUri(
  { writer, problems }: ResourceWork,
  { given, before }: { readonly given: Partial<ResourceState>; readonly before: ResourceState | null },
): Partial<ResourceState> {
  if (!given.uri || given.uri === before?.uri || writer.store.kind === 'attached') return given;
  const uri = trimStartOf(given.uri, '/');
  const problem = uri === '' ? null : uriProblem(uri);
  if (problem !== null) problems.add('uri', `must be a path such as about/team.html: it ${problem}`);
  return { ...given, uri };
}

export function givenTexts(values: FieldValues): Record<string, Param> {
  const texts: Record<string, Param> = {};
  const { content, properties } = values;
  if (content !== undefined) texts['content'] = content === null ? null : String(content);
  if (properties !== undefined) texts['properties'] = properties === null ? null : JSON.stringify(properties);
  return texts;
}

export async function checkReferences(
  work: UriWork,
  { given, context }: { readonly given: Partial<ResourceState>; readonly context: string },
): Promise<{ readonly class_key?: string }> {
  const { contentTypes, problems } = work;
  const { template, content_type: contentType } = given;
  if (template !== undefined && template !== 0 && !(await templateExists(work, template))) {
    problems.add('template', 'no template has this id; 0 stands for none');
  }
  if (contentType !== undefined && !contentTypes.has(contentType)) {
    problems.add('content_type', `must be the id of a content type: ${[...contentTypes.keys()].join(', ')}`);
  }
  if (given.class_key === undefined) return {};
  const rules = work.rulesOf(context);
  const found = await findClass(work, given.class_key, rules);
  if (found === undefined) problems.add('class_key', classProblem(rules));
  return found === undefined ? {} : { class_key: found };
}

export async function templateExists({ tx, prefix }: ResourceWork, id: number): Promise<boolean> {
  return (await templates.on(tx, prefix).lookUpAll({ id }, { attributes: ['id'] })).length > 0;
}

/** Static resources send files of the server, which needs a separate right. Throws scope_denied. */
export async function checkStatic(
  work: ResourceWork,
  { before, values }: { readonly before: ResourceState | null; readonly values: FieldValues },
): Promise<void> {
  const { class_key: classKey = before?.class_key, content } = values;
  if (!isStaticClass(String(classKey ?? ''))) return;
  const wasStatic = before !== null && isStaticClass(before.class_key);
  if (wasStatic && content === undefined) return;
  const stored = before === null ? '' : await storedContent(work, before.id);
  const path = content === undefined ? stored : String(content ?? '');
  if (wasStatic && path === stored) return;
  if (!mayWriteStatic(work.caller)) {
    throw new AppError('scope_denied', {
      message: 'Insufficient permissions: a static resource and its content need the scope resources.static',
    });
  }
  const problem = staticPathProblem(path);
  if (problem !== null) work.problems.add('content', problem, 'Invalid field value');
}

async function storedContent({ tx, prefix }: ResourceWork, id: number): Promise<string> {
  const [row] = await siteContent.on(tx, prefix).lookUpAll({ id }, { attributes: ['content'] });
  return row?.content ?? '';
}

type ClassRules = Pick<ContextRules, 'shortClassNames'>;

/** A body may name a class with or without namespace; the CMS of this database accepts only one spelling. */
async function findClass(work: ResourceWork, asked: string, rules: ClassRules): Promise<string | undefined> {
  if (isResourceClass(asked)) return spellClass(asked, rules);
  if (work.writer.store.kind !== 'attached') return undefined;
  return (await classIsStored(work.tx, work.table, asked)) ? asked : undefined;
}

function classProblem(rules: ClassRules): string {
  return `must be a resource class: ${resourceClasses.map((name) => spellClass(name, rules)).join(', ')}`;
}

export function typeOfClass(name: string): string {
  return /(^|\\)(modWebLink|modSymLink)$/.test(name) ? 'reference' : 'document';
}

/** Class names of PHP ignore case, and may have a namespace. */
export function isStaticClass(name: string): boolean {
  return name.trim().split('\\').at(-1)?.toLowerCase() === 'modstaticresource';
}

const accepted = 'must be the path of a file below the folder for static files, such as files/price-list.pdf';

/** Nothing is decoded: encoded forms are refused. */
export function staticPathProblem(path: string): string | null {
  const problem = firstProblem(path);
  return problem === null ? null : `${accepted}: ${problem}`;
}

function firstProblem(path: string): string | null {
  if (path === '') return null;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)) return 'it has control characters';
  if (path !== path.trim()) return 'it begins or ends with a blank';
  if (path.includes('\\')) return 'it has a backslash';
  if (path.startsWith('/')) return 'it begins with a slash';
  if (path.includes(':')) return 'it has a colon, as schemes and drives have';
  if (/%[0-9a-f]{2}|&#?\w+;/i.test(path)) return 'it has encoded characters';
  if (path.includes('[[') || /[{}]/.test(path)) return 'it has tags or placeholders';
  // Some systems drop dots and blanks at the end of a name, so that more than two dots lead upwards as well.
  if (path.split('/').some((part) => /^[.\s]*$/.test(part))) return 'it has an empty part, "." or ".."';
  return null;
}

export interface Place {
  readonly context: string;
  readonly parent: number;
}

/** The context of the body, else of the request, else of the given parent, else the bootstrap context. */
export async function placeNew(work: ResourceWork, values: FieldValues): Promise<Place> {
  const parent = await findParent(work, values);
  const named = givenContext(work, values);
  const context = named ?? (work.namesContext || !parent ? work.context : parent.context_key);
  if (named === undefined) checkRowContext(work, context);
  checkTogether(work, { context, parent });
  return { context, parent: numberOf(values, 'parent') ?? 0 };
}

export async function placeChanged(
  work: ResourceWork,
  { values, before }: { readonly values: FieldValues; readonly before: ResourceState },
): Promise<Place> {
  const { rows, problems } = work;
  const parent = numberOf(values, 'parent') ?? before.parent;
  const isMoved = parent !== before.parent;
  const target = isMoved ? await findParent(work, values) : undefined;
  const named = givenContext(work, values);
  const context = named ?? target?.context_key ?? before.context_key;
  // A context that changes with the parent needs the same right as a named one.
  if (named === undefined && context !== before.context_key) checkRowContext(work, context);
  if (isMoved) {
    checkTogether(work, { context, parent: target });
    const above = await rows.loadUpwards(parent);
    if (parent === before.id) problems.add('parent', 'must not be the resource itself');
    else if (above.some(({ id }) => id === before.id))
      problems.add('parent', 'must not be a descendant of the resource');
  } else if (context !== before.context_key && parent !== 0) {
    problems.add('context_key', 'the parent stays in the old context: give a parent of the new context too, or 0');
  }
  return { context, parent };
}

async function findParent(work: ResourceWork, values: FieldValues): Promise<ResourceState | undefined> {
  const id = numberOf(values, 'parent') ?? 0;
  // The range of the field refuses negative numbers.
  if (id <= 0) return undefined;
  const parent = await work.rows.load(id);
  const rights = parent && !parent.deleted ? await rightsTo(work, parent) : undefined;
  if (!rights?.mayLoad) {
    work.problems.add('parent', 'must be the id of a resource that is not deleted, or 0');
    return undefined;
  }
  rights.check('add_children');
  return parent;
}

function givenContext(work: ResourceWork, values: FieldValues): string | undefined {
  const context = values['context_key'];
  if (typeof context !== 'string') return undefined;
  const problem = contextProblem(work.caller, context);
  if (problem === null) checkRowContext(work, context);
  else work.problems.add('context_key', problem, 'Invalid context');
  return problem === null ? context : undefined;
}

function checkTogether(
  { problems }: ResourceWork,
  { context, parent }: { readonly context: string; readonly parent: ResourceState | undefined },
): void {
  if (!parent || parent.context_key === context) return;
  problems.add('parent', `must be a resource of the context ${context}`);
}

function numberOf(values: FieldValues, name: string): number | undefined {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
}
