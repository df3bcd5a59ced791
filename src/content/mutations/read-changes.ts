/**
 * From the members of a body to the changes of a record, by the definition and the rights of the caller: every problem
 * of every field at once. Rules that need the database come later.
 */

import { nearMatch } from '../../config/near-match.js';
import { AppError, invalidFields } from '../../errors/app-error.js';
import { isJsonObject } from '../../values/json.js';
import type { RecordChanges } from '../live/mutation.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { acceptedBy, type JsonValue, parseWriteValue, tvValueField, ValueProblem } from '../objects/values.js';
import { type Caller, readableFields } from '../query/authorize.js';
import type { GivenTvValue } from '../rules/tv-values.js';

/** To create and to replace a record the required fields are needed. */
export type WritePurpose = 'create' | 'replace' | 'update';

/** The changes, or the refusal that names everything that is wrong with them. */
export type ChangesReading =
  | { readonly ok: true; readonly changes: RecordChanges }
  | { readonly ok: false; readonly refusal: AppError };

interface Source {
  readonly definition: ObjectDefinition;
  readonly caller: Pick<Caller, 'identity' | 'sessions'>;
  readonly purpose: WritePurpose;
}

/** Real bodies have fewer; each unknown name costs a search for the name that was meant. */
const mostMembers = 1000;
const mostHints = 20;
/** Names of template variables have 50 characters at most. */
const longestTvName = 191;
const tvProblem = 'must be a text, a number, true, false, null or a list of texts and numbers';

/** Reads the value that was sent as a body. */
export function readChanges(body: unknown, source: Source): ChangesReading {
  if (!isJsonObject(body)) {
    return { ok: false, refusal: notAnObject('The body must be a JSON object of fields') };
  }
  const members = Object.entries(body);
  if (members.length > mostMembers) {
    return { ok: false, refusal: notAnObject(`The body has more than ${mostMembers} members`) };
  }
  const reading = new Reading(source);
  for (const [name, value] of members) reading.take(name, value);
  if (source.purpose !== 'update') reading.demandRequired();
  return reading.result();
}

function notAnObject(message: string): AppError {
  return new AppError('validation_failed', { message: `Invalid JSON body: ${message}` });
}

/** The problem of one member. */
interface Refusal {
  readonly name: string;
  readonly problem: string;
  readonly title: string;
}

class Reading {
  readonly #source: Source;
  readonly #readable: readonly string[];
  readonly #values = new Map<string, JsonValue>();
  readonly #problems = new Map<string, string[]>();
  #tvs: Record<string, GivenTvValue> | null = null;
  #title: string | undefined;
  #hints = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#readable = readableFields(source.definition, source.caller);
  }

  take(name: string, value: unknown): void {
    const isTvs = name === 'tvs' && this.#source.definition.templateVariables;
    for (const refusal of isTvs ? this.#readTvs(value) : this.#readField(name, value)) this.#refuse(refusal);
  }

  demandRequired(): void {
    for (const name of this.#source.definition.required) {
      if (this.#values.has(name) || this.#problems.has(name)) continue;
      // A field that the caller may not write cannot be demanded.
      if (this.#policyProblem(name) === null) {
        this.#refuse({ name, problem: 'is required', title: 'Missing required fields' });
      }
    }
  }

  result(): ChangesReading {
    if (this.#problems.size > 0) {
      return { ok: false, refusal: invalidFields(Object.fromEntries(this.#problems), this.#title) };
    }
    return { ok: true, changes: { values: Object.fromEntries(this.#values), tvs: this.#tvs } };
  }

  #readField(name: string, value: unknown): Refusal[] {
    const { fields, required } = this.#source.definition;
    const policy = this.#policyProblem(name);
    if (policy !== null) return [{ name, problem: policy, title: 'Field not writable' }];
    const field = fields[name];
    if (!field) return [];
    if (required.includes(name) && isCleared(field, value)) {
      return [invalidValue(name, `is required and cannot be cleared; it ${acceptedBy(field)}`)];
    }
    const parsed = parseWriteValue(field, value);
    if (parsed instanceof ValueProblem) return [invalidValue(name, parsed.problem)];
    this.#values.set(name, parsed);
    return [];
  }

  /** Why the field may not be written by anybody or by this caller. A hidden one answers like one that is not there. */
  #policyProblem(name: string): string | null {
    const { definition } = this.#source;
    const isKnown = Object.hasOwn(definition.fields, name) && !definition.hidden.includes(name);
    if (!isKnown) return this.#unknown(name);
    if (definition.immutable.includes(name)) return 'cannot be written';
    return this.#readable.includes(name) ? null : `needs the scope fields.${name}`;
  }

  #unknown(name: string): string {
    this.#hints += 1;
    const near = this.#hints > mostHints ? undefined : nearMatch(name, this.#readable);
    return near === undefined ? 'is not a field' : `is not a field; did you mean ${near}?`;
  }

  #readTvs(value: unknown): Refusal[] {
    if (!isJsonObject(value)) {
      return [invalidValue('tvs', 'must be an object of values by name')];
    }
    const given = Object.entries(value);
    if (given.length > mostMembers) return [invalidValue('tvs', `has more than ${mostMembers} members`)];
    const read = given.map(([name, one]): readonly [string, GivenTvValue | undefined] => [name, tvValue(one)]);
    this.#tvs = Object.fromEntries(read.flatMap(([name, given]) => (given === undefined ? [] : [[name, given]])));
    return read.flatMap(([name, given]) => {
      if (name.length > longestTvName) return [invalidValue('tvs', 'has a name that is too long')];
      return given === undefined ? [invalidValue(`tvs.${name}`, tvProblem)] : [];
    });
  }

  #refuse({ name, problem, title }: Refusal): void {
    const list = this.#problems.get(name);
    if (list) list.push(problem);
    else this.#problems.set(name, [problem]);
    this.#title ??= title;
  }
}

function invalidValue(name: string, problem: string): Refusal {
  return { name, problem, title: 'Invalid field value' };
}

/** What the type of the variable makes of a list is decided once it is known. */
function tvValue(value: unknown): GivenTvValue | undefined {
  if (!Array.isArray(value)) return tvText(value);
  const members = value.slice(0, mostMembers + 1).map((one: unknown) => (isMember(one) ? tvText(one) : undefined));
  const texts = members.filter((one) => one !== undefined);
  return texts.length < members.length || members.length > mostMembers ? undefined : texts;
}

function isMember(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Values of template variables are text; flags are stored as the CMS's check boxes store them. */
function tvText(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  const parsed = parseWriteValue(tvValueField, value);
  return typeof parsed === 'string' ? parsed : undefined;
}

/**
 * Empty, blank or of another kind than a value; a required field is never left so (docs/reference/gateway.md#writes).
 */
function isCleared(field: FieldDefinition, value: unknown): boolean {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return true;
  if (typeof value === 'boolean') return field.type !== 'boolean' && field.type !== 'json';
  return typeof value === 'object' && field.type !== 'json';
}
