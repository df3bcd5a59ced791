/** Page documents: their normal form, every refusal with its place, bounds, and what keeps one from being published. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPageProblem, mostProblems, publishProblems } from '../../../src/pages/rules/page-problem.js';
import { readPageDocument, readStoredDocument } from '../../../src/pages/rules/read-page-document.js';
import { processorSeconds } from '../../support/processor-time.js';
import { basicSections, basicTypes, idOf, makeDocument, makeType, rulesWith, typesWith } from './section-types.js';

const problemsOf = (given: unknown, types = basicTypes): string[] =>
  readPageDocument(given, rulesWith(types)).problems.map(formatPageProblem);
const page = (...sections: unknown[]) => ({ schemaVersion: 1, sections });
const spacer = { type: 'spacer', data: { size: 'md' } };

test('gives a new section an id, the version of its type, and defaults in the order of the fields', () => {
  const document = makeDocument([{ type: 'hero', data: { background: '/a.jpg', title: 'A' } }]);
  expect(JSON.stringify(document)).toBe(
    JSON.stringify({
      schemaVersion: 1,
      sections: [
        {
          id: idOf(1),
          type: 'hero',
          typeVersion: 1,
          enabled: true,
          data: { title: 'A', background: { url: '/a.jpg' }, alignment: 'left' },
          settings: {},
        },
      ],
      trash: [],
    }),
  );
});

test('adds no defaults to a section with an id', () => {
  const [section] = makeDocument([{ id: idOf(9), type: 'hero', enabled: false, data: {} }]).sections;
  expect(section).toEqual({ id: idOf(9), type: 'hero', typeVersion: 1, enabled: false, data: {}, settings: {} });
});

test('stores settings in one form', () => {
  const settings = {
    contexts: ['web'],
    utm: { UTM_Source: ['mail', 'app'], campaign: 'spring' },
    conditions: [
      { type: 'query', name: 'a' },
      { type: 'query', name: 'b', value: '' },
      { type: 'context', value: 'shop' },
      { type: 'guest' },
      { type: 'logged_in' },
    ],
    _trashIndex: 2,
  };
  const [section] = makeDocument([{ ...spacer, settings }]).sections;
  expect(section?.settings).toEqual({ ...settings, utm: { source: ['mail', 'app'], campaign: ['spring'] } });
});

test.each([{}, [], null, { contexts: [], utm: {}, conditions: [] }, { utm: [] }])(
  'the settings %j restrict nothing and are kept as none',
  (settings) => {
    expect(makeDocument([{ ...spacer, settings }]).sections[0]?.settings).toEqual({});
  },
);

test('keeps sections of any type in the trash', () => {
  const gone = {
    id: idOf(5),
    type: 'gone',
    typeVersion: 4,
    enabled: true,
    data: { a: [1] },
    settings: { _trashIndex: 0 },
  };
  const { value } = readPageDocument({ schemaVersion: 1, sections: [], trash: [gone] }, rulesWith());
  expect(value?.trash).toEqual([gone]);
});

describe('names each problem with its path and section', () => {
  test.each<[string, unknown, string[]]>([
    ['no object', [], ['must be an object with schemaVersion, sections, trash; not a list']],
    ['nothing', {}, ['schemaVersion: must be 1', 'sections: is missing']],
    ['another version', { schemaVersion: 2, sections: [] }, ['schemaVersion: must be 1']],
    ['an unknown word', { ...page(), title: 'x' }, ['title: is not known; known are schemaVersion, sections, trash']],
    [
      'an object for sections',
      { schemaVersion: 1, sections: {} },
      ['sections: must be a list of sections, not an object'],
    ],
    [
      'a number for a section',
      page(1),
      ['sections[0] (): must be an object with id, type, typeVersion, enabled, data, settings; not a number'],
    ],
    ['no type', page({ data: {} }), ['sections[0].type (): must be the key of a section type, not nothing']],
    [
      'an unknown type',
      page(spacer, { id: idOf(2), type: 'blink', data: {} }),
      [
        `sections[1].type (blink, ${idOf(2)}): "blink" is not a section type; known are hero, richtext, image, gallery, video, faq, cards, stats, testimonials, cta, contact, spacer`,
      ],
    ],
    [
      'a type of a prototype',
      page({ type: 'constructor' }),
      [
        'sections[0].type (constructor): "constructor" is not a section type; known are hero, richtext, image, gallery, video, faq, cards, stats, testimonials, cta, contact, spacer',
      ],
    ],
    ['a short id', page({ ...spacer, id: 'abc' }), ['sections[0].id (spacer, abc): must be 32 digits of 0-9 and a-f']],
    [
      'an id twice',
      page({ ...spacer, id: idOf(3) }, { ...spacer, id: idOf(3) }),
      [`sections: the id ${idOf(3)} is there twice (spacer)`],
    ],
    [
      'an id again in the trash',
      { ...page({ ...spacer, id: idOf(3) }), trash: [{ ...spacer, id: idOf(3) }] },
      [`sections: the id ${idOf(3)} is there twice (spacer)`],
    ],
    [
      'a version that its type has not reached',
      page({ ...spacer, typeVersion: 2 }),
      ['sections[0].typeVersion (spacer): must be a whole number from 1 to 1'],
    ],
    [
      'a malformed flag',
      page({ ...spacer, enabled: 'yes' }),
      ['sections[0].enabled (spacer): must be true or false, not a text'],
    ],
    [
      'a list for data',
      page({ type: 'spacer', data: [] }),
      ['sections[0].data (spacer): must be an object with size, cssClass; not a list'],
    ],
    [
      'an unknown field',
      page({ type: 'richtext', data: { html: 'x' } }),
      ['sections[0].data.html (richtext): is not a field; known are content, cssClass'],
    ],
    [
      'a class that ends its attribute',
      page({ type: 'richtext', data: { cssClass: 'a" onclick="x' } }),
      [
        'sections[0].data.cssClass (richtext): must be a text of letters, digits, spaces, hyphens and underscores, at most 200 of them',
      ],
    ],
    [
      'a value deep inside',
      page({ type: 'faq', data: { items: [{ question: 'a' }, { question: 1 }] } }),
      ['sections[0].data.items[1].question (faq): must be a text, not a number'],
    ],
    [
      'an unknown setting',
      page({ ...spacer, settings: { libraryId: 1 } }),
      ['sections[0].settings.libraryId (spacer): is not known; known are contexts, utm, conditions, _trashIndex'],
    ],
    [
      'a condition of an unknown type',
      page({ ...spacer, settings: { conditions: [{ type: 'php' }] } }),
      [
        'sections[0].settings.conditions[0] (spacer): must be an object whose type is one of: query, context, guest, logged_in',
      ],
    ],
    [
      'a condition with more than it has',
      page({ ...spacer, settings: { conditions: [{ type: 'guest', value: 1 }] } }),
      ['sections[0].settings.conditions[0].value (spacer): is not known; known are type'],
    ],
    [
      'a condition without its name',
      page({ ...spacer, settings: { conditions: [{ type: 'query' }] } }),
      ['sections[0].settings.conditions[0].name (spacer): is missing'],
    ],
    [
      'a rule without values',
      page({ ...spacer, settings: { utm: { source: [] } } }),
      ['sections[0].settings.utm.source (spacer): must be a list of 1 to 50 texts'],
    ],
    [
      'a rule twice',
      page({ ...spacer, settings: { utm: { source: 'a', utm_source: 'b' } } }),
      ['sections[0].settings.utm (spacer): names a parameter twice'],
    ],
    [
      'several at once',
      page({ type: 'image', data: { image: 'javascript:1', alt: 1 } }, { type: 'cta', data: { button_url: 'x:y' } }),
      [
        'sections[0].data.image.url (image): must be a relative address or one of http, https, not "javascript:1"',
        'sections[0].data.alt (image): must be a text, not a number',
        'sections[1].data.button_url (cta): must be a relative address or one of http, https, mailto, tel, not "x:y"',
      ],
    ],
  ])('%s', (_name, given, problems) => {
    expect(problemsOf(given)).toEqual(problems);
  });
});

describe('bounds', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  test.each<[string, unknown, string[]]>([
    ['sections', page(...Array.from({ length: 1001 }, () => spacer)), ['sections: must have at most 1000 sections']],
    [
      'trash',
      { ...page(), trash: Array.from({ length: 1001 }, (_, at) => ({ ...spacer, id: idOf(at) })) },
      ['trash: must have at most 1000 sections'],
    ],
    [
      'depth',
      page({ type: 'richtext', data: deep(100_00 / 10) }),
      ['must have at most 16 lists and objects in one another'],
    ],
    [
      'size',
      page({ type: 'richtext', data: { content: 'x'.repeat(2_000_001) } }),
      ['must have at most 2000000 characters as JSON'],
    ],
  ])('%s', (_name, given, problems) => {
    expect(problemsOf(given)).toEqual(problems);
  });

  test('names problems up to a bound', () => {
    const given = page(...Array.from({ length: 900 }, () => ({ type: 'image', data: { a: 1, b: 2, c: 3 } })));
    expect(problemsOf(given).length).toBe(mostProblems);
  });
});

test('refuses members with names of prototypes as unknown', () => {
  const given: unknown = JSON.parse(
    '{"schemaVersion": 1, "sections": [{"type": "richtext", "data": {"__proto__": {"content": "x"}}}]}',
  );
  expect(problemsOf(given)).toEqual([
    'sections[0].data.__proto__ (richtext): is not a field; known are content, cssClass',
  ]);
});

describe('availability', () => {
  const type = makeType({ availability: { parents: [7] } });
  const rules = {
    ...rulesWith(typesWith(type)),
    place: { id: 1, parent: 2, template: 3, context: 'web' },
    presentIds: new Set([idOf(1)]),
  };
  test.each([
    ['keeps a new section away', { type: 'probe' }, ['probe is not available on this page: see its availability']],
    [
      'keeps one with a foreign id away',
      { id: idOf(2), type: 'probe' },
      ['probe is not available on this page: see its availability'],
    ],
    ['leaves one that is there', { id: idOf(1), type: 'probe' }, []],
    ['is not asked of other types', spacer, []],
  ])('%s', (_name, section, messages) => {
    expect(readPageDocument(page(section), rules).problems.map(({ message }) => message)).toEqual(messages);
  });
});

describe('documents from the store', () => {
  test('are read by their structure, without their types, and keep their data', () => {
    const section = { id: idOf(1), type: 'gone', typeVersion: 9, enabled: true, data: { a: { b: 1 } }, settings: {} };
    expect(readStoredDocument(page(section))).toEqual({ value: { ...page(section), trash: [] }, problems: [] });
  });

  test.each([
    ['a text', 'x'],
    ['a section without an id', page(spacer)],
    ['a malformed rule', page({ ...spacer, id: idOf(1), settings: { contexts: 'web' } })],
  ])('%s is refused', (_name, given) => {
    const { value, problems } = readStoredDocument(given);
    expect(value).toBeNull();
    expect(problems.length).toBe(1);
  });
});

describe('the problems that prevent publishing', () => {
  const publish = (...sections: unknown[]) =>
    publishProblems(makeDocument(sections), basicTypes).map(formatPageProblem);

  test('finds no problem in an empty page and in complete sections', () => {
    expect(publishProblems({ schemaVersion: 1, sections: [], trash: [] }, basicTypes)).toEqual([]);
    expect(
      publish(...basicSections.map(({ definition, sample }) => ({ type: definition['key'], data: sample }))),
    ).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    [
      'a missing text',
      { type: 'richtext', data: {} },
      [`sections[0].data.content (richtext, ${idOf(1)}): is required to publish`],
    ],
    [
      'blank rich text',
      { type: 'richtext', data: { content: '<p>&nbsp;<br></p>' } },
      [`sections[0].data.content (richtext, ${idOf(1)}): is required to publish`],
    ],
    [
      'plain text that looks like markup',
      { type: 'faq', data: { items: [{ question: '<summary>', answer: '&lt;hr&gt;' }] } },
      [],
    ],
    [
      'blank plain text',
      { type: 'faq', data: { items: [{ question: ' \u00a0 ', answer: 'a' }] } },
      [`sections[0].data.items[0].question (faq, ${idOf(1)}): is required to publish`],
    ],
    ['rich text that is a picture', { type: 'richtext', data: { content: '<img src="/a.jpg">' } }, []],
    [
      'a picture without an address',
      { type: 'image', data: { image: { title: 'x' } } },
      [`sections[0].data.image (image, ${idOf(1)}): is required to publish`],
    ],
    [
      'no rows',
      { type: 'stats', data: { items: [] } },
      [`sections[0].data.items (stats, ${idOf(1)}): is required to publish`],
    ],
    [
      'a value missing in a row',
      { type: 'stats', data: { items: [{ value: '1', label: ' ' }] } },
      [`sections[0].data.items[0].label (stats, ${idOf(1)}): is required to publish`],
    ],
    ['a section that is not shown', { type: 'richtext', enabled: false, data: {} }, []],
  ])('%s', (_name, section, problems) => {
    expect(publish(section)).toEqual(problems);
  });

  test('does not require inactive or hidden fields, and takes no number or flag for empty', () => {
    const type = makeType({
      fields: [
        { name: 'kind', type: 'select', options: ['a', 'b'] },
        { name: 'onlyB', required: true, showWhen: { field: 'kind', value: 'b' } },
        { name: 'off', required: true, active: false },
        { name: 'n', type: 'number', required: true },
        { name: 'f', type: 'toggle', required: true },
        {
          name: 'g',
          type: 'fieldset',
          showWhen: { field: 'kind', value: ['b'] },
          fields: [{ name: 'inner', required: true }],
        },
      ],
    });
    const types = typesWith(type);
    const problems = (data: unknown) =>
      publishProblems(makeDocument([{ type: 'probe', data }], types), types).map(({ path }) => path);
    expect(problems({ kind: 'a', n: 0, f: false })).toEqual([]);
    expect(problems({ kind: 'b' })).toEqual(['onlyB', 'n', 'f', 'inner'].map((name) => `sections[0].data.${name}`));
  });

  test('reads texts of brackets alone once', () => {
    const sections = Array.from({ length: 30 }, () => ({ type: 'richtext', data: { content: 'a' } }));
    const document = makeDocument(sections);
    // As a store may have them that was written by other means.
    const raw = document.sections.map((section) => ({ ...section, data: { content: '<'.repeat(60_000) } }));
    const seconds = processorSeconds(() => {
      expect(publishProblems({ ...document, sections: raw }, basicTypes)).toEqual([]);
    });
    // Half a minute, were each bracket followed to the end of its text.
    expect(seconds).toBeLessThan(3);
  });

  test('reports a section whose type was removed', () => {
    const document = makeDocument([{ type: 'probe' }], typesWith(makeType()));
    expect(publishProblems(document, basicTypes).map(({ message }) => message)).toEqual([
      'probe is not a section type',
    ]);
  });
});

describe('any document', () => {
  const keys = [...basicTypes.keys(), 'unknown', '__proto__'];
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...basicSections.map(({ sample }) => sample)));
  const section = fc.record(
    {
      id: fc.oneof(fc.constant(idOf(1)), fc.string()),
      type: fc.constantFrom(...keys),
      typeVersion: fc.oneof(fc.constant(1), fc.jsonValue()),
      enabled: fc.oneof(fc.boolean(), fc.jsonValue()),
      data: value,
      settings: fc.oneof(fc.constant({}), fc.jsonValue({ maxDepth: 3 })),
    },
    { requiredKeys: [] },
  );

  test('is read or refused, and nothing is thrown', () => {
    const given = fc.oneof(
      fc.jsonValue(),
      fc.record({
        schemaVersion: fc.constant(1),
        sections: fc.array(section, { maxLength: 4 }),
        trash: fc.array(section, { maxLength: 2 }),
      }),
    );
    fc.assert(
      fc.property(given, (document) => {
        const strict = readPageDocument(document, rulesWith());
        expect(strict.value === null).toBe(strict.problems.length > 0);
        const stored = readStoredDocument(document);
        expect(stored.value === null).toBe(stored.problems.length > 0);
      }),
      { numRuns: 1500 },
    );
  });

  test('stays the same when it was accepted and is printed and read again', () => {
    // Samples with some of their members left out or repeated in another order.
    const sample = fc.constantFrom(...basicSections).chain(({ definition, sample: data }) =>
      fc.record({
        type: fc.constant(definition['key']),
        enabled: fc.boolean(),
        data: fc.shuffledSubarray(Object.entries(data)).map((pairs) => Object.fromEntries(pairs)),
        settings: fc.constantFrom(
          {},
          { contexts: ['web'] },
          { utm: { UTM_Source: 'a' } },
          { conditions: [{ type: 'guest' }] },
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 6 }), (sections) => {
        const document = makeDocument(sections);
        const printed: unknown = JSON.parse(JSON.stringify(document));
        expect(readPageDocument(printed, rulesWith())).toEqual({ value: document, problems: [], sanitised: [] });
        expect(readStoredDocument(printed)).toEqual({ value: document, problems: [] });
        expect(JSON.stringify(document)).toBe(JSON.stringify(printed));
      }),
    );
  });
});
