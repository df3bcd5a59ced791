/** Definition files by themselves: every unknown word, wrong type, bad name and contradiction has its line and column. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseObjectFile } from '../../../src/content/objects/object-registry.js';
import { formatProblem } from '../../../src/content/objects/object-spec.js';
import { standsThere } from './stands-there.js';

const good = {
  name: 'products',
  table: 'shop_products',
  primaryKey: 'id',
  fields: {
    id: { type: 'integer' },
    title: { type: 'string' },
    price: { type: 'number' },
    data: { type: 'json' },
    secret: { type: 'string' },
  },
  hidden: ['secret'],
  readable: true,
};

/** One word per line, so that the line of a problem identifies the word: line 1 is the brace, line 2 `name`, and so on. */
function text(definition: object): string {
  const words = Object.entries(definition).map(([word, value]) => ` ${JSON.stringify(word)}: ${JSON.stringify(value)}`);
  return `{\n${words.join(',\n')}\n}`;
}

function problemsOf(content: string): string[] {
  const { value, problems } = parseObjectFile(content, 'objects/products.json');
  expect(value === null).toBe(problems.length > 0);
  expect(problems.filter((problem) => !standsThere(content, problem))).toEqual([]);
  return problems.map(formatProblem).map((problem) => problem.replace('objects/products.json:', ''));
}

const words =
  'name, table, primaryKey, fields, filterable, sortable, searchable, required, protected, immutable, hidden, relations, readable, creatable, updatable, deletable, contexts';
const fieldNames = 'id, title, price, data, secret';

test('a sound file has no problems', () => {
  expect(problemsOf(text(good))).toEqual([]);
});

describe('a word is refused where it stands', () => {
  test.each<[string, object, string[]]>([
    ['an unknown word', { ...good, filterible: [] }, [`8:2: filterible: is not known; known are ${words}`]],
    [
      'a missing word',
      { name: 'products', fields: good.fields, readable: true },
      ['1:1: table: is missing', '1:1: primaryKey: is missing'],
    ],
    ['a name that is a number', { ...good, name: 5 }, ['2:10: name: must be a text, not a number']],
    [
      'a name with capitals',
      { ...good, name: 'Products' },
      [
        '2:10: name: must be a name of lower-case letters, digits and _, beginning with a letter, at most 64, not "Products"',
      ],
    ],
    ['the name of a core object', { ...good, name: 'tvs' }, ['2:10: name: tvs is a core object']],
    ['a reserved name', { ...good, name: 'preview' }, ['2:10: name: preview is a reserved word']],
    [
      'a table name that would need quoting',
      { ...good, table: 'a`b' },
      ['3:11: table: must be a name of letters, digits, _ and $, at most 64, not "a`b"'],
    ],
    [
      'fields that are a list',
      { ...good, fields: ['id'] },
      ['5:12: fields: must be an object of at most 4096 fields, not a list'],
    ],
    ['no field', { ...good, fields: {} }, ['5:12: fields: has no field']],
    [
      'a field without type',
      { ...good, fields: { ...good.fields, id: {} } },
      ['5:13: fields.id.type: must be one of: string, integer, number, boolean, datetime, json'],
    ],
    [
      'a field of an unknown type',
      { ...good, fields: { ...good.fields, id: { type: 'text' } } },
      ['5:26: fields.id.type: must be one of: string, integer, number, boolean, datetime, json'],
    ],
    [
      'a field that is only a type',
      { ...good, fields: { ...good.fields, id: 'integer' } },
      ['5:18: fields.id: must be an object with type, column; not a text'],
    ],
    [
      'an unknown word of a field',
      { ...good, fields: { ...good.fields, id: { type: 'integer', nullable: true } } },
      ['5:36: fields.id.nullable: is not known; known are type, column'],
    ],
    [
      'a field name with a dash',
      { ...good, fields: { ...good.fields, 'a-b': { type: 'integer' } } },
      ['5:139: fields.a-b: is not a name of letters, digits and _, not beginning with a digit, at most 64'],
    ],
    [
      'a field name that every record seems to have',
      { ...good, fields: { ...good.fields, constructor: { type: 'integer' } } },
      ['5:139: fields.constructor: constructor is a reserved word'],
    ],
    [
      'a column name with a space',
      { ...good, fields: { ...good.fields, id: { type: 'integer', column: 'a b' } } },
      ['5:45: fields.id.column: must be a name of letters, digits, _ and $, at most 64, not "a b"'],
    ],
    [
      'null instead of a list',
      { ...good, contexts: null },
      ['8:14: contexts: must be a list of at most 4096 texts, not null'],
    ],
    ['a flag in quotes', { ...good, readable: 'true' }, ['7:14: readable: must be true or false, not a text']],
    [
      'a list that is a text',
      { ...good, sortable: 'id' },
      ['8:14: sortable: must be a list of at most 4096 texts, not a text'],
    ],
    ['a list with a number', { ...good, sortable: [1] }, ['8:15: sortable[0]: must be a text, not a number']],
    ['a field listed twice', { ...good, sortable: ['id', 'id'] }, ['8:20: sortable[1]: is listed twice']],
    ['no context', { ...good, contexts: [] }, ['8:14: contexts: names no context; leave it out for all']],
    [
      'a context with a comma',
      { ...good, contexts: ['web,de'] },
      ['8:15: contexts[0]: must be the key of a context, without spaces and commas, at most 100, not "web,de"'],
    ],
    ['a list instead of the definition', [], [`1:1: must be an object with ${words}; not a list`]],
  ])('%s', (_name, definition, problems) => {
    expect(problemsOf(Array.isArray(definition) ? '[]' : text(definition))).toEqual(problems);
  });
});

