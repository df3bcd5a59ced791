/** `hcd studio`: who may use it, which commands it offers, and that they run as on a terminal. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createProgram } from '../../commands/program.js';
import { repository } from '../architecture/source-file.js';
import { splitLine } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { json, startStudio } from '../support/studio.js';
import { makeTempDir } from '../support/temp-dir.js';

describe('who may use Studio', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  test('the address works once and becomes a cookie that scripts and other sites do not get', async () => {
    const { port, token, send } = await startStudio(db.url);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const first = await send('/session', { method: 'POST', ...json({ token }) });
    const cookie = new RegExp(`^hcd_studio_${port}=[\\w-]{43}; path=/; samesite=strict; httponly$`);
    expect([first.status, String(first.headers['set-cookie'])]).toEqual([204, expect.stringMatching(cookie)]);
    for (const wrong of [token, `${token}x`, '', null, {}]) {
      const again = await send('/session', { method: 'POST', ...json({ token: wrong }) });
      expect([again.status, again.body.error.code]).toEqual([403, 'scope_denied']);
      expect(again.headers['set-cookie']).toBeUndefined();
    }
    expect((await send('/session', { method: 'POST', body: 'x' })).status).toBe(400);
  });

  const refused: Readonly<Record<string, (port: number) => Readonly<Record<string, string>>>> = {
    'no cookie': () => ({ Cookie: '' }),
    'a guessed cookie': (port) => ({ Cookie: `hcd_studio_${port}=${'A'.repeat(43)}` }),
    'another name of the host': (port) => ({ Host: `rebound.example:${port}` }),
    'another port of the host': () => ({ Host: '127.0.0.1:1' }),
    'another origin': () => ({ Origin: 'http://127.0.0.1:1' }),
    'the origin of a sandboxed frame': () => ({ Origin: 'null' }),
    'a request of another site': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
    'no header X-Studio': () => ({ 'X-Studio': '' }),
  };
  it.each(Object.entries(refused))('a command is refused, and not run, with %s', async (_name, headersOf) => {
    const { port, send, signIn } = await startStudio(db.url);
    const cookie = await signIn();
    const { headers, body } = json({ path: 'preset add', arguments: ['mine'] });
    const usual = { ...headers, Cookie: cookie, 'X-Studio': '1' };
    const answer = await send('/run', { method: 'POST', body, headers: { ...usual, ...headersOf(port) } });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'scope_denied']);
    expect(await db.json('preset list')).toEqual({ data: [], meta: { total: 0 } });
  });

  test('the list of commands needs the cookie, the page does not', async () => {
    const { send } = await startStudio(db.url);
    expect((await send('/commands')).status).toBe(403);
    const page = await send('/');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(/<script>|<style>|style=|https?:\/\//);
  });

  test('the frame of a page needs the cookie, and its policy lets nothing run and only pictures and videos load', async () => {
    const { send, signIn } = await startStudio(db.url);
    expect((await send('/frame/1')).status).toBe(403);
    const Cookie = await signIn();
    const { headers, text } = await send('/frame/1', { headers: { Cookie } });
    expect(headers['content-security-policy']).toMatch(
      /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src (http:\/\/127\.0\.0\.1:\d+\/pictures\/[\w-]{43}\/) data:; media-src \1; frame-ancestors 'self'$/,
    );
    expect(text).toContain('<p><mark>Resource 1 has no page document');
  });

  test('pictures need the key of the run, and are pictures or videos', async () => {
    const folder = await makeTempDir('pictures');
    await writeFile(join(folder, 'lamp.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(folder, 'notes.html'), '<p>');
    await writeFile(join(folder, 'zip.webm'), '');
    const { send, signIn } = await startStudio(db.url, { env: { HCD_FILES_DIR: folder } });
    const Cookie = await signIn();
    const { pictures } = (await send('/commands', { headers: { Cookie } })).body.meta;
    const lamp = await send(`${pictures}/lamp.svg`, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect([lamp.status, lamp.headers['content-type'], lamp.headers['content-security-policy']]).toEqual([
      200,
      'image/svg+xml',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    const inside = ['zip.webm', 'notes.html', '..%2flamp.svg', 'missing.png'].map((name) => `${pictures}/${name}`);
    const others = [...inside, `/pictures/${'A'.repeat(43)}/lamp.svg`, '/pictures/lamp.svg'];
    const statuses = await Promise.all(others.map(async (path) => (await send(path, { headers: { Cookie } })).status));
    expect(statuses).toEqual([200, 404, 404, 404, 403, 404]);
    const rebound = await send(`${pictures}/lamp.svg`, { headers: { Host: 'rebound.example' } });
    expect(rebound.status).toBe(403);
  });

  test('other addresses and methods are refused as JSON', async () => {
    const { send } = await startStudio(db.url);
    const missing = await send('/nothing');
    expect([missing.status, missing.body.error]).toMatchObject([404, { code: 'not_found' }]);
    expect((await send('/run')).status).toBe(405);
  });

  test('it ends after the time of --idle without a request', async () => {
    const clock = fakeClock();
    const { outcome } = await startStudio(db.url, { flags: '--idle 10m', clock });
    await clock.advance(600_000);
    expect(await outcome).toBe(0);
  });
});

describe('the commands of Studio', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  async function offered(flags = ''): Promise<readonly { path: string; [name: string]: unknown }[]> {
    const { send, signIn } = await startStudio(db.url, { flags });
    return (await send('/commands', { headers: { Cookie: await signIn() } })).body.data;
  }

  const left = ['init', 'demo', 'serve', 'worker', 'restore', 'mcp', 'studio', 'webhook listen', 'completion', 'help'];

  test('are all but those that do not end or set up what it runs on', async () => {
    const paths = (await offered()).map(({ path }) => path);
    const all = Object.keys(createProgram().commands);
    expect(all.filter((path) => !paths.includes(path)).sort()).toEqual([...left].sort());
  });

  test('that change something are missing with --read-only, and are not run', async () => {
    const paths = (await offered('--read-only')).map(({ path }) => path);
    expect(paths).toMatchSnapshot();
    const { run } = await startStudio(db.url, { flags: '--read-only' });
    const answer = await run({ path: 'preset add', arguments: ['x'] });
    const message = 'Studio does not offer the command "preset add" while it is read-only';
    expect([answer.status, answer.body.error.message]).toEqual([404, message]);
  });

  test('have what a form needs, with the choices of this site', async () => {
    const commands = await offered();
    const key = commands.find(({ path }) => path === 'key create');
    expect(key).toMatchObject({ summary: 'Create an API key', destructive: false, reading: false, input: null });
    const scopes = { name: 'scopes', required: true, kind: 'list', choices: expect.arrayContaining(['preview']) };
    expect(key?.['options']).toContainEqual(expect.objectContaining(scopes));
    const input = commands.find(({ path }) => path === 'resource create')?.['input'];
    expect(input).toEqual({ label: '--file', description: 'File with such a JSON object', required: false });
    const flags = commands.flatMap(({ options }) => options as { name: string; kind: string }[]);
    expect(flags.filter(({ name, kind }) => name === 'watch' || kind === 'file')).toEqual([]);
  });
});

const tables = {
  site_templates: [{ id: 1, templatename: 'Home', content: '' }],
  site_content: [
    { id: 1, pagetitle: 'Start', alias: 'start', uri: 'start.html', published: 1, context_key: 'web', template: 1 },
    { id: 2, pagetitle: 'About', alias: 'about', uri: 'about.html', published: 1, context_key: 'web', template: 1 },
  ],
};

describeEachDatabase('a command in Studio', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), (store) => seed(store, tables));
  });

  const lines = ['resource list --limit 3', 'setting get gateway_enabled', 'element list templates', 'status'];
  it.each([...lines, 'section-type list'])('gives what --json prints: %s', async (line) => {
    const { run } = await startStudio(db.url);
    const [words, options] = requestOf(line);
    const answer = await run({ ...words, options });
    const printed = (await db.json(line)) as { data: unknown };
    expect(answer.status).toBe(200);
    if (line !== 'status') expect(answer.body.data).toEqual(printed.data);
    expect(answer.body.notes).toEqual(expect.any(Array));
  });

  function requestOf(line: string): [{ path: string; arguments: string[] }, Record<string, string>] {
    const words = splitLine(line);
    const path = Object.keys(createProgram().commands).find((one) => `${line} `.startsWith(`${one} `)) ?? '';
    const rest = words.slice(path.split(' ').length);
    const at = rest.findIndex((word) => word.startsWith('--'));
    const args = at < 0 ? rest : rest.slice(0, at);
    return [{ path, arguments: args }, at < 0 ? {} : { [rest[at]?.slice(2) ?? '']: rest[at + 1] ?? '' }];
  }

  // What is refused or read before the command runs does not meet the database.
  if (kind.name === 'mariadb') return;

  test('is refused with problems at its flags and arguments', async () => {
    const { run } = await startStudio(db.url);
    const answer = await run({ path: 'resource update', arguments: ['1'], options: { published: 'x' } });
    expect([answer.status, answer.body.error.code]).toEqual([422, expect.any(String)]);
    expect(Object.keys(answer.body.error.details.fields)).toEqual(['--published']);
  });

  const wrong: Readonly<Record<string, [object, number, RegExp]>> = {
    'no path': [{}, 422, /path must be the path of a command/],
    'an unknown command': [{ path: 'rm' }, 404, /does not offer the command "rm"/],
    'a command that does not end': [{ path: 'serve' }, 404, /does not offer/],
    'an unknown flag': [{ path: 'key list', options: { nope: 1 } }, 422, /--nope is not a flag of key list/],
    'a flag that never ends': [{ path: 'status', options: { watch: true } }, 422, /--watch is not taken/],
    'the name of a file': [{ path: 'resource create', options: { file: '/etc/passwd' } }, 422, /--file is not taken/],
    'another database': [{ path: 'key list', options: { database: 'sqlite:x' } }, 422, /--database is not a flag/],
    'input that nothing reads': [{ path: 'key list', input: 'x' }, 422, /input is not taken/],
    'input that is no file': [{ path: 'resource create', input: { name: 'x' } }, 422, /input must be a text, or/],
    'too many arguments': [{ path: 'resource show', arguments: ['1', '2'] }, 422, /too many: 2 instead of 1/],
    'arguments that are no list': [{ path: 'resource show', arguments: '1' }, 422, /arguments must be a list/],
    'options that are no object': [{ path: 'key list', options: [] }, 422, /options must be an object/],
    'a text for a switch': [
      { path: 'import', input: '', options: { 'dry-run': 'yes' } },
      422,
      /--dry-run must be true/,
    ],
    'an editor': [{ path: 'page edit', arguments: ['1'] }, 422, /--file is required/],
  };
  it.each(Object.entries(wrong))('is refused for %s', async (_name, [request_, status, message]) => {
    const { run } = await startStudio(db.url);
    const { status: given, body } = await run(request_);
    expect([given, body.error.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('asks before what cannot be undone, in the words of the terminal, and needs a yes', async () => {
    const { run } = await startStudio(db.url);
    const made = await run({ path: 'preset add', arguments: ['summer'] });
    const id = String(made.body.data.id);
    const asked = await run({ path: 'preset remove', arguments: [id] });
    const question = [expect.stringMatching(/^is needed: Remove .*summer.*\?$/)];
    expect([asked.status, asked.body.error.details.fields]).toEqual([422, { '--yes': question }]);
    expect(await db.json('preset list')).toMatchObject({ meta: { total: 1 } });
    expect((await run({ path: 'preset remove', arguments: [id], options: { yes: true } })).status).toBe(200);
    expect(await db.json('preset list')).toMatchObject({ meta: { total: 0 } });
  });

  test('reads a text or an uploaded file in place of a file', async () => {
    const { run } = await startStudio(db.url);
    const text = await run({ path: 'resource create', input: '{"pagetitle": "From a text"}' });
    expect([text.status, text.body.data.pagetitle]).toEqual([200, 'From a text']);
    const file = await upload({ path: 'resource create' }, ['{"pagetitle": "From a file"}', 'page.json']);
    expect([file.status, file.body.data.pagetitle]).toEqual([200, 'From a file']);
  });

  async function upload(request: object, [content, name]: readonly [content: string | Buffer, name: string]) {
    const { run } = await startStudio(db.url);
    return run({ ...request, input: { name, base64: Buffer.from(content).toString('base64') } });
  }

  const wrongFiles: Readonly<Record<string, [object, readonly [string | Buffer, string], number, RegExp]>> = {
    'bytes for JSON': [{ path: 'resource create' }, [Buffer.of(255, 254), 'lamp.jpg'], 409, /^lamp\.jpg is not UTF-8/],
    'a broken JSON': [{ path: 'resource create' }, ['{', 'a page.json'], 409, /^a page\.json is not valid JSON/],
    'a path for a name': [{ path: 'resource create' }, ['{', '../../etc/x.json'], 409, /^x\.json is not valid JSON/],
    'a name of controls': [{ path: 'resource create' }, ['{', '\u0000\n'], 409, /^\S+ is not valid JSON/],
    '16 MB of no JSON': [{ path: 'section-type import' }, [Buffer.alloc(16e6, 97), 'a'], 409, /^a is not valid JSON/],
    'no CSV': [
      { path: 'banner import-clicks', options: { type: 'clicks' } },
      ['nothing\n', 'clicks.csv'],
      409,
      /column|ad_id/,
    ],
    'a definition': [
      { path: 'object check', options: { 'no-database': true } },
      ['{', 'products.json'],
      200,
      /"file":"products\.json"/,
    ],
  };
  test.each(Object.entries(wrongFiles))('names the uploaded file in what it says of %s', async (_name, given) => {
    const [request, file, status, expected] = given;
    const answer = await upload(request, file);
    const said = answer.body.error?.message ?? JSON.stringify(answer.body.data);
    expect([answer.status, said]).toEqual([status, expect.stringMatching(expected)]);
    expect(answer.text).not.toContain('hcd-studio-');
  });

  test('refuses a file of more than 64 MB in words', async () => {
    const answer = await upload({ path: 'import' }, [Buffer.alloc(65 * 1024 * 1024), 'big']);
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  test('gives the file that it would write', async () => {
    const { run } = await startStudio(db.url);
    const file = await run({ path: 'export', options: { object: 'contexts' } });
    expect([file.status, file.headers['content-disposition']]).toEqual([200, 'attachment; filename="output"']);
    const withoutTime = (text: string) => text.replace(/"exported":"[^"]*"/, '');
    expect(withoutTime(file.text)).toBe(withoutTime((await db.run('export - --object contexts')).stdout));
  });

  test('is in the audit log as studio where it may change something, without its flags and secrets', async () => {
    const { run } = await startStudio(db.url);
    await run({ path: 'key list' });
    await run({ path: 'banner add', options: { name: 'Audited', description: 'not in the log' } });
    expect(await db.json('audit list --identity studio --method RUN --limit 1')).toMatchObject({
      data: [{ identity: 'studio', path: 'hcd banner add', status: 200 }],
    });
    expect(await db.json('banner audit --limit 1')).toMatchObject({ data: [{ username: 'studio', label: 'Audited' }] });
  });
});

it('has the same texts, with the same places for values, in each language', () => {
  const [english, german] = ['en', 'de'].map((name) => {
    const text = readFileSync(join(repository, `studio/src/texts/${name}.json`), 'utf8');
    const placesOf = (value: unknown) => (typeof value === 'string' ? (value.match(/\{\d\}/g) ?? []).sort() : value);
    return JSON.parse(text, (_name, value) => placesOf(value));
  });
  expect(german).toEqual(english);
});
