/**
 * Reads the settings of a section: who it is shown to (docs/pages-documents.md#settings-of-a-section). Empty rules,
 * which restrict nothing, are left out.
 */
import { isJsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import type { SectionCondition, SectionSettings } from './page-document.js';
import { pageLimits } from './page-limits.js';
import type { PageProblems } from './page-problem.js';
import { type Member, readKnown, readRequiredText, readTexts } from './read-members.js';
import { readText } from './text-values.js';

const contextForm = { pattern: /^[\w-]{1,100}$/, says: 'the key of a context' };
const nameForm = { pattern: /^[\w.-]{1,100}$/, says: 'a name of letters, digits, dots, hyphens and underscores' };

export function readSectionSettings({ value, path, problems }: Member): SectionSettings {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return Object.freeze({});
  const given = readKnown(value, { path, problems, known: ['contexts', 'utm', 'conditions', '_trashIndex'] });
  if (!given) return Object.freeze({});
  const word = (name: string): Member => ({ value: memberOf(given, name), path: `${path}.${name}`, problems });
  const contexts = readTexts(word('contexts'), contextForm);
  const utm = readUtm(word('utm'));
  const conditions = readConditions(word('conditions'));
  const trashIndex = readTrashIndex(word('_trashIndex'));
  return Object.freeze({
    ...(contexts.length > 0 ? { contexts } : {}),
    ...(Object.keys(utm).length > 0 ? { utm } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(trashIndex === undefined ? {} : { _trashIndex: trashIndex }),
  });
}

/** Names are kept in lower case without `utm_`. */
function readUtm({ value, path, problems }: Member): Readonly<Record<string, readonly string[]>> {
  // Editors written in PHP print an empty object as an empty list.
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {};
  if (!isJsonObject(value) || Object.keys(value).length > pageLimits.rules) {
    problems.add(
      path,
      `must be an object of at most ${pageLimits.rules} names with lists of values, not ${kindName(value)}`,
    );
    return {};
  }
  const rules = Object.entries(value).map(([name, given]): [string, readonly string[]] => {
    const where = `${path}.${name.slice(0, 100)}`;
    const bare = name.toLowerCase().replace(/^utm_/, '');
    if (!nameForm.pattern.test(bare)) problems.add(where, `must be ${nameForm.says}`);
    const list = typeof given === 'string' ? [given] : given;
    if (!Array.isArray(list) || list.length === 0 || list.length > pageLimits.rules) {
      problems.add(where, `must be a list of 1 to ${pageLimits.rules} texts`);
      return [bare, []];
    }
    const values = list.map(
      (one: unknown, at) => readText({ value: one, path: `${where}[${at}]`, problems }, 500) ?? '',
    );
    return [bare, Object.freeze(values)];
  });
  if (new Set(rules.map(([name]) => name)).size < rules.length) problems.add(path, 'names a parameter twice');
  return Object.freeze(objectOf(rules)) as Readonly<Record<string, readonly string[]>>;
}

function readConditions({ value, path, problems }: Member): readonly SectionCondition[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > pageLimits.rules) {
    problems.add(path, `must be a list of at most ${pageLimits.rules} conditions, not ${kindName(value)}`);
    return [];
  }
  return Object.freeze(
    value.flatMap((one: unknown, at) => readCondition(one, { path: `${path}[${at}]`, problems }) ?? []),
  );
}

const conditionWords = { query: ['name', 'value'], context: ['value'], guest: [], logged_in: [] } as const;

function readCondition(
  given: unknown,
  { path, problems }: { readonly path: string; readonly problems: PageProblems },
): SectionCondition | null {
  const type = isJsonObject(given) ? memberOf(given, 'type') : undefined;
  if (type !== 'query' && type !== 'context' && type !== 'guest' && type !== 'logged_in') {
    problems.add(path, `must be an object whose type is one of: ${Object.keys(conditionWords).join(', ')}`);
    return null;
  }
  const words = readKnown(given, { path, problems, known: ['type', ...conditionWords[type]] });
  if (!words) return null;
  if (type === 'guest' || type === 'logged_in') return Object.freeze({ type });
  const value = memberOf(words, 'value') ?? undefined;
  if (type === 'context') {
    const context = readRequiredText({ value, path: `${path}.value`, problems }, contextForm);
    return context === undefined ? null : Object.freeze({ type, value: context });
  }
  const name = readRequiredText({ value: memberOf(words, 'name'), path: `${path}.name`, problems }, nameForm);
  const wanted = value === undefined ? undefined : readText({ value, path: `${path}.value`, problems }, 500);
  if (name === undefined) return null;
  return Object.freeze({ type, name, ...(wanted === undefined ? {} : { value: wanted }) });
}

function readTrashIndex({ value, path, problems }: Member): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value + 0;
  problems.add(path, 'must be a whole number from 0');
  return undefined;
}