describe('a relation is refused where it is wrong', () => {
  const relation = { name: 'vendor', target: 'vendors', type: 'to_one', foreignKey: 'price' };
  test.each<[string, unknown, string[]]>([
    ['no list', {}, ['8:15: relations: must be a list of at most 500 relations, not an object']],
    [
      'an unknown word',
      [{ ...relation, kind: 1 }],
      ['8:89: relations[0].kind: is not known; known are name, target, type, foreignKey, localKey, fields'],
    ],
    [
      'no foreignKey',
      [{ name: 'vendor', target: 'vendors', type: 'to_one' }],
      ['8:16: relations[0].foreignKey: is missing'],
    ],
    ['an unknown type', [{ ...relation, type: 'many' }], ['8:59: relations[0].type: must be one of: to_one, to_many']],
    [
      'the word for template variables',
      [{ ...relation, name: 'tvs' }],
      ['8:24: relations[0].name: include=tvs means template variables'],
    ],
    ['two of a name', [relation, relation], ['8:98: relations[1].name: is listed twice']],
    [
      'no fields',
      [{ ...relation, fields: [] }],
      ['8:98: relations[0].fields: names no field; leave it out for the default'],
    ],
    [
      'the name of a field that is not its key',
      [{ ...relation, name: 'title' }],
      [
        '8:24: relations[0].name: title is also a field; only a to_one relation may have the name of its own foreignKey',
      ],
    ],
  ])('%s', (_name, relations, problems) => {
    expect(problemsOf(text({ ...good, relations }))).toEqual(problems);
  });

  test('a to_one relation may have the name of its key', () => {
    expect(problemsOf(text({ ...good, relations: [{ ...relation, name: 'price' }] }))).toEqual([]);
  });
});

