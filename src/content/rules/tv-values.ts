/**
 * The text under which a value of a template variable is stored, by the variable's type, as the CMS's form stores it:
 * dates in one form, tags trimmed, lists joined; any other text as it is.
 */
import { siteTime } from './site-time.js';

/** A text, or the members of a list. */
export type GivenTvValue = string | readonly string[];

export type TvText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Types of the CMS that hold one value; those of extras may hold lists. */
const singleTypes: ReadonlySet<string> = new Set([
  'text',
  'textarea',
  'textareamini',
  'textbox',
  'textfield',
  'richtext',
  'htmlarea',
  'number',
  'email',
  'hidden',
  'url',
  'image',
  'file',
  'date',
  'resourcelist',
  'listbox',
  'dropdown',
  'option',
  'radio',
  'migx',
]);

const bindingForm = /^@(?:FILE|CHUNK|SNIPPET|DOCUMENT|RESOURCE|SELECT|EVAL|INHERIT|DIRECTORY)\b/i;

/** True for a value that the CMS evaluates when it is shown. */
function isBinding(value: string): boolean {
  return bindingForm.test(value.trimStart());
}

/** The text to store; `timeZone` is that of the site's dates. */
export function tvText(
  given: GivenTvValue,
  { type, timeZone }: { readonly type: string; readonly timeZone: string },
): TvText {
  if (typeof given !== 'string') return joined(given, type);
  if (isBinding(given)) return { ok: true, text: given };
  if (type === 'date') return dateText(given, timeZone);
  return { ok: true, text: isTagType(type) ? trimTags(given.split(',')) : given };
}

function isTagType(type: string): boolean {
  return type === 'tag' || type === 'autotag';
}

function trimTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '')).join(',');
}

function joined(members: readonly string[], type: string): TvText {
  if (singleTypes.has(type)) return { ok: false, problem: `must be one value: the variable is of the type ${type}` };
  const separator = isTagType(type) ? ',' : '||';
  if (members.some((member) => member.includes(separator))) {
    return { ok: false, problem: `must not have "${separator}" in a member of the list: it separates them` };
  }
  const given = members.filter((member) => member !== '');
  return { ok: true, text: isTagType(type) ? trimTags(given) : given.join(separator) };
}

function dateText(given: string, timeZone: string): TvText {
  if (given.trim() === '' || given === '0') return { ok: true, text: '' };
  const text = siteTime(given.trim(), timeZone);
  if (text !== null) return { ok: true, text };
  const accepted = '2026-11-21 or 2026-11-21 09:30:00 (time of the site), or ISO 8601 with an offset';
  return { ok: false, problem: `must be a date: ${accepted}` };
}
