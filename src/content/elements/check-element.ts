/** Rules for the values of elements that concern names, other rows and the CMS. */
import { isJsonObject } from '../../values/json.js';
import type { FieldValues } from '../live/mutation.js';
import { siteContent } from '../models/resources.js';
import { tvs } from '../models/template-variables.js';
import { mayWriteBindings } from '../query/authorize.js';
import type { LoadedRow } from '../reading/select-rows.js';
import { linearPattern } from '../rules/linear-pattern.js';
import { defaultProblem } from '../rules/tv-rules.js';
import { tvTypes } from '../rules/tv-types.js';
import { addedBinding, evaluatedBinding } from '../rules/tv-values.js';
import { categoryField, type ElementKind, joinedKind, kindNamed } from './element-kinds.js';
import { checkColumns, columnsOf, type ElementKey, type ElementWork, readElements } from './element-work.js';

interface Checked {
  readonly values: FieldValues;
  readonly before: LoadedRow | null;
}

/** Throws validation_failed with every problem, and scope_denied for texts that the CMS would evaluate. */
export async function checkElement(work: ElementWork, checked: Checked): Promise<void> {
  const { kind, problems } = work;
  const { values } = checked;
  checkColumns(work, values);
  checkName(work, values);
  if (!problems.any) await checkFree(work, checked);
  const category = values[categoryField(kind) ?? ''];
  if (typeof category === 'number' && category !== 0) await checkCategory(work, { ...checked, category });
  if (kind.object === 'content_types') checkContentType(work, values);
  if (kind.object === 'tvs') {
    await checkType(work, values);
    checkPattern(work, values);
    checkBindings(work, checked);
    await checkDefault(work, checked);
  }
  await checkJoined(work, values);
  problems.throwIfAny();
}

const contextKey = /^[A-Za-z][A-Za-z0-9.-]{0,99}$/;
const breaksTags = /[[\]`&?@:=|\\]|^[!$%*+~-]/;

function checkName({ kind, problems }: ElementWork, values: FieldValues): void {
  const { nameField, object } = kind;
  const name = values[nameField];
  if (typeof name !== 'string') return;
  if (name.trim() === '') problems.add(nameField, 'must not be empty');
  else if (name !== name.trim() || /\p{Cc}/u.test(name)) {
    problems.add(nameField, 'must not begin or end with a blank, or have a control character');
  } else if (object === 'contexts' && !contextKey.test(name)) {
    problems.add(nameField, 'must be a letter, then letters, digits, "-" and "."');
  } else if (['tvs', 'chunks', 'snippets'].includes(object) && breaksTags.test(name)) {
    problems.add(
      nameField,
      'must not have a sign that ends or begins a tag: [ ] ` & ? @ : = | \\, nor begin with ! $ % * + ~ -',
    );
  } else if (object === 'tvs' && Object.hasOwn(siteContent.columns, name.toLowerCase())) {
    problems.add(nameField, `must not be that of a field of resources, as ${name} is`);
  }
}

/** Letters of either case are the same, as they are in the databases of the CMS. */
async function checkFree(work: ElementWork, { values, before }: Checked): Promise<void> {
  const { kind, problems } = work;
  const { nameField, definition, object } = kind;
  const { primaryKey } = definition;
  const place = object === 'categories' ? 'parent' : undefined;
  const name = values[nameField] ?? before?.raw(nameField);
  const parent = place === undefined ? null : Number(values[place] ?? before?.raw(place) ?? 0);
  if (values[nameField] === undefined && (place === undefined || values[place] === undefined)) return;
  const rows = await readElements(work, kind, { fields: Object.keys(definition.fields) });
  const taken = rows.find(
    (row) =>
      row.raw(primaryKey) !== before?.raw(primaryKey) &&
      String(row.raw(nameField)).toLowerCase() === String(name).toLowerCase() &&
      (place === undefined || Number(row.raw(place) ?? 0) === parent),
  );
  if (taken === undefined) return;
  const where = place === undefined || parent === 0 ? '' : ` in category ${parent}`;
  const what = nameField === 'key' ? 'key' : 'name';
  problems.add(nameField, `the ${what} "${name}" is taken by ${kind.singular} ${taken.raw(primaryKey)}${where}`);
}

async function checkCategory(
  work: ElementWork,
  { category, before }: Checked & { readonly category: number },
): Promise<void> {
  const { kind, problems } = work;
  const field = categoryField(kind) ?? '';
  const parents = await readParents(work);
  if (!parents.has(category)) {
    problems.add(field, 'there is no category with this id; hcd element list categories shows them');
  } else if (kind.object === 'categories' && before !== null) {
    const id = Number(before.raw('id'));
    if (pathTo(parents, category).includes(id)) problems.add(field, 'must not be the category itself or one below it');
  }
}