describe('words that contradict each other are refused', () => {
  test.each<[string, object, string[]]>([
    [
      'a primary key that is no field',
      { ...good, primaryKey: 'key' },
      [`4:16: primaryKey: "key" is not a field; fields: ${fieldNames}`],
    ],
    [
      'a primary key of a type without identity',
      { ...good, primaryKey: 'price' },
      ['5:79: fields.price.type: the primary key must be of type integer or string'],
    ],
    [
      'a hidden primary key',
      { ...good, primaryKey: 'secret' },
      ['4:16: primaryKey: the primary key secret cannot be hidden: it addresses a record'],
    ],
    [
      'a protected primary key',
      { ...good, protected: ['id'] },
      ['4:16: primaryKey: the primary key id cannot be protected: it addresses a record'],
    ],
    [
      'a list with a name that is no field',
      { ...good, sortable: ['id', 'colour'] },
      [`8:20: sortable[1]: "colour" is not a field; fields: ${fieldNames}`],
    ],
    [
      'a filter on json',
      { ...good, filterable: ['data'] },
      ['8:17: filterable[0]: data cannot be filterable: it is a json field'],
    ],
    [
      'a sort by a hidden field',
      { ...good, sortable: ['secret'] },
      ['8:15: sortable[0]: secret cannot be sortable: it is hidden'],
    ],
    [
      'a search in a hidden field',
      { ...good, searchable: ['secret'] },
      ['8:17: searchable[0]: secret cannot be searchable: it is hidden'],
    ],
    [
      'a search in a number',
      { ...good, searchable: ['price'] },
      ['8:17: searchable[0]: price cannot be searchable: it is not a string field'],
    ],
    [
      'a required field that no write may give',
      { ...good, required: ['title', 'secret'], immutable: ['title'], updatable: true },
      [
        '8:15: required[0]: title cannot be required: it is immutable, so that no write could give it',
        '8:23: required[1]: secret cannot be required: it is hidden, so that no write could give it',
      ],
    ],
    [
      'two fields of one column',
      { ...good, fields: { ...good.fields, cost: { type: 'number', column: 'PRICE' } } },
      ['5:172: fields.cost.column: the column PRICE already belongs to the field price'],
    ],
    [
      'a field that decides visibility and is no flag',
      { ...good, fields: { ...good.fields, published: { type: 'datetime' } } },
      [
        '5:159: fields.published.type: a field named published decides which rows are visible and must be of type boolean or integer; give the field another name and name its column',
      ],
    ],
    [
      'no flag at all',
      { ...good, readable: false },
      [
        '2:10: name: nothing can be done with the object: set at least one of readable, creatable, updatable, deletable to true',
      ],
    ],
  ])('%s', (_name, definition, problems) => {
    expect(problemsOf(text(definition))).toEqual(problems);
  });

  test('all problems of a file are reported together, in the order of the file', () => {
    const content = `{
  "name": "Shop",
  "table": "shop_products",
  "primaryKey": "id",
  "primaryKey": "key",
  "fields": { "id": { "type": "int" } },
  "filterible": ["id"],
  "readable": 1
}`;
    expect(problemsOf(content).map((problem) => problem.split(':').slice(0, 3).join(':'))).toEqual([
      '5:3: primaryKey',
      '7:3: filterible',
      '2:11: name',
      '6:31: fields.id.type',
      '8:15: readable',
    ]);
  });
});

describe('no text makes the reader throw', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.array(tie('any')), fc.object()),
  })).any;
  const word = fc.constantFrom(...words.split(', '), 'extra', '__proto__', 'constructor');
  const definition = fc.dictionary(word, fc.oneof(value, fc.constantFrom(...Object.values(good))));

  test('any text', () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const { value: parsed, problems } = parseObjectFile(content, 'a.json');
        expect(parsed).toBeNull();
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });

  test('any values under the known words', () => {
    fc.assert(
      fc.property(definition, (words) => {
        const { value: parsed, problems } = parseObjectFile(JSON.stringify({ ...good, ...words }), 'a.json');
        expect(parsed === null).toBe(problems.length > 0);
        for (const { line, message } of problems) expect([line, message.includes('\n')]).toEqual([1, false]);
      }),
      { numRuns: 500 },
    );
  });
});

test('a file of a million characters is refused without reading it', () => {
  expect(parseObjectFile(' '.repeat(1_000_001), 'a.json')).toEqual({
    value: null,
    problems: [{ source: 'a.json', path: '', line: null, column: null, message: 'is longer than 1000000 characters' }],
  });
});
