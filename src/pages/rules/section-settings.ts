/** Decides which visitors see a section (docs/pages-documents.md#settings-of-a-section). */
import { isJsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import {
  isAbsent,
  listOf,
  memberReading,
  nameForm,
  type Reader,
  type Reading,
  readText,
  refuse,
  requiredText,
  shapedObject,
  textOf,
  uniqueList,
  wholeNumber,
} from '../../values/reading.js';
import { type PageSection, pageLimits, type SectionCondition, type SectionSettings } from './page-document.js';

const contextForm = { pattern: /^[\w-]{1,100}$/, says: 'the key of a context' };
const readValue: Reader<string> = (reading) => readText(reading, 500);
const readValues = listOf({ of: 'texts' }, readValue);

const conditionShapes = {
  query: { name: requiredText(nameForm), value: readValue },
  context: { value: requiredText(contextForm) },
  guest: {},
  logged_in: {},
};

function readCondition(reading: Reading): SectionCondition | undefined {
  const type = isJsonObject(reading.value) ? memberOf(reading.value, 'type') : undefined;
  if (type !== 'query' && type !== 'context' && type !== 'guest' && type !== 'logged_in') {
    return refuse(reading, `must be an object whose type is one of: ${Object.keys(conditionShapes).join(', ')}`);
  }
  const required = type === 'query' ? ['name'] : Object.keys(conditionShapes[type]);
  return shapedObject<SectionCondition>({ type: () => type, ...conditionShapes[type] }, { required })(reading);
}

const readSettings = shapedObject<SectionSettings>({
  contexts: unlessEmpty(uniqueList(textOf(contextForm))),
  utm: readUtm,
  conditions: unlessEmpty(listOf({ most: pageLimits.rules, of: 'conditions' }, readCondition)),
  _trashIndex: wholeNumber(0),
});

/** Empty rules, which restrict nothing, are left out. */
export function readSectionSettings(reading: Reading): SectionSettings {
  return (isNone(reading.value) ? undefined : readSettings(reading)) ?? Object.freeze({});
}

/** Editors written in PHP print an empty object as an empty list. */
function isNone(value: unknown): boolean {
  return isAbsent(value) || (Array.isArray(value) && value.length === 0);
}

function unlessEmpty<T>(read: Reader<readonly T[]>): Reader<readonly T[]> {
  return (reading) => {
    const list = read(reading);
    return list?.length === 0 ? undefined : list;
  };
}

/** Names are kept in lower case without `utm_`. */
function readUtm(reading: Reading): unknown {
  const { value } = reading;
  if (isNone(value)) return undefined;
  if (!isJsonObject(value) || Object.keys(value).length > pageLimits.rules) {
    const accepted = `an object of at most ${pageLimits.rules} names with lists of values`;
    return refuse(reading, `must be ${accepted}, not ${kindName(value)}`);
  }
  const rules = Object.keys(value).map((name): [string, unknown] => {
    const member = memberReading(reading, value, name);
    const bare = name.toLowerCase().replace(/^utm_/, '');
    if (!nameForm.pattern.test(bare)) refuse(member, `must be ${nameForm.says}`);
    const list: unknown = typeof member.value === 'string' ? [member.value] : member.value;
    if (!Array.isArray(list) || list.length === 0 || list.length > pageLimits.rules) {
      return [bare, refuse(member, `must be a list of 1 to ${pageLimits.rules} texts`)];
    }
    return [bare, readValues({ ...member, value: list })];
  });
  if (new Set(rules.map(([name]) => name)).size < rules.length) refuse(reading, 'names a parameter twice');
  return rules.length === 0 ? undefined : Object.freeze(objectOf(rules));
}

export interface Visit {
  readonly context: string;
  readonly query: ReadonlyMap<string, string>;
  /** Callers with a page token are guests. */
  readonly isLoggedIn: boolean;
}

export function isVisible({ enabled, settings }: PageSection, visit: Visit): boolean {
  if (!enabled) return false;
  const { contexts, utm, conditions } = settings;
  if (contexts && contexts.length > 0 && !contexts.includes(visit.context)) return false;
  for (const [name, values] of Object.entries(utm ?? {})) {
    const given = visit.query.get(`utm_${name}`);
    if (given === undefined || !values.includes(given)) return false;
  }
  return (conditions ?? []).every((condition) => holdsCondition(condition, visit));
}

/** Caches must not mix answers that depend on more than the page. */
export function isConditional({ settings }: PageSection): boolean {
  return settings.contexts !== undefined || settings.utm !== undefined || settings.conditions !== undefined;
}

function holdsCondition(condition: SectionCondition, { context, query, isLoggedIn }: Visit): boolean {
  switch (condition.type) {
    case 'query': {
      const given = query.get(condition.name);
      return given !== undefined && (condition.value === undefined || condition.value === given);
    }
    case 'context':
      return condition.value === context;
    case 'guest':
      return !isLoggedIn;
    case 'logged_in':
      return isLoggedIn;
    default:
      condition satisfies never;
      // A rule that this version does not know hides the section: showing it to the wrong visitors is worse.
      return false;
  }
}