export async function readParents(work: ElementWork): Promise<ReadonlyMap<number, number>> {
  const rows = await readElements(work, kindNamed('categories'), { fields: ['id', 'parent'] });
  return new Map(rows.map((row) => [Number(row.raw('id')), Number(row.raw('parent') ?? 0)]));
}

/** The category and those above it, without the root. A loop of damaged data ends where it began. */
export function pathTo(parents: ReadonlyMap<number, number>, id: number): readonly number[] {
  const path: number[] = [];
  for (let at = id; parents.has(at) && !path.includes(at); at = parents.get(at) ?? 0) path.push(at);
  return path;
}

const mimeType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const extensions = /^(\.[\w.-]{1,50}(,(?=\.))?)*$/;

function checkContentType({ problems }: ElementWork, { mime_type: type, file_extensions: ends }: FieldValues): void {
  if (typeof type === 'string' && type !== '' && !mimeType.test(type)) {
    problems.add('mime_type', 'must be a media type such as text/html');
  }
  if (typeof ends === 'string' && !extensions.test(ends)) {
    problems.add(
      'file_extensions',
      'must be extensions separated by commas, such as .html or .html,.htm; the first one ends addresses',
    );
  }
}

/** A type that the site has already is one of an extra. */
async function checkType(work: ElementWork, { type }: FieldValues): Promise<void> {
  if (type === undefined || tvTypes.includes(String(type))) return;
  const stored = await readElements(work, work.kind, { fields: ['type'] });
  if (stored.some((row) => row.raw('type') === type)) return;
  work.problems.add('type', `must be one of ${tvTypes.join(', ')}, or a type that the site has already`);
}

function checkPattern({ problems }: ElementWork, { input_properties: properties }: FieldValues): void {
  const regex = isJsonObject(properties) ? properties['regex'] : undefined;
  if (typeof regex !== 'string' || linearPattern(regex) !== null) return;
  problems.add(
    'input_properties',
    'regex must be a pattern without look-around, back references, \\b and long repetitions',
  );
}

function checkBindings({ caller, problems }: ElementWork, { values, before }: Checked): void {
  if (mayWriteBindings(caller)) return;
  for (const name of ['default_text', 'elements']) {
    const added = addedBinding(values[name], before?.raw(name));
    if (added === null) continue;
    problems.add(name, `has ${evaluatedBinding(added)}, which the CMS evaluates; --trust writes it`);
  }
}

/** Values equal to the default are not held to the rules of the variable, so the default is. */
async function checkDefault(work: ElementWork, { values, before }: Checked): Promise<void> {
  const { tx, prefix, writer, problems, warnings } = work;
  const mode = writer.live().settings.values.gateway_tv_validation;
  if (mode === 'off') return;
  const attributes = ['type', 'elements', 'default_text', 'input_properties'] as const;
  const id = Number(before?.raw('id') ?? 0);
  const [stored] = await tvs.on(tx, prefix).lookUpAll({ id }, { attributes });
  const given = columnsOf(work, values);
  const isChanged = attributes.some((name) => given[name] !== undefined && given[name] !== stored?.[name]);
  const message = isChanged ? defaultProblem({ ...stored, ...given }) : null;
  if (message === null) return;
  const isOld = (given['default_text'] ?? stored?.default_text) === stored?.default_text;
  // A default that was wrong before must not hold up a change of its rules.
  if (mode === 'strict' && !(isOld && defaultProblem({ ...stored }) !== null)) problems.add('default_text', message);
  else warnings.push({ field: 'default_text', message });
}

async function checkJoined(work: ElementWork, values: FieldValues): Promise<void> {
  const { kind, problems } = work;
  const other = joinedKind(kind);
  const asked = joinedIds(kind, values);
  if (other === undefined || asked === null) return;
  const known = new Set((await readElements(work, other)).map((row) => row.raw('id')));
  const missing = asked.filter((id) => !known.has(id));
  if (missing.length > 0) problems.add(other.object, `there is no ${other.singular} ${missing.join(', ')}`);
}

/** Null when the body has no such list. */
export function joinedIds({ join }: ElementKind, values: FieldValues): readonly ElementKey[] | null {
  const given = join === null ? undefined : values[join];
  if (given === undefined) return null;
  return Array.isArray(given) ? [...new Set(given.map(Number))] : [];
}
