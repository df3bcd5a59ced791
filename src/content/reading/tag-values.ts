/** Puts the values of tags into texts, with one look-up for all of them; what they lead to is looked up in turn. */
import { batchesOf } from '../../values/batches.js';
import { chunks } from '../models/elements.js';
import type { ValueForm } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import type { TagRules } from '../query/plan-includes.js';
import { all, fieldRef, hasAnyKey, oneOf } from '../query/predicate.js';
import { firstTag, type OpenTag, readTag, replaceTags, type Tag } from '../rules/element-tags.js';
import { propertyTexts } from '../rules/media-source.js';
import { filterText } from '../rules/tag-filters.js';
import { isBinding } from '../rules/tv-values.js';
import { LookUp } from './look-up.js';
import { type ContentReader, type RowSet, selectRows } from './select-rows.js';
import { encoded, fieldText, type LinkTarget, readLinkTexts, type SiteView, type TextPlace } from './site-view.js';
import { readShownTvs } from './template-variables.js';

export interface Resolved {
  /** Ids of links without an address, sorted; 0 is a link without an id. */
  readonly unresolved: readonly number[];
  readonly dependsOn: readonly RowSet[];
}

/** Letters that tags may add to an answer, or that are read to find their values. */
const longest = 8_388_608;
/** Of a reading that has to be repeated. */
const longestMissing = 200_000;
/** Of tags in tags, and of values in values. */
const mostLevels = 10;
/** Letters that take as long as finding a value. */
const costOfValue = 50;
const idsTogether = 5000;
const mostNames = 200;
const longestName = 50;

interface Asked {
  readonly plan: RowPlan & { readonly tagRules: TagRules };
  readonly form: ValueForm;
  readonly site: SiteView;
}

interface Run {
  readonly place: TextPlace;
  readonly unresolved: Set<number>;
  readonly room: number;
  spent: number;
  isMissing: boolean;
}

interface Within {
  readonly sources: readonly string[];
  readonly placeholders: ReadonlyMap<string, string> | null;
  readonly isInLink: boolean;
}

interface Target extends LinkTarget {
  readonly leadsTo: string;
}

export class TagValues {
  readonly #reader: ContentReader;
  readonly #asked: Asked;
  readonly #links = new LookUp<Target>();
  /** By id and name of the resource's field or variable. */
  readonly #fields = new LookUp<string>();
  readonly #variables = new LookUp<string>();
  readonly #chunks = new LookUp<{ readonly text: string; readonly defaults: ReadonlyMap<string, string> }>();
  readonly #names = new Set<string>();
  readonly #unresolved = new Set<number>();
  readonly #dependsOn: RowSet[] = [];
  #room = longest;

  constructor(reader: ContentReader, asked: Asked) {
    this.#reader = reader;
    this.#asked = asked;
  }

