/**
 * Reads one line of an import: which resource, its document, and whether it is to be published
 * (docs/pages-authoring.md#many-pages-at-once).
 */

import { isJsonObject, kindName, memberOf, parseJson } from '../../values/json.js';
import type { ResourcePlace } from '../rows/page-resources.js';

/** A line as it comes from the file; null where it could not be read as text. */
export interface InputLine {
  readonly number: number;
  readonly text: string | null;
  /** Why there is no text. */
  readonly problem?: string;
}

export interface ImportLine {
  readonly number: number;
  readonly target: number | ResourcePlace;
  readonly document: unknown;
  readonly publish: boolean;
}

/** The line, or what is wrong with it. */
export type ReadLine = ImportLine | { readonly problems: readonly string[] };

const words = ['resource', 'document', 'publish'];
const highestId = 2 ** 32 - 1;

export function readImportLine({ number, text, problem }: InputLine): ReadLine {
  if (text === null) return { problems: [problem ?? 'cannot be read'] };
  const given = parseJson(text);
  if (!isJsonObject(given)) {
    return { problems: [`must be a JSON object with resource and document, not ${nameOf(given)}`] };
  }
  const problems = Object.keys(given)
    .filter((name) => !words.includes(name))
    .map((name) => `${JSON.stringify(name)} is unknown; known are ${words.join(', ')}`);
  const target = readTarget(memberOf(given, 'resource'));
  if (target === null) problems.push('resource must be an id, or {"context": "web", "uri": "about.html"}');
  if (!Object.hasOwn(given, 'document')) problems.push('document is missing');
  const publish = memberOf(given, 'publish') ?? false;
  if (typeof publish !== 'boolean') problems.push(`publish must be true or false, not ${kindName(publish)}`);
  if (problems.length > 0 || target === null) return { problems };
  return { number, target, document: memberOf(given, 'document'), publish: publish === true };
}

/** How people call the target of a line. */
export function targetName(target: number | ResourcePlace): string {
  return typeof target === 'number' ? `resource ${target}` : `${JSON.stringify(target.uri)} in ${target.context}`;
}

function readTarget(given: unknown): number | ResourcePlace | null {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 1 && given <= highestId ? given : null;
  if (!isJsonObject(given) || Object.keys(given).some((name) => name !== 'context' && name !== 'uri')) return null;
  const [context, uri] = [memberOf(given, 'context'), memberOf(given, 'uri')];
  if (typeof context !== 'string' || typeof uri !== 'string') return null;
  return { context, uri };
}

function nameOf(given: unknown): string {
  return given === undefined ? 'text that is no JSON' : kindName(given);
}
