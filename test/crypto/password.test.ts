/** Passwords: every scheme against vectors of independent implementations, the form of new hashes, and equal work. */
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import {
  bcryptDecoy,
  decoysLike,
  hashPassword,
  isHashable,
  type StoredPassword,
  verifyPassword,
} from '../../src/crypto/password.js';

const work = vi.hoisted(() => [] as string[]);

/** The libraries themselves, with a note of each call. */
vi.mock('@node-rs/bcrypt', async (original) => {
  const real = await original<typeof import('@node-rs/bcrypt')>();
  const verify: typeof real.verify = (password, hash) => {
    work.push(`bcrypt ${String(hash).slice(4, 6)}`);
    return real.verify(password, hash);
  };
  return { ...real, verify };
});
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const verify: typeof real.verify = (hash, password) => {
    work.push(`argon2 ${/m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0]}`);
    return real.verify(hash, password);
  };
  return { ...real, verify };
});

const native = 'MODX\\Revolution\\Hashing\\modNative';
const pbkdf2 = 'MODX\\Revolution\\Hashing\\modPBKDF2';
const md5 = 'MODX\\Revolution\\Hashing\\modMD5';
/** Cheap, so that tests are quick. */
const decoys = [bcryptDecoy('04')];

const verify = (password: string, stored: Partial<StoredPassword> | null): Promise<boolean> =>
  verifyPassword(password, { stored: stored && { hash: '', hashClass: native, salt: '', ...stored }, decoys });

const person = 'Pässwörd-1';