  async resolve(places: readonly TextPlace[]): Promise<Resolved> {
    let open = places;
    for (let round = 0; round < mostLevels + 2 && open.length > 0; round += 1) {
      open = open.filter((place) => !this.#settle(place));
      if (open.length > 0) await this.#lookUp();
    }
    return { unresolved: [...this.#unresolved].sort((one, other) => one - other), dependsOn: this.#dependsOn };
  }

  #settle(place: TextPlace): boolean {
    const run: Run = { place, unresolved: new Set(), room: this.#room, spent: 0, isMissing: false };
    const within: Within = { sources: [`*${place.name}`], placeholders: null, isInLink: false };
    const text = this.#read(place.text, run, within);
    if (run.isMissing) return false;
    this.#room -= run.spent;
    for (const id of run.unresolved) this.#unresolved.add(id);
    place.text = text;
    return true;
  }

  #read(text: string, run: Run, within: Within): string {
    return replaceTags(text, (tag) => this.#valueOf(tag, run, within));
  }

  #valueOf({ sign, isInLink, levels, inner }: OpenTag, run: Run, within: Within): string | null {
    const place = { ...within, isInLink: isInLink || within.isInLink };
    if (!this.#isMeant(sign, place.isInLink) || levels > mostLevels) return null;
    if (sign === '-') return '';
    const tag = readTag(inner());
    const bare = tag === null ? null : this.#bareValue(tag, run, place);
    if (tag === null || bare === null) return null;
    // The CMS does not filter a link without an address.
    const isFiltered = tag.filters.length > 0 && (sign !== '~' || bare !== '');
    return isFiltered ? this.#filtered(bare, tag, run) : bare;
  }

  #isMeant(sign: string, isInLink: boolean): boolean {
    const { resolvesLinks, resolvesTags } = this.#asked.form;
    if (sign === '+') return true;
    if (sign === '*') return resolvesTags || (resolvesLinks && isInLink);
    return sign === '~' ? resolvesLinks : resolvesTags && (sign === '$' || sign === '-');
  }

  #bareValue(tag: Tag, run: Run, within: Within): string | null {
    const { kind, name } = tag;
    switch (kind) {
      case '~':
        return this.#link(tag, run, within);
      case '++':
        return this.#inner(`++${name}`, this.#asked.site.shown(run.place.context, name, within.isInLink), run, within);
      case '+': {
        const { placeholders } = within;
        // In a chunk, a placeholder that was not given is empty for its filters.
        const given = placeholders?.get(name) ?? (placeholders !== null && tag.filters.length > 0 ? '' : null);
        return given !== null && spend(run, given.length) ? given : null;
      }
      case '*':
        return this.#inner(`*${name}`, this.#field(name, run), run, within);
      default:
        return this.#chunk(tag, run, within);
    }
  }

  /** A value with its own tags; one that is being read stays a tag. */
  #inner(source: string, text: string | null, run: Run, within: Within): string | null {
    if (text === null || !spend(run, text.length + costOfValue)) return null;
    if (firstTag(text) === -1) return text;
    const { sources } = within;
    if (sources.length > mostLevels || sources.includes(source)) return null;
    return this.#read(text, run, { ...within, sources: [...sources, source] });
  }

