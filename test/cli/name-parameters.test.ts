/** Errors of use cases name the flag or argument that filled a field, with its value. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';
import { expectTranscript } from './transcript.js';

const page = ['resource', 'create', '--pagetitle', 'x'];
const banner = ['banner', 'add', '--name', 'x'];
const webhook = ['webhook', 'add', '--events', 'resources.created'];

/** What is named: flags and arguments with what they were given, members of JSON objects, never a secret. */
const lines: readonly (readonly string[])[] = [
  [...page, '--template', '99'],
  [...page, '--template', '99', '--parent', '77'],
  [...page, '--context-key', 'none'],
  [...page, '--template', ''],
  [...banner, '--active', '7'.repeat(100)],
  [...banner, '--positions', '8,9'],
  ['position', 'add', ' '],
  ['element', 'create', 'chunk', 'head'],
  ['element', 'create', 'context', 'WEB'],
  ['element', 'create', 'chunk', '--name', 'Head'],
  ['element', 'create', 'category', '--data', '{"category": "Shop"}'],
  ['position', 'add', 'top', '--context-key', 'no'],
  [...page, '--tv', 'shade=red'],
  ['resource', 'list', '--filter', 'colour=1'],
  ['resource', 'list', '--filter', 'id[is]=1'],
  ['resource', 'list', '--filter', 'id[gt]=1', '--filter', 'id[lt]=x'],
  ['element', 'list', 'chunks', '--sort', 'colour'],
  ['element', 'list', 'tvs', '--fields', 'a'],
  ['key', 'create', '--name', 'x', '--scopes', 'a.b'],
  ['resource', 'preview', '1', '--user', 'ann'],
  ['user', 'add', 'x', '--generate', '--permissions', 'a'],
  ['export', '-', '--object', 'chunk'],
  ['export', '-', '--context', 'none'],
  [...page, '--data', '{"template": 99}'],
  [...page, '--data', '{"parent": 1}', '--parent', '77'],
  ['resource', 'update', '1', '--data', '{"id": 5}'],
  [...webhook, '--url', 'ftp://ann:secret@x?token=secret'],
  [...webhook, '--url', 'https://a.example', '--secret', 'short'],
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
        site_htmlsnippets: [{ id: 1, name: 'head' }],
        categories: [{ id: 1, category: 'Shop' }],
        site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
        site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 }],
      }),
    );
    file = join(await makeTempDir('named'), 'page.json');
    await writeFile(file, '{"template": 99, "parent": 77}');
  });

  test('names what was given, in text and in JSON', async () => {
    const both = lines.flatMap((words) => [words, [...words, '--json']]);
    await expectTranscript(db, 'refused/given', both);
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
