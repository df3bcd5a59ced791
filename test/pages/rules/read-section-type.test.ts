/** Definitions of section types: what they may say, and every way in which they are refused. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { shippedTypes } from '../../../src/pages/authoring/section-types.js';
import { formatPageProblem, refuseProblems } from '../../../src/pages/rules/page-problem.js';
import { readSectionType, readSectionTypes } from '../../../src/pages/rules/read-section-type.js';
import { isAvailable, isHiddenType } from '../../../src/pages/rules/section-type.js';
import { makeType } from './section-types.js';

const base = { key: 'notice', label: 'Notice', category: 'content', template: '<aside>{{ data.text }}</aside>' };
const problemsOf = (words: unknown): string[] => readSectionType(words).problems.map(formatPageProblem);

test('gives a short definition its defaults', () => {
  const { value, problems } = readSectionType({ ...base, fields: [{ name: 'text' }] });
  expect(problems).toEqual([]);
  expect(value).toEqual({
    ...base,
    version: 1,
    categories: ['content'],
    fields: [
      {
        name: 'text',
        type: 'text',
        label: 'text',
        required: false,
        active: true,
        responsive: false,
        description: '',
        options: [],
        fields: [],
        form: {},
      },
    ],
    availability: { templates: [], parents: [], resources: [], contexts: [] },
    thumbnail: '',
  });
});

test('keeps all words of a full definition', () => {
  const { value, problems } = readSectionType({
    ...base,
    version: 3,
    categories: ['media', 'content'],
    thumbnail: '/notice.png',
    availability: { templates: [1], parents: [2], resources: [3], contexts: ['web'] },
    fields: [
      { name: 'tone', type: 'select', options: ['info', { value: 'warning', label: 'Warning' }], default: 'info' },
      {
        name: 'text',
        type: 'textarea',
        required: true,
        showWhen: { field: 'tone', value: ['info'] },
        width: 50,
        tab: 'Main',
      },
    ],
  });
  expect(problems).toEqual([]);
  expect(value).toMatchObject({
    version: 3,
    categories: ['content', 'media'],
    thumbnail: '/notice.png',
    availability: { templates: [1], parents: [2], resources: [3], contexts: ['web'] },
    fields: [
      {
        default: 'info',
        options: [
          { value: 'info', label: 'info' },
          { value: 'warning', label: 'Warning' },
        ],
      },
      { required: true, showWhen: { field: 'tone', values: ['info'] }, form: { tab: 'Main', width: 50 } },
    ],
  });
});

describe('names each problem with its path', () => {
  const deep = (levels: number): unknown =>
    levels === 0 ? [{ name: 'a' }] : [{ name: 'a', type: 'repeater', fields: deep(levels - 1) }];
  test.each<[string, unknown, string[]]>([
    [
      'no object',
      'notice',
      [
        'must be an object with key, version, label, category, categories, fields, template, availability, thumbnail; not a text',
      ],
    ],
    [
      'all that must be there',
      {},
      ['key: is missing', 'label: is missing', 'category: is missing', 'template: is missing'],
    ],
    [
      'an unknown word',
      { ...base, chunk: 'x' },
      [
        'chunk: is not known; known are key, version, label, category, categories, fields, template, availability, thumbnail',
      ],
    ],
    [
      'a key with capitals',
      { ...base, key: 'Notice' },
      ['key: must be lower-case letters, digits, hyphens and underscores, not "Notice"'],
    ],
    ['a version of zero', { ...base, version: 0 }, ['version: must be a whole number from 1 to 1000000']],
    [
      'an unknown type',
      { ...base, fields: [{ name: 'a', type: 'sql' }] },
      [expect.stringMatching(/^fields\[0\]\.type: must be one of: text, .*\btextarea, /) as string],
    ],
    [
      'a name that prototypes have',
      { ...base, fields: [{ name: 'constructor' }] },
      ['fields[0].name: constructor is reserved'],
    ],
    [
      'a name that no template could say',
      { ...base, fields: [{ name: 'a-b' }] },
      ['fields[0].name: must be letters, digits and underscores, not "a-b"'],
    ],
    [
      'one name twice',
      { ...base, fields: [{ name: 'a' }, { name: 'g', type: 'fieldset', fields: [{ name: 'a' }] }] },
      ['fields: the field a is defined twice'],
    ],
    [
      'rows without fields',
      { ...base, fields: [{ name: 'a', type: 'repeater' }] },
      ['fields[0].fields: is missing: a field of the type repeater has fields'],
    ],
    [
      'fields in a text',
      { ...base, fields: [{ name: 'a', fields: [{ name: 'b' }] }] },
      ['fields[0].fields: is not for fields of the type text'],
    ],
    [
      'a condition on nothing',
      { ...base, fields: [{ name: 'a', showWhen: { field: 'b', value: 1 } }] },
      ['fields[0].showWhen.field: must be a field of the same level: a'],
    ],
    [
      'a condition without a value',
      { ...base, fields: [{ name: 'a', showWhen: { field: 'a' } }] },
      ['fields[0].showWhen.value: must be a text, a number, true or false, or a list of them'],
    ],
    [
      'a default that is not an option',
      { ...base, fields: [{ name: 'a', type: 'select', options: ['x'], default: 'y' }] },
      ['fields[0].default: must be one of: x'],
    ],
    [
      'an option twice',
      { ...base, fields: [{ name: 'a', type: 'select', options: ['x', 'x'] }] },
      ['fields[0].options: names a value twice'],
    ],
    [
      'screen sizes for a flag',
      { ...base, fields: [{ name: 'a', type: 'toggle', responsive: true }] },
      ['fields[0].responsive: is only for fields of the types text, textarea, url, number, currency, richtext, slug'],
    ],
    [
      'too many levels',
      { ...base, fields: deep(4) },
      [
        'fields[0].fields[0].fields[0].fields[0].fields: must have at most 4 levels of fields',
        'fields[0].fields[0].fields[0].fields[0].fields: is missing: a field of the type repeater has fields',
      ],
    ],
    [
      'too many fields',
      { ...base, fields: Array.from({ length: 201 }, (_, at) => ({ name: `a${at}` })) },
      ['fields: must have at most 200 fields'],
    ],
    [
      'a malformed template',
      { ...base, template: '{% if %}' },
      [expect.stringMatching(/^template: is not a template: /) as string],
    ],
    [
      'a template that reads files',
      { ...base, template: '{% render "/etc/passwd" %}' },
      [expect.stringMatching(/^template: is not a template: tag "render" not found/) as string],
    ],
    [
      'a picture of a script',
      { ...base, thumbnail: 'javascript:1' },
      ['thumbnail: must be a relative address or one of http, https, not "javascript:1"'],
    ],
    [
      'an unknown word of availability',
      { ...base, availability: { users: [1] } },
      ['availability.users: is not known; known are templates, parents, resources, contexts'],
    ],
    [
      'a resource that is not a number',
      { ...base, availability: { resources: ['a'] } },
      ['availability.resources[0]: must be a whole number from 0'],
    ],
    [
      'a malformed context',
      { ...base, availability: { contexts: [' '] } },
      ['availability.contexts[0]: must be the key of a context'],
    ],
  ])('%s', (_name, words, problems) => {
    expect(problemsOf(words)).toEqual(problems);
  });
});

test('names the place of each problem in a list, and duplicate keys', () => {
  const { value, problems } = readSectionTypes([base, { ...base, version: 'x' }, base]);
  expect(value).toBeNull();
  expect(problems.map(formatPageProblem)).toEqual([
    '[1].version: must be a whole number from 1 to 1000000',
    '[1]: the key notice is defined twice',
    '[2]: the key notice is defined twice',
  ]);
});

test('refuses with one error that lists the problems of each path', () => {
  const thrown = (): unknown => {
    try {
      return refuseProblems(readSectionType({ ...base, key: '', version: 0 }).problems, 'The type cannot be read');
    } catch (error) {
      return error;
    }
  };
  expect(thrown()).toBeInstanceOf(AppError);
  expect(thrown()).toMatchObject({
    code: 'validation_failed',
    message: 'The type cannot be read: 2 problems',
    details: { fields: { key: ['is missing'], version: ['must be a whole number from 1 to 1000000'] } },
  });
});

describe('the places where a type is allowed', () => {
  const place = { id: 10, parent: 2, template: 1, context: 'web' };
  test.each([
    ['everywhere', {}, true],
    ['below its parents', { parents: [2, 3] }, true],
    ['not elsewhere', { parents: [3] }, false],
    ['where all lists agree', { templates: [1], contexts: ['web'], resources: [10] }, true],
    ['not where one does not', { templates: [1], contexts: ['shop'] }, false],
  ])('%s', (_name, availability, expected) => {
    expect(isAvailable(makeType({ availability }), place)).toBe(expected);
  });
});

test.each([
  ['notice', ['content'], false],
  ['blog_posts', ['content'], false],
  ['_probe', ['content'], true],
  ['notice', ['dev'], true],
])('the type %s of %j is hidden: %s', (key, categories, expected) => {
  expect(isHiddenType(makeType({ key, categories }))).toBe(expected);
});

test('ships twelve types with the known fields and categories', () => {
  const outline = shippedTypes().map(({ key, category, fields }) => {
    const names = fields.map((field) => {
      const inner = field.fields.map((one) => `${one.name}${one.required ? '*' : ''}`).join(', ');
      return `${field.name}${field.required ? '*' : ''}${inner === '' ? '' : `[${inner}]`}`;
    });
    return `${key} | ${category} | ${names.join(', ')}`;
  });
  expect(outline).toEqual([
    'hero | hero | title*, description, button_label, button_url, background, alignment',
    'richtext | content | content*',
    'image | media | image*, alt, caption',
    'gallery | media | title, items*[image*, alt, caption]',
    'video | media | title, video*',
    'faq | content | title, items*[question*, answer*]',
    'cards | content | title, items*[title*, text]',
    'stats | social | title, items*[value*, label*]',
    'testimonials | social | title, items*[quote*, name*, role, avatar]',
    'cta | conversion | title*, text, button_label*, button_url*',
    'contact | conversion | title, text, phone, email, button_label, button_url',
    'spacer | layout | size*',
  ]);
});