  #filtered(text: string, { filters }: Tag, run: Run): string | null {
    const dates = this.#asked.site.dates(run.place.context);
    return filterText(text, filters, { ...dates, spend: (letters) => spend(run, letters) });
  }

  #link({ name, parameters }: Tag, run: Run, within: Within): string | null {
    if ([...parameters.values()].some((value) => firstTag(value) !== -1)) return null;
    const id = Number(/^0*([1-9]\d{0,9})(?!\d)/.exec(name)?.[1] ?? 0);
    const target = id === 0 ? null : known(this.#links.get(`${id}`), run);
    const address = target === null ? '' : this.#address(target, { parameters, run, within });
    if (address === '') run.unresolved.add(id);
    return address !== null && spend(run, address.length) ? address : null;
  }

  #address(
    target: Target,
    { parameters, run, within }: { readonly parameters: Tag['parameters']; readonly run: Run; readonly within: Within },
  ): string | null {
    const { site } = this.#asked;
    if (target.leadsTo === '' || !site.showsWeblinkTarget(run.place.context, parameters))
      return site.link(target, run.place, parameters);
    const address = this.#inner(`~${target.id}`, target.leadsTo, run, within);
    return address === null || firstTag(address) !== -1
      ? null
      : site.withQuery(encoded(address), run.place, parameters);
  }

  #field(name: string, run: Run): string | null {
    const { definition, tagRules } = this.#asked.plan;
    const key = `${run.place.resource} ${name}`;
    if (definition.fields[name] !== undefined) {
      return tagRules.fields.includes(name) ? known(this.#fields.get(key), run) : null;
    }
    if (name === '' || name.length > longestName || (this.#names.size === mostNames && !this.#names.has(name)))
      return null;
    this.#names.add(name);
    return known(this.#variables.get(key), run);
  }

  #chunk({ name, parameters }: Tag, run: Run, within: Within): string | null {
    if (!this.#reader.site.resolvedChunks().includes(name)) return null;
    const chunk = known(this.#chunks.get(name), run);
    if (chunk === null) return null;
    const placeholders = new Map([...chunk.defaults, ...parameters]);
    return this.#inner(`$${name}`, chunk.text, run, { ...within, placeholders });
  }

  async #lookUp(): Promise<void> {
    await Promise.all([this.#readLinks(), this.#readFields(), this.#readVariables(), this.#readChunks()]);
  }

  async #readLinks(): Promise<void> {
    const { definition, tagRules } = this.#asked.plan;
    const ids = this.#links.takeMissing().map(Number);
    if (ids.length > 0) this.#dependsOn.push({ definition, where: hasAnyKey(definition, ids) });
    for (const some of batchesOf(ids, idsTogether)) {
      const where = all([hasAnyKey(definition, some), tagRules.linkTargets]);
      const needed = ['id', 'uri', 'context_key', 'class_key'];
      const rows = await selectRows(this.#reader, definition, { needed, where });
      const texts = await readLinkTexts(this.#reader, this.#asked.plan, rows);
      for (const row of rows) {
        const id = Number(row.raw('id'));
        const leadsTo = String(row.raw('class_key')).endsWith('WebLink') ? (texts.get(row) ?? '') : '';
        const uri = encoded(String(row.raw('uri') ?? ''));
        this.#links.set(`${id}`, { id, uri, context: String(row.raw('context_key')), leadsTo });
      }
    }
  }

  /** Of resources that are in the answer already. */
  async #readFields(): Promise<void> {
    const { definition, context } = this.#asked.plan;
    const { ids, names } = partsOf(this.#fields.takeMissing());
    for (const some of batchesOf(ids, idsTogether)) {
      const where = hasAnyKey(definition, some);
      for (const row of await selectRows(this.#reader, definition, { needed: ['id', ...names], where })) {
        for (const name of names) {
          const field = definition.fields[name];
          const text = field === undefined ? '' : fieldText(field, row.raw(name), this.#asked.site.dates(context));
          this.#fields.set(`${Number(row.raw('id'))} ${name}`, text);
        }
      }
    }
  }

  async #readVariables(): Promise<void> {
    const { definition, tagRules } = this.#asked.plan;
    const { ids: resources, names } = partsOf(this.#variables.takeMissing());
    if (resources.length === 0) return;
    const asked = { definition, maySee: tagRules.maySee, resources, names, ofAnyTemplate: true };
    const { shown, textOf, dependsOn } = await readShownTvs(this.#reader, asked);
    this.#dependsOn.push(...dependsOn);
    const { site } = this.#asked;
    for (const tv of shown.toReversed()) {
      const text = textOf(tv);
      // The CMS runs code for other output types and for bindings.
      const { resource, context, variable } = tv;
      if (!plainOutputs.has(variable.display) || isBinding(text)) continue;
      const isFile = site.fileTypes(context).includes(variable.type);
      const shownText = isFile ? site.storedFile({ text, tv: variable.id, context }) : text;
      this.#variables.set(`${resource} ${variable.name}`, shownText);
    }
  }

  async #readChunks(): Promise<void> {
    const { db, prefix, registry } = this.#reader;
    const names = this.#chunks.takeMissing();
    const definition = registry.objects.get('chunks');
    if (names.length === 0 || definition === undefined) return;
    this.#dependsOn.push({ definition, where: oneOf(fieldRef(definition, 'name'), names) });
    const attributes = ['name', 'snippet', 'properties', 'static'] as const;
    for (const row of await chunks.on(db, prefix).lookUpAll({ name: names }, { attributes })) {
      // A static one is in a file of the CMS.
      if (row.static) continue;
      this.#chunks.set(row.name, { text: row.snippet ?? '', defaults: propertyTexts(row.properties) });
    }
  }
}

const plainOutputs: ReadonlySet<string> = new Set(['', 'default', 'text']);

function known<Value>(value: Value | null | undefined, run: Run): Value | null {
  if (value === undefined) run.isMissing = true;
  return value ?? null;
}

function spend(run: Run, letters: number): boolean {
  if (run.spent + letters > (run.isMissing ? Math.min(run.room, longestMissing) : run.room)) return false;
  run.spent += Math.max(0, letters);
  return true;
}

function partsOf(keys: readonly string[]): { readonly ids: readonly number[]; readonly names: readonly string[] } {
  const ids = keys.map((key) => Number(key.slice(0, key.indexOf(' '))));
  return { ids: [...new Set(ids)], names: [...new Set(keys.map((key) => key.slice(key.indexOf(' ') + 1)))] };
}
