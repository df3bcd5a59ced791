/** Turns a body into changes by definition and caller. Later steps apply rules that need the database. */

import { nearMatch } from '../../config/near-match.js';
import { AppError, Problems } from '../../errors/app-error.js';
import { accept, type Checked, refuse } from '../../values/checked.js';
import { isJsonObject } from '../../values/json.js';
import type { RecordChanges } from '../live/mutation.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { acceptedBy, type JsonValue, parseWriteValue, tvValueField } from '../objects/values.js';
import { type Caller, readableFields } from '../query/authorize.js';

export type WritePurpose = 'create' | 'replace' | 'update';

export type ChangesReading = Checked<RecordChanges, AppError>;

interface Source {
  readonly definition: ObjectDefinition;
  readonly caller: Pick<Caller, 'identity' | 'sessions'>;
  readonly purpose: WritePurpose;
  readonly tvsAreTyped?: boolean;
}

/** Real bodies have fewer; each unknown name costs a search for a similar one. */
const mostMembers = 1000;
const mostHints = 20;
const longestTvName = 191;
const tvProblem = 'must be a text, a number, true, false, null, a list or an object';
const invalidValue = 'Invalid field value';

export function readChanges(body: unknown, source: Source): ChangesReading {
  if (!isJsonObject(body)) return refuseBody('The body must be a JSON object of fields');
  const members = Object.entries(body);
  if (members.length > mostMembers) return refuseBody(`The body has more than ${mostMembers} members`);
  const reading = new Reading(source);
  for (const [name, value] of members) {
    if (name === 'tvs' && source.definition.templateVariables) reading.takeTvs(value);
    else reading.takeField(name, value);
  }
  if (source.purpose !== 'update') reading.demandRequired();
  const refusal = reading.problems.refusal;
  return refusal === undefined ? accept(reading.changes) : refuse(refusal);
}

function refuseBody(message: string): ChangesReading {
  return refuse(new AppError('validation_failed', { message: `Invalid JSON body: ${message}` }));
}

class Reading {
  readonly problems = new Problems();
  readonly #definition: ObjectDefinition;
  readonly #readable: readonly string[];
  readonly #values = new Map<string, JsonValue>();
  readonly #areTyped: boolean;
  #tvs: Record<string, JsonValue> | null = null;
  #hints = 0;

  constructor({ definition, caller, tvsAreTyped = false }: Source) {
    this.#definition = definition;
    this.#areTyped = tvsAreTyped;
    this.#readable = readableFields(definition, caller);
  }

  get changes(): RecordChanges {
    return { values: Object.fromEntries(this.#values), tvs: this.#tvs, tvsAreTyped: this.#areTyped };
  }

  takeField(name: string, value: unknown): void {
    const policy = this.#policyProblem(name);
    const field = this.#definition.fields[name];
    if (policy !== null || !field) {
      this.problems.add(name, policy ?? 'is not a field', 'Field not writable');
    } else if (this.#definition.required.includes(name) && isCleared(field, value)) {
      this.problems.add(name, `is required and cannot be cleared; it ${acceptedBy(field)}`, invalidValue);
    } else {
      const parsed = parseWriteValue(field, value);
      if (parsed.ok) this.#values.set(name, parsed.value);
      else this.problems.add(name, parsed.problem, invalidValue);
    }
  }

  takeTvs(value: unknown): void {
    const given = isJsonObject(value) ? Object.entries(value) : null;
    if (given === null || given.length > mostMembers) {
      const problem = given ? `has more than ${mostMembers} members` : 'must be an object of values by name';
      this.problems.add('tvs', problem, invalidValue);
      return;
    }
    const tvs = new Map<string, JsonValue>();
    for (const [name, one] of given) {
      if (name.length > longestTvName) this.problems.add('tvs', 'has a name that is too long', invalidValue);
      else if (isTvValue(one)) tvs.set(name, one);
      else this.problems.add(`tvs.${name}`, tvProblem, invalidValue);
    }
    this.#tvs = Object.fromEntries(tvs);
  }

  demandRequired(): void {
    for (const name of this.#definition.required) {
      if (this.#values.has(name) || Object.hasOwn(this.problems.fields, name)) continue;
      // A field that the caller may not write cannot be required.
      if (this.#policyProblem(name) === null) this.problems.add(name, 'is required', 'Missing required fields');
    }
  }

  /** A hidden field answers like one that does not exist. */
  #policyProblem(name: string): string | null {
    const { fields, hidden, immutable } = this.#definition;
    if (!Object.hasOwn(fields, name) || hidden.includes(name)) return this.#unknown(name);
    if (immutable.includes(name)) return 'cannot be written';
    return this.#readable.includes(name) ? null : `needs the scope fields.${name}`;
  }

  #unknown(name: string): string {
    this.#hints += 1;
    const near = this.#hints > mostHints ? undefined : nearMatch(name, this.#readable);
    return near === undefined ? 'is not a field' : `is not a field; did you mean ${near}?`;
  }
}

const tvJsonField: FieldDefinition = { ...tvValueField, type: 'json' };

/** The type of the variable decides later how it is stored. */
function isTvValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'boolean') return true;
  const field = typeof value === 'object' ? tvJsonField : tvValueField;
  return parseWriteValue(field, value).ok;
}

/** A required field is never left empty, blank or without a value (docs/reference/gateway.md#writes). */
function isCleared(field: FieldDefinition, value: unknown): boolean {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return true;
  if (typeof value === 'boolean') return field.type !== 'boolean' && field.type !== 'json';
  return typeof value === 'object' && field.type !== 'json';
}
