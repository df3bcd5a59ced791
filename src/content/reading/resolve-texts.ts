/** Resolves tags and relative addresses in texts. */
import { isWithinDepth, parseJson } from '../../values/json.js';
import type { ValueForm } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import { firstTag, stripTags } from '../rules/element-tags.js';
import { mapAddresses } from '../rules/html-addresses.js';
import type { ContentReader } from './select-rows.js';
import { SiteView, type TextPlace } from './site-view.js';
import { type Resolved, TagValues } from './tag-values.js';

export async function resolveTexts(
  reader: ContentReader,
  { plan, form, places }: { readonly plan: RowPlan; readonly form: ValueForm; readonly places: readonly TextPlace[] },
): Promise<Resolved> {
  const site = new SiteView(reader, form);
  const { urls } = form;
  const inJson = places
    .filter(({ kind }) => kind === 'json')
    .map((place) => ({ place, texts: textsIn(place, urls === null ? 'tags' : 'tagsOrHtml') }));
  const texts = [...places.filter(({ kind }) => kind !== 'json'), ...inJson.flatMap((one) => one.texts)];
  const tagged = texts.filter((text) => text.firstTag !== -1);
  const { tagRules } = plan;
  const resolved =
    tagRules === null || tagged.length === 0
      ? nothingResolved
      : await new TagValues(reader, { plan: { ...plan, tagRules }, form, site }).resolve(tagged);
  if (form.stripsTags) for (const text of tagged) text.text = stripTags(text.text);
  if (urls !== null) {
    for (const text of texts) {
      const { kind, context } = text;
      if (text.text === '' || kind === 'text') continue;
      if (kind === 'file') text.text = site.file(text, urls);
      else text.text = mapAddresses(text.text, (address) => site.address(address, context, urls));
    }
  }
  for (const one of inJson) one.place.text = replaceTexts(one.place.text, one.texts);
  return resolved;
}

const nothingResolved: Resolved = { unresolved: [], dependsOn: [] };

function textsIn(place: TextPlace, what: Parameters<typeof textsWith>[0]): readonly (TextPlace & JsonText)[] {
  return textsWith(what, place.text).map((found) => {
    const text = found.written;
    return { ...place, ...found, text, kind: 'json', firstTag: firstTag(text) };
  });
}

/** A text in JSON, around which nothing changes. `start` and `end` include the quotes. */
interface JsonText {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

const deepest = 64;
/** JSON may escape these signs. */
const mayHave = { tags: /\[\[|\\u005b/i, tagsOrHtml: /\[\[|<|\\u00(?:5b|3c)/i } as const;
/** Outside JSON one may have no end. */
const literals = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;
const colon = /[ \t\r\n]*:/y;

/** Values that may have them, in order; none in text that is not JSON or nests too deep. */
export function textsWith(what: keyof typeof mayHave, json: string): readonly JsonText[] {
  const found: JsonText[] = [];
  for (const { 0: written, index: start } of json.matchAll(literals)) {
    if (!mayHave[what].test(written)) continue;
    const end = start + written.length;
    colon.lastIndex = end;
    const isName = colon.test(json);
    if (!isName) found.push({ start, end, written });
  }
  // Without candidates the rest need not be parsed.
  const value = found.length === 0 ? undefined : parseJson(json);
  if (value === undefined || !isWithinDepth(value, deepest)) return [];
  return found.map((one) => ({ ...one, written: String(parseJson(one.written)) }));
}

export function replaceTexts(json: string, texts: readonly (JsonText & { readonly text: string })[]): string {
  let made = '';
  let copied = 0;
  for (const { start, end, written, text } of texts) {
    if (text === written) continue;
    made += json.slice(copied, start) + JSON.stringify(text);
    copied = end;
  }
  return made + json.slice(copied);
}
