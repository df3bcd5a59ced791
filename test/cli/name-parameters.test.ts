/** Errors of use cases name the flag or argument that filled a field, with its value. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';

const page = ['resource', 'create', '--pagetitle', 'x'];
const banner = ['banner', 'add', '--name', 'x'];
const webhook = ['webhook', 'add', '--events', 'resources.created'];
const badUrl = 'The URL must begin with http:// or https:// and a host';
const badSecret = 'A secret has 16 to 255 characters';

type Row = readonly [name: string, words: readonly string[], lines: Readonly<Record<string, string>>];

/** The lines of the error: what is named, and how its problem begins. */
const rows: readonly Row[] = [
  ['a flag', [...page, '--template', '99'], { '--template 99': 'no template has this id; 0 stands for none' }],
  [
    'several flags',
    [...page, '--template', '99', '--parent', '77'],
    { '--parent 77': 'must be the id of a resource that', '--template 99': 'no template has this id' },
  ],
  ['a flag of two words', [...page, '--context-key', 'none'], { '--context-key none': '' }],
  ['an empty value', [...page, '--template', ''], { '--template ""': 'must be an integer' }],
  ['a long value', [...banner, '--active', '7'.repeat(100)], { [`--active ${'7'.repeat(60)}…`]: 'must be 0 or 1' }],
  ['a list', [...banner, '--positions', '8,9'], { '--positions 8,9': 'there are no positions 8, 9' }],
  ['an argument', ['position', 'add', ' '], { 'NAME  ': 'must be a text' }],
  ['an argument and a flag', ['position', 'add', 'top', '--context-key', 'no'], { '--context-key no': 'there is no' }],
  ['a template variable', [...page, '--tv', 'shade=red'], { '--tv shade=red': '' }],
  ['a filter', ['resource', 'list', '--filter', 'colour=1'], { '--filter colour=1': 'cannot be filtered' }],
  ['an operator', ['resource', 'list', '--filter', 'id[is]=1'], { '--filter id[is]=1': 'operator must be one of' }],
  [
    'one of several filters of a field, without a value',
    ['resource', 'list', '--filter', 'id[gt]=1', '--filter', 'id[lt]=x'],
    { '--filter id': 'must be an integer' },
  ],
  ['a sort', ['element', 'list', 'chunks', '--sort', 'colour'], { '--sort colour': 'colour cannot be sorted' }],
  ['fields', ['element', 'list', 'tvs', '--fields', 'a'], { '--fields a': 'a is not available' }],
  ['scopes', ['key', 'create', '--name', 'x', '--scopes', 'a.b'], { '--scopes a.b': 'There is no scope a.b' }],
  ['a user', ['resource', 'preview', '1', '--user', 'ann'], { '--user ann': 'no user has this name' }],
  ['permissions', ['user', 'add', 'x', '--generate', '--permissions', 'a'], { '--permissions a': 'There is no' }],
  ['an object', ['export', '-', '--object', 'chunk'], { '--object chunk': '"chunk" is not an object of exports' }],
  ['a context', ['export', '-', '--context', 'none'], { '--context none': 'there is no context none' }],
  ['a member of a JSON object', [...page, '--data', '{"template": 99}'], { '--data template=99': 'no template has' }],
  ['a flag over it', [...page, '--data', '{"parent": 1}', '--parent', '77'], { '--parent 77': 'must be the id of' }],
  [
    'an id in a JSON object',
    ['resource', 'update', '1', '--data', '{"id": 5}'],
    { '--data id=5': 'cannot be written' },
  ],
  [
    'an address without its password',
    [...webhook, '--url', 'ftp://ann:secret@x?token=secret'],
    { '--url ftp://ann:***@x?token=***': badUrl },
  ],
  ['no secret', [...webhook, '--url', 'https://a.example', '--secret', 'short'], { '--secret ***': badSecret }],
];

describeEachDatabase('an error of a command', (database) => {
  let db: CliDatabase;
  let file: string;
  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        site_templates: [
          { id: 1, templatename: 'Page' },
          { id: 2, templatename: 'Post' },
          { id: 4, templatename: '2024 page' },
        ],
        site_tmplvars: [{ id: 1, name: 'color', type: 'text' }],
        site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
        site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 }],
      }),
    );
    file = join(await makeTempDir('named'), 'page.json');
    await writeFile(file, '{"template": 99, "parent": 77}');
  });

  test.each(rows)('names what was given: %s', async (_name, words, expected) => {
    const lines = Object.entries(expected);
    const { code, stdout, stderr } = await db.run(words);
    expect([code, stdout]).toEqual([1, '']);
    const shown = stderr.split('\n');
    for (const [index, [given, problem]] of lines.entries()) {
      expect(shown[index]).toContain(`${index === 0 ? 'hcd: ' : '  '}${given}: ${problem}`);
    }
    const { error } = (await db.json(words)) as {
      error: { message: string; details: { fields: Record<string, string[]>; given: Record<string, string> } };
    };
    expect(error.message).toMatch(shown[0]?.replace('hcd: ', '') ?? '');
    const { fields, given = {} } = error.details;
    const named = Object.entries(fields).map(([label, [problem]]) => {
      const value = given[label];
      if (value === undefined) return `${label}: ${problem}`;
      return `${label}${label.includes(' ') ? '=' : ' '}${value === '' ? '""' : value}: ${problem}`;
    });
    expect(named).toEqual(lines.map(([label, problem]) => expect.stringContaining(`${label}: ${problem}`)));
  });

  describe('keeps the name of a field that no flag filled', () => {
    test.each([
      ['in --file', () => [...page, '--file', file], 'hcd: parent: must be the id of a resource'],
      [
        'next to a flag',
        () => [...page, '--file', file, '--tv', 'parent=1'],
        'hcd: parent: must be the id of a resource',
      ],
      ['of a setting', () => ['setting', 'set', 'gateway_cache_ttl', 'x'], 'gateway_cache_ttl must be an integer'],
    ])('%s', async (_name, words, line) => {
      expect((await db.run(words())).stderr).toContain(line);
    });
  });

  describe('--template takes a name', () => {
    const created = async (...words: string[]) =>
      (
        (await db.json(['resource', 'create', '--pagetitle', words.join(' '), ...words])) as {
          data: { template: number };
        }
      ).data.template;

    test('of create, update, and of a JSON object', async () => {
      expect(await created('--template', 'Page')).toBe(1);
      expect(await created('--template', '2024 page')).toBe(4);
      expect(await created('--template', '2')).toBe(2);
      expect(await created('--template', '0')).toBe(0);
      expect(await created('--data', '{"template": "Page"}')).toBe(1);
      const updated = await db.json(['resource', 'update', '1', '--template', '2024 page']);
      expect(updated).toMatchObject({ data: { template: 4 } });
    });

    test.each([
      ['unknown', 'Pgae', 'There is no template with the id or name "Pgae"; did you mean "Page"?'],
      [
        'far from all',
        'Nothing',
        'There is no template with the id or name "Nothing"; hcd element list templates shows',
      ],
    ])('and refuses one that is %s with the candidates and the command that lists them', async (_name, name, said) => {
      const { code, stderr } = await db.run([...page, '--template', name]);
      expect(code).toBe(1);
      expect(stderr).toContain(`hcd: --template ${name}: ${said}`);
      expect(stderr).toContain('hcd element list templates');
      const missing = await db.run(['resource', 'update', '1', '--template', name]);
      expect(missing.stderr).toBe(stderr);
      expect(await db.json([...page, '--template', name])).toMatchObject({
        error: { code: 'validation_failed', details: { given: { '--template': name } } },
      });
    });
  });
});
