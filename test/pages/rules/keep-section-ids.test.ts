/** Sections without an id keep the ids that they have on the page, so that a difference shows what was changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffPageDocuments } from '../../../src/pages/rules/page-diff.js';
import type { PageDocument, PageSection } from '../../../src/pages/rules/page-document.js';
import { keptIds, readPageDocument } from '../../../src/pages/rules/read-page-document.js';
import { basicTypes, countingIds, makeDocument, requireReading, rulesWith } from './section-types.js';

interface Short {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `a=hero:x:y` is a section with the id `a` of the type hero with the values x and y; without `a=` it has no id. */
function section(text: string): Short {
  const [id, rest] = text.includes('=') ? (text.split('=') as [string, string]) : ['', text];
  const [type = '', ...values] = rest.split(':');
  return { id, type, data: Object.fromEntries(values.map((value, at) => [`v${at}`, value])) };
}

const sections = (text: string): Short[] => (text === '' ? [] : text.split(' ').map(section));

describe('a section keeps its id', () => {
  it.each([
    ['when nothing changed', 'a=hero:x b=text:y', 'hero:x text:y', ['a', 'b']],
    ['when its values changed', 'a=hero:x b=text:y', 'hero:z text:y', ['a', 'b']],
    ['when another one comes before it', 'a=text:x b=text:y', 'text:new text:x text:y', [null, 'a', 'b']],
    ['when one before it is gone', 'a=text:x b=text:y c=text:z', 'text:y text:z', ['b', 'c']],
    ['when it moved', 'a=text:x b=hero:y c=text:z', 'text:z text:x hero:y', ['c', 'a', 'b']],
    ['when it has most in common', 'a=text:x:1 b=text:y:2', 'text:y:3', ['b']],
    ['when it is given', 'a=text:x b=text:y', 'b=text:x text:y', ['b', null]],
    ['when the given one is unknown', 'a=text:x', 'c=text:x text:x', ['c', 'a']],
    ['next to the same content twice', 'a=text:x b=text:x', 'text:x text:x text:x', ['a', 'b', null]],
    ['but not as another type', 'a=text:x', 'hero:x', [null]],
    ['in an empty document', '', 'text:x', [null]],
  ])('%s', (_name, before, after, expected) => {
    expect(keptIds(sections(before), sections(after))).toEqual(expected);
  });
});

const types = ['hero', 'richtext', 'cta'];
const anyData = fc.record({ title: fc.constantFrom('a', 'b', 'c'), n: fc.nat(2) });
const anySection = fc.record({ type: fc.constantFrom(...types), data: anyData });
const anySections = fc.array(anySection, { maxLength: 8 });

describe('after any edit', () => {
  it('uses no id twice, and no id that is not new', () => {
    const named = anySections.map((list) => list.map((one, at) => ({ ...one, id: `id${at}` })));
    const edited = fc.tuple(anySections, fc.array(fc.option(fc.nat(9), { nil: null }), { minLength: 8, maxLength: 8 }));
    fc.assert(
      fc.property(named, edited, (before, [list, given]) => {
        const ids = given.map((at) => (at === null ? '' : `id${at}`));
        const after = list.map((one, at) => ({ ...one, id: ids.indexOf(ids[at] ?? '') === at ? (ids[at] ?? '') : '' }));
        const kept = keptIds(before, after);
        const found = kept.filter((id) => id !== null);
        expect(kept).toHaveLength(after.length);
        expect(new Set(found).size).toBe(found.length);
        for (const [at, id] of kept.entries()) {
          if (after[at]?.id !== '') expect(id).toBe(after[at]?.id);
          else if (id !== null) expect(before.find((one) => one.id === id)?.type).toBe(after[at]?.type);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows one added, changed or removed section as the only difference', () => {
    fc.assert(
      fc.property(anySections, fc.nat(7), fc.constantFrom('put', 'change', 'take'), (list, place, edit) => {
        const titled = list.map(({ type }, at) => ({ type, data: dataOf(type, `Title ${at}`) }));
        const before = makeDocument(titled);
        const at = place % (titled.length + (edit === 'put' ? 1 : 0) || 1);
        const other = { type: edit === 'put' ? 'hero' : (titled[at]?.type ?? 'hero'), data: {} };
        const fresh = { ...other, data: dataOf(other.type, 'Changed') };
        const isNothing = edit !== 'put' && titled.length === 0;
        const after = isNothing
          ? titled
          : titled.toSpliced(at, edit === 'put' ? 0 : 1, ...(edit === 'take' ? [] : [fresh]));
        const changes = diffPageDocuments(before, readAgain(before, after));
        const kinds = { put: 'added', change: 'changed', take: 'removed' };
        expect(changes.map(({ kind }) => kind)).toEqual(isNothing ? [] : [kinds[edit]]);
      }),
      { numRuns: 300 },
    );
  });
});

function dataOf(type: string, title: string): Readonly<Record<string, unknown>> {
  return type === 'richtext' ? { content: `<p>${title}</p>` } : { title };
}

function readAgain(earlier: PageDocument, list: readonly Omit<Short, 'id'>[]): PageDocument {
  const document = { schemaVersion: 1, sections: list };
  return requireReading(readPageDocument(document, { types: basicTypes, makeId: countingIds(), earlier }));
}

it('reads a thousand sections of one type against a thousand others', () => {
  const many = (title: string): PageSection[] =>
    Array.from(
      { length: 1000 },
      (_none, at) => makeDocument([{ type: 'hero', data: { title: `${title} ${at}` } }]).sections[0],
    )
      .filter((one) => one !== undefined)
      .map((one, at) => ({ ...one, id: title === 'a' ? at.toString(16).padStart(32, '0') : '' }));
  const kept = keptIds(many('a'), many('b'));
  expect(kept).toEqual(many('a').map(({ id }) => id));
});

it('gives a new section an id that no other section has or had', () => {
  const earlier = makeDocument([{ type: 'hero', data: { title: 'a' } }]);
  const document = {
    schemaVersion: 1,
    sections: [
      { type: 'cta', data: {} },
      { type: 'hero', data: { title: 'a' } },
    ],
  };
  const { sections } = requireReading(readPageDocument(document, { ...rulesWith(), earlier }));
  expect(sections[1]?.id).toBe(earlier.sections[0]?.id);
  expect(sections[0]?.id).not.toBe(sections[1]?.id);
});
