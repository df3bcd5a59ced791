/** The tags of an event (docs/reference/gateway.md#tags-of-an-event), in their order. */
import { expect, test } from 'vitest';
import { type Mutation, revalidateTags } from '../../../src/content/live/mutation.js';

const base: Mutation = {
  object: 'resources',
  action: 'updated',
  key: 42,
  context: 'web',
  uri: '/über/uns.html/',
  parent: 7,
  rows: [],
};

const page = { context_key: 'web', uri: 'über/uns.html', parent: 7 };
const main = [
  'gateway:resources',
  'gateway:context:web',
  'gateway:resources:42',
  'gateway:uri:%C3%BCber/uns.html',
  'gateway:resources:7',
];

test.each<[name: string, mutation: Mutation, tags: readonly string[]]>([
  ['a record with everything', base, main],
  [
    'a record in the root without a URI',
    { ...base, uri: null, parent: null },
    ['gateway:resources', 'gateway:context:web', 'gateway:resources:42'],
  ],
  ['a deleted resource', { ...base, action: 'deleted' }, [...main, 'gateway:resources:list']],
  [
    'a record of an object without contexts',
    { ...base, object: 'products', key: 'a b', context: null, uri: null, parent: null, action: 'deleted' },
    ['gateway:products', 'gateway:products:a%20b'],
  ],
  [
    'a record that stays where it is',
    { ...base, rows: [{ object: 'resources', key: 42, before: page, after: page }] },
    main,
  ],
  [
    'a record that moves to another place',
    {
      ...base,
      rows: [
        { object: 'resources', key: 42, before: { context_key: 'old', uri: 'before', parent: 3 }, after: page },
        { object: 'resources', key: 43, before: { uri: 'before/b' }, after: { uri: 'über/uns/b' } },
      ],
    },
    [
      ...main,
      'gateway:context:old',
      'gateway:uri:before',
      'gateway:resources:3',
      'gateway:resources:43',
      'gateway:uri:%C3%BCber/uns/b',
      'gateway:uri:before/b',
    ],
  ],
])('%s', (_name, mutation, tags) => {
  expect(revalidateTags(mutation)).toEqual(tags);
});
