/** The process configuration: precedence, the file, relative paths, and every bad value reported at once. */
import { describe, expect, it } from 'vitest';
import { configNames, variableOf } from '../../src/config/definitions.js';
import { type ConfigInput, definitionOf, describeConfig, loadConfig } from '../../src/config/load.js';
import { AppError } from '../../src/errors/app-error.js';

const nothing: ConfigInput = { flags: {}, env: {}, file: null, cwd: '/site' };
const inFile = (text: string): ConfigInput => ({ ...nothing, file: { path: '/etc/hcd/hcd.toml', text } });

function problemsOf(input: ConfigInput): unknown {
  try {
    loadConfig(input);
  } catch (error) {
    if (error instanceof AppError && error.code === 'configuration_invalid') return error.details.fields;
    throw error;
  }
  return 'accepted';
}

describe('process configuration', () => {
  it('has these values by default', () => {
    const { config, sources, file } = loadConfig(nothing);
    // docs/settings.md, which a test compares with the program, has all of them.
    expect(config).toMatchObject({ database: 'sqlite:/site/hcd.sqlite', port: 8080, secret: null, plugins: [] });
    expect(config).toMatchObject({ objects_dir: '/site/objects', files_dir: '/site/files' });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(file).toBeNull();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.plugins)).toBe(true);
  });

  const precedence: readonly [name: string, input: Partial<ConfigInput>, port: number, source: string][] = [
    ['flag over all', { flags: { port: '1' }, env: { HCD_PORT: '2' } }, 1, 'flag'],
    ['environment over file', { env: { HCD_PORT: '2' } }, 2, 'environment'],
    ['file over default', {}, 3, 'file'],
    ['an empty variable counts as unset', { env: { HCD_PORT: '' } }, 3, 'file'],
  ];
  it.each(precedence)('%s', (_name, input, port, source) => {
    const loaded = loadConfig({ ...inFile('port = 3'), ...input });
    expect([loaded.config.port, loaded.sources.port]).toEqual([port, source]);
  });

  it('takes an empty content prefix from the environment', () => {
    const loaded = loadConfig({ ...inFile('content_prefix = "x_"'), env: { HCD_CONTENT_PREFIX: '' } });
    expect([loaded.config.content_prefix, loaded.sources.content_prefix]).toEqual(['', 'environment']);
  });

  it('reads native numbers and lists of the file and counts its paths from its folder', () => {
    const text = `
      database = "sqlite:data/site.sqlite"
      database_read_urls = ["mariadb://r:p@one/site", "sqlite:/abs/copy.sqlite"]
      port = 9000
      plugins = ["./a.js", "/opt/b.js"]
      log_format = "json"
    `;
    expect(loadConfig(inFile(text)).config).toEqual({
      ...loadConfig(nothing).config,
      database: 'sqlite:/etc/hcd/data/site.sqlite',
      database_read_urls: ['mariadb://r:p@one/site', 'sqlite:/abs/copy.sqlite'],
      port: 9000,
      plugins: ['/etc/hcd/a.js', '/opt/b.js'],
      log_format: 'json',
      objects_dir: '/etc/hcd/objects',
      files_dir: '/etc/hcd/files',
    });
  });

  it('resolves paths in flags and the environment from the working directory, also with a configuration file', () => {
    const { config } = loadConfig({
      ...inFile('port = 1'),
      flags: { database: 'sqlite:./x.sqlite' },
      env: { HCD_OBJECTS_DIR: 'o', HCD_PLUGINS: 'p.js, q.js' },
    });
    expect([config.database, config.objects_dir, config.plugins]).toEqual([
      'sqlite:/site/x.sqlite',
      '/site/o',
      ['/site/p.js', '/site/q.js'],
    ]);
  });

  it('reports every bad value of every source at once, each with its place', () => {
    const input: ConfigInput = {
      flags: { port: 'x' },
      env: { HCD_WORKERS: '0', HCD_DATABASE_URL: 'postgres://u:hidden@h/d', HCD_GATEWAY_CACHE_TTL: 'soon' },
      file: {
        path: '/etc/hcd.toml',
        text: 'prot = 1\nlog_level = "loud"\nplugins = [1]\nhost = { a = 1 }\ngateway_enabled = 1',
      },
      cwd: '/site',
    };
    expect(problemsOf(input)).toEqual({
      port: ['must be an integer from 0 to 65535, not "x" (--port)'],
      workers: ['must be an integer from 1 to 256, not "0" (HCD_WORKERS)'],
      database: [
        'must be sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB (mysql:// too, ?socketPath= for a socket) (HCD_DATABASE_URL)',
      ],
      prot: ['is not a configuration name; did you mean port? (/etc/hcd.toml)'],
      log_level: ['must be one of debug, info, warn, error, not "loud" (/etc/hcd.toml)'],
      plugins: ['must be a comma list, each element the path of a file (/etc/hcd.toml)'],
      host: ['must be a host name or IP address (/etc/hcd.toml)'],
      gateway_enabled: [
        'is a runtime setting: use hcd setting set gateway_enabled VALUE, or HCD_GATEWAY_ENABLED (/etc/hcd.toml)',
      ],
      HCD_GATEWAY_CACHE_TTL: ['must be an integer from 0 to 31536000, not "soon"'],
    });
  });

  it('lists the names where an unknown key is close to none', () => {
    expect(problemsOf(inFile('colour = "red"'))).toEqual({
      colour: [`is not a configuration name; known are ${configNames.join(', ')} (/etc/hcd/hcd.toml)`],
    });
  });

  it.each([
    ['no TOML', 'port 8080', 'is not valid TOML at line 1, column 6'],
    ['a key given twice', 'secret = "topsecret-topsecret"\nsecret = "b"', 'is not valid TOML at line 2, column 1'],
  ])('names the place but not the line of a file with %s', (_name, text, problem) => {
    expect(problemsOf(inFile(text))).toEqual({ '/etc/hcd/hcd.toml': [problem] });
  });

  it('never repeats a refused secret', () => {
    const env = {
      HCD_SECRET: 'too short',
      HCD_DATABASE_READ_URLS: 'mariadb://a:b@h/d,nonsense:hunter2',
      HCD_BANNERS_API_KEY: 'brief',
    };
    const text = JSON.stringify(problemsOf({ ...nothing, env }));
    expect(text).toContain('16 characters or more (HCD_SECRET)');
    expect(text).not.toMatch(/too short|hunter2|brief/);
  });

  it('refuses an in-memory database nowhere but in the store, and an unknown scheme here', () => {
    expect(problemsOf({ ...nothing, flags: { database: 'sqlite::memory:' } })).toBe('accepted');
    expect(loadConfig({ ...nothing, flags: { database: 'sqlite::memory:' } }).config.database).toBe('sqlite::memory:');
    expect(problemsOf({ ...nothing, flags: { database: './x.sqlite' } })).not.toBe('accepted');
  });
});

