/** Addresses of Redis: their parts, and refusals that show none of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskDatabaseUrl, parseRedisUrl, type RedisAddress, redisUrlValue } from '../../src/config/address-values.js';
import { loadConfig } from '../../src/config/load.js';
import { AppError } from '../../src/errors/app-error.js';

const local = { host: '127.0.0.1', port: 6379, tls: false };
const open = { username: null, password: null, database: 0 };

const accepted: readonly [text: string, address: RedisAddress][] = [
  ['redis://127.0.0.1', { ...open, at: local }],
  ['redis://127.0.0.1/', { ...open, at: local }],
  ['redis://127.0.0.1:7000/3', { ...open, at: { ...local, port: 7000 }, database: 3 }],
  ['REDISS://cache.example', { ...open, at: { host: 'cache.example', port: 6379, tls: true } }],
  ['redis://[::1]:7000', { ...open, at: { host: '::1', port: 7000, tls: false } }],
  ['redis://:secret@127.0.0.1', { ...open, at: local, password: 'secret' }],
  ['redis://hcd:p%40ss%2F%23@127.0.0.1', { ...open, at: local, username: 'hcd', password: 'p@ss/#' }],
  ['unix:///run/redis.sock', { ...open, at: { socketPath: '/run/redis.sock' } }],
  [
    'unix://hcd:secret@/run/my%20redis.sock?db=2',
    { at: { socketPath: '/run/my redis.sock' }, username: 'hcd', password: 'secret', database: 2 },
  ],
];

const refused: readonly [name: string, text: string][] = [
  ['no scheme', '127.0.0.1:6379'],
  ['another scheme', 'http://127.0.0.1'],
  ['no host', 'redis://'],
  ['a user without a password', 'redis://secret@127.0.0.1'],
  ['an empty password', 'redis://hcd:@127.0.0.1'],
  ['a password that is not encoded', 'redis://:se/cret@127.0.0.1'],
  ['a password with a broken code', 'redis://:se%zzcret@127.0.0.1'],
  ['port 0', 'redis://127.0.0.1:0'],
  ['a port beyond 65535', 'redis://127.0.0.1:65536'],
  ['a name of a database', 'redis://127.0.0.1/cache'],
  ['a parameter', 'redis://127.0.0.1?timeout=5'],
  ['a relative path', 'unix:redis.sock'],
  ['another parameter of a socket', 'unix:///run/redis.sock?database=2'],
];

describe('an address of Redis', () => {
  it.each(accepted)('%s is read', (text, address) => {
    expect(parseRedisUrl(text)).toEqual(address);
    expect(redisUrlValue.parse(text)).toEqual({ ok: true, value: text });
  });

  it.each(refused)('with %s is refused', (_name, text) => {
    expect(parseRedisUrl(text)).toBeUndefined();
  });

  it('is refused without being shown', () => {
    try {
      loadConfig({ flags: {}, env: { HCD_REDIS_URL: 'redis://top:se/cret@h' }, file: null, cwd: '/site' });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.details.fields).toEqual({ redis: [`must be ${redisUrlValue.accepts} (HCD_REDIS_URL)`] });
    }
  });

  it('is shown without its password, whatever that is', () => {
    const password = fc.string({ minLength: 3, unit: 'grapheme' });
    const place = fc.constantFrom('127.0.0.1:7000/1', '[::1]', '/run/redis.sock?db=1');
    fc.assert(
      fc.property(password, fc.constantFrom('', 'hcd'), place, (secret, user, where) => {
        const scheme = where.startsWith('/') ? 'unix' : 'redis';
        const url = `${scheme}://${user}:${encodeURIComponent(secret)}@${where}`;
        expect(parseRedisUrl(url)?.password).toBe(secret);
        expect(maskDatabaseUrl(url)).toBe(`${scheme}://${user}:***@${where}`);
      }),
    );
  });
});

describe('counting in Redis', () => {
  it('needs an address', () => {
    try {
      loadConfig({ flags: {}, env: { HCD_RATE_LIMIT_STORE: 'redis' }, file: null, cwd: '/site' });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.details.fields).toEqual({
        rate_limit_store: [
          'is redis, which needs the address of a Redis server: set HCD_REDIS_URL (redis in hcd.toml)',
        ],
      });
    }
  });
});