// crypt_blowfish, the manual of PHP, the reference implementation of Argon2, hashlib of Python.
const vectors: readonly (readonly [name: string, password: string, stored: Partial<StoredPassword>])[] = [
  ['bcrypt 2a', 'U*U', { hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' }],
  ['bcrypt 2b', 'U*U*', { hash: '$2b$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK' }],
  ['bcrypt 2y of PHP', 'rasmuslerdorf', { hash: '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq' }],
  [
    'bcrypt in version 2 of the CMS',
    'U*U*U',
    { hash: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a', hashClass: 'hashing.modNative' },
  ],
  [
    'argon2id of another cost',
    'password',
    { hash: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc' },
  ],
  [
    'bcrypt of the C library, beyond ASCII',
    person,
    { hash: '$2y$06$abcdefghijklmnopqrstuuc5o2Qh6CtlEOJFUDtzH1hGS6pEl3vwa' },
  ],
  ['PBKDF2', person, { hash: 'x0c6F9BPvmU45WimTevdlolVe+TTQEvBoeTpvdF93Hc=', hashClass: pbkdf2, salt: 'f3a9c0de' }],
  [
    'PBKDF2 of version 2',
    person,
    { hash: 'x0c6F9BPvmU45WimTevdlolVe+TTQEvBoeTpvdF93Hc=', hashClass: 'hashing.modPBKDF2', salt: 'f3a9c0de' },
  ],
  ['MD5', person, { hash: '530230989f10d955e2616eb2acd37f5f', hashClass: md5 }],
  ['MD5 of version 2', person, { hash: '530230989f10d955e2616eb2acd37f5f', hashClass: 'hashing.modMD5' }],
];

describe('a stored password', () => {
  test.each(vectors)('is verified: %s', async (_name, password, stored) => {
    expect(await verify(password, stored)).toBe(true);
    for (const wrong of [
      '',
      `${password} `,
      password.toUpperCase() === password ? `${password}x` : password.toUpperCase(),
    ]) {
      expect([wrong, await verify(wrong, stored)]).toEqual([wrong, false]);
    }
  });

  test.each([
    ['nothing', { hash: '' }],
    ['a text that locks the account', { hash: '!' }],
    ['the password itself', { hash: person }],
    ['a bcrypt hash that is cut', { hash: '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dM' }],
    ['a bcrypt hash of no cost', { hash: '$2y$00$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq' }],
    ['an argon2 hash that is cut', { hash: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ' }],
    ['an MD5 as native hash', { hash: '530230989f10d955e2616eb2acd37f5f' }],
    ['an empty PBKDF2', { hash: '', hashClass: pbkdf2 }],
    ['an empty MD5', { hash: '', hashClass: md5 }],
    ['an unknown class', { hash: '530230989f10d955e2616eb2acd37f5f', hashClass: 'hashing.modMagic' }],
    ['no class', { hash: '530230989f10d955e2616eb2acd37f5f', hashClass: '' }],
  ])('fits no password when it is %s', async (_name, stored) => {
    for (const password of [person, '', '!']) expect(await verify(password, stored)).toBe(false);
  });

  it('fits no password when there is no user', async () => {
    expect(await verify(person, null)).toBe(false);
  });
});

describe('a new hash', () => {
  it('is argon2id with the cost of OWASP, another one each time', async () => {
    const [one, other] = [await hashPassword(person, 'argon2id'), await hashPassword(person, 'argon2id')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect([await verify(person, { hash: one }), await verify('Password-1', { hash: one })]).toEqual([true, false]);
  });

  it('is bcrypt as PHP writes it where the CMS reads it, never of a part of the password', async () => {
    const hash = await hashPassword(person, 'bcrypt');
    expect(hash).toMatch(/^\$2y\$12\$[./A-Za-z0-9]{53}$/);
    expect([await verify(person, { hash }), await verify('Password-1', { hash })]).toEqual([true, false]);
    await expect(hashPassword('x'.repeat(73), 'bcrypt')).rejects.toThrow();
  });

  it('is made of 1 to 1024 bytes without NUL', () => {
    const texts = ['', 'x', 'ä'.repeat(512), `${'ä'.repeat(512)}x`, 'x\0x'];
    expect(texts.map(isHashable)).toEqual([false, true, true, false, false]);
  });
});

describe('the work of a verification', () => {
  const argon = 'argon2 m=19456,t=2,p=1';
  test.each([
    ['nobody', null, 'bcrypt 04'],
    ['PBKDF2', vectors[6]?.[2] ?? null, 'bcrypt 04'],
    ['MD5', vectors[8]?.[2] ?? null, 'bcrypt 04'],
    ['a locked account', { hash: '!' }, 'bcrypt 04'],
  ])('is one slow hash, whatever is stored: %s', async (_name, stored, expected) => {
    work.length = 0;
    await verify(person, stored);
    expect(work).toEqual([expected]);
  });

  it('puts a cost that was not looked up before on top', async () => {
    work.length = 0;
    await verify(person, vectors[2]?.[2] ?? null);
    expect(work).toEqual(['bcrypt 04', 'bcrypt 07']);
  });

  test('is the same for every user of a site and for none, whatever costs its hashes have', async () => {
    const salted = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const hashes = fc.oneof(
      fc.integer({ min: 4, max: 6 }).map((cost) => `$2y$0${cost}$${'.'.repeat(53)}`),
      fc
        .tuple(
          fc.constantFrom('argon2id$v=19', 'argon2i$v=19', 'argon2id$v=16', 'argon2d$v=19'),
          fc.integer({ min: 8, max: 64 }),
        )
        .map(([kind, memory]) => `$${kind}$m=${memory},t=1,p=1$${salted}`),
      fc.constantFrom('!', '', '$2y$31$', `$2y$99$${'.'.repeat(53)}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(hashes, { minLength: 1, maxLength: 5 }), async (all) => {
        const site = decoysLike(all);
        const done: string[][] = [];
        for (const hash of [null, ...all]) {
          work.length = 0;
          await verifyPassword(person, {
            stored: hash === null ? null : { hash, hashClass: native, salt: '' },
            decoys: site,
          });
          done.push([...work].sort());
        }
        expect(new Set(done.map(String)).size).toBe(1);
        // Each cost once, the highest one among them.
        expect(done[0]).toHaveLength(site.length);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['nothing', null, argon],
    [
      'argon2id',
      '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
      'argon2 m=65536,t=3,p=4',
    ],
    ['bcrypt', '$2y$06$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq', 'bcrypt 06'],
    ['a locked account', '!', argon],
  ])('done in vain costs as much as the example: %s', async (_name, example, expected) => {
    work.length = 0;
    for (const password of ['', person]) {
      expect(
        await verifyPassword(password, { stored: null, decoys: decoysLike(example === null ? [] : [example]) }),
      ).toBe(false);
    }
    expect(work).toEqual([expected, expected]);
  });

  // Another program wrote the rows of an existing site: one of them must not stop the server or exhaust its memory.
  const absurd = [
    ['bcrypt that takes days', `$2y$31$${'.'.repeat(53)}`],
    ['bcrypt that takes minutes', `$2y$17$${'.'.repeat(53)}`],
    ['bcrypt of no cost that there is', `$2y$99$${'.'.repeat(53)}`],
    ['argon2 in more memory than there is', `$argon2id$v=19$m=4194304000,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    ['argon2 in gigabytes', `$argon2id$v=19$m=2097152,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    ['argon2 that takes hours', `$argon2id$v=19$m=65536,t=4294967295,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    ['argon2 of many passes', `$argon2i$v=19$m=262144,t=9,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    ['argon2 of many lanes', `$argon2d$m=65536,t=1,p=65$${'A'.repeat(22)}$${'A'.repeat(43)}`],
    ['argon2 with its cost in another order', `$argon2id$v=19$t=1,m=2097152,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
  ] as const;

  test.each(absurd)('is never %s, and neither is work in vain', async (_name, hash) => {
    work.length = 0;
    expect(await verify(person, { hash })).toBe(false);
    expect(work).toEqual(['bcrypt 04']);
    expect(decoysLike([hash])).toEqual(decoysLike([]));
  });

  it('leaves the event loop free', async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    await verifyPassword(person, { stored: null, decoys: [bcryptDecoy('11')] });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });
});