describe('the list of definitions', () => {
  it('refuses a folder of files that holds the database or the configuration', () => {
    const why = (path: string) => [
      `holds ${path}, which anyone could read under /files: choose a folder of its own, such as ./files`,
    ];
    expect(problemsOf({ ...nothing, env: { HCD_FILES_DIR: '.' } })).toEqual({ files_dir: why('/site/hcd.sqlite') });
    expect(problemsOf({ ...inFile(''), env: { HCD_FILES_DIR: '/etc' } })).toEqual({
      files_dir: why('/etc/hcd/hcd.toml'),
    });
    expect(problemsOf({ ...nothing, env: { HCD_FILES_DIR: '/site/hcd' } })).toBe('accepted');
  });

  it('has a variable of its own for every value', () => {
    const variables = configNames.map(variableOf);
    expect(new Set(variables).size).toBe(configNames.length);
    for (const variable of variables) expect(variable).toMatch(/^HCD_[A-Z_]+$/);
  });

  it.each(configNames)('describes %s in a sentence and accepts its own default', (name) => {
    const { description, type, default: value } = definitionOf(name);
    expect(description).toMatch(/^[A-Z].*[.]$/);
    if (value !== null) expect(type.parse(type.format(value))).toEqual({ ok: true, value });
  });
});

describe('the described configuration', () => {
  it('masks secrets and lists the settings that the environment fixes', () => {
    const env = {
      HCD_DATABASE_URL: 'mariadb://site:p@ss:word@db.example:3306/site?tls=require',
      HCD_DATABASE_READ_URLS: 'mysql://r:one@a/site,mariadb://r@b/site',
      HCD_SECRET: 'a-secret-of-many-letters',
      HCD_GATEWAY_CACHE_TTL: '60',
      HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,shop',
      HCD_BANNERS_API_KEY: 'banner-key-of-many-letters',
    };
    const rows = describeConfig(loadConfig({ ...nothing, env, flags: { port: '0' } }), env);
    const shown = rows.map(({ default: _default, description: _description, ...row }) => row);
    expect(shown.filter(({ source }) => source !== 'default')).toEqual([
      {
        name: 'database',
        value: 'mariadb://site:***@db.example:3306/site?tls=require',
        source: 'environment',
        locked: true,
      },
      {
        name: 'database_read_urls',
        value: ['mysql://r:***@a/site', 'mariadb://r@b/site'],
        source: 'environment',
        locked: true,
      },
      { name: 'port', value: 0, source: 'flag', locked: false },
      { name: 'secret', value: '********', source: 'environment', locked: true },
      { name: 'gateway_allowed_contexts', value: ['web', 'shop'], source: 'environment', locked: true },
      { name: 'gateway_cache_ttl', value: 60, source: 'environment', locked: true },
      { name: 'banners_api_key', value: '********', source: 'environment', locked: true },
    ]);
    expect(rows[0]).toMatchObject({ default: 'sqlite:./hcd.sqlite', description: expect.stringMatching(/SQLite/) });
    expect(JSON.stringify(rows)).not.toMatch(/p@ss|word@|one@|many-letters/);
  });
});
