/** How commands store keys and secrets that no other program reads, and what works with them. */
import { expect, it } from 'vitest';
import { sha256Hex } from '../../../src/crypto/primitives.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite } from '../../support/site.js';

const root = { HCD_SECRET: 'a root secret for tests, long enough' };

describeEachDatabase('a secret that a command stores', (kind) => {
  it('stands in the database as a digest or encrypted, and works', async () => {
    const db = await prepareCliDatabase(await kind.url());
    const stored = async (key: string): Promise<string> =>
      String((await db.rows('SELECT value FROM modx_system_settings WHERE `key` = ?', [key]))[0]?.[0]);
    await db.run('setting set pages_public_api_enabled 1');
    const site = await startTestSite({ databaseUrl: db.url, secret: root.HCD_SECRET });
    const ask = async (key: string) => {
      await site.live.refresh();
      return (await fetch(`${site.url}/pages/api.php?action=web/catalog/list&api_key=${encodeURIComponent(key)}`))
        .status;
    };
    for (const [key, form] of [
      ['open sesame, open wide', /^sha256:[0-9a-f]{64}$/],
      ['open sesame', /^sha256:[0-9a-f]{64}:short$/],
    ] as const) {
      await db.run(['setting', 'set', 'pages_public_api_key', key]);
      expect(await stored('pages_public_api_key')).toMatch(form);
      expect([
        await ask(key),
        await ask(`${key}!`),
        await ask(sha256Hex(key)),
        await ask(await stored('pages_public_api_key')),
      ]).toEqual([200, 401, 401, 401]);
    }
    // As it stands it may be set again, and what the CMS's manager stores works as well.
    const before = await stored('pages_public_api_key');
    await db.run(['setting', 'set', 'pages_public_api_key', before]);
    expect(await stored('pages_public_api_key')).toBe(before);
    await site.change(["UPDATE modx_system_settings SET value = 'in the clear' WHERE `key` = 'pages_public_api_key'"]);
    expect([await ask('in the clear'), await ask('open sesame')]).toEqual([200, 401]);

    const secret = 'a-secret-of-the-messages';
    await db.run(['setting', 'set', 'banners_webhook_secret', secret], { env: root });
    expect(await stored('banners_webhook_secret')).toMatch(/^s1\./);
    expect(await stored('banners_webhook_secret')).not.toContain(secret);
    expect((await db.run('setting set banners_webhook_secret short')).code).toBe(1);
  });

  it('is reported by doctor when it is short, stored in the clear, or stored next to its key', async () => {
    const db = await prepareCliDatabase(await kind.url());
    const findings = async (env: Record<string, string>) => {
      const outcome = await db.run('doctor --json', { env });
      const { data } = JSON.parse(outcome.stdout) as { data: { check: string; detail: string }[] };
      return data.filter(({ check }) => check === 'secrets').map(({ detail }) => detail);
    };
    expect(await findings({})).toEqual([
      'HCD_SECRET is not set: the database stores its encrypted secrets next to their key',
    ]);
    expect(await findings(root)).toEqual(['no key is short, and none is stored in the clear']);
    await db.run(['setting', 'set', 'banners_api_key', 'a-key-of-the-banners']);
    await db.run(['setting', 'set', 'banners_api_key_previous', 'the-key-before-that']);
    await db.run(['setting', 'set', 'pages_public_api_key', 'open sesame']);
    await db.run(['setting', 'set', 'pages_rest_token_pepper', 'a-pepper-of-enough']);
    await db.run(['setting', 'set', 'banners_webhook_secret', 'a-secret-of-the-messages'], { env: root });
    const inTheClear = (key: string) =>
      `${key} is stored in the clear: anyone who reads the database or a backup can use it`;
    expect(await findings(root)).toEqual([
      'pages_public_api_key is shorter than 16 characters and can be guessed',
      inTheClear('banners_api_key'),
      inTheClear('banners_api_key_previous'),
      inTheClear('pages_rest_token_pepper'),
    ]);
    expect(await findings({ HCD_SECRET: 'another root secret' })).toContainEqual(
      expect.stringMatching(/^banners_webhook_secret cannot be decrypted/),
    );
    await db.change(({ content }) =>
      content.write(async (tx) => {
        const sql =
          "UPDATE modx_system_settings SET value = 'a-secret-of-the-messages' WHERE `key` = 'banners_webhook_secret'";
        await tx.run({ sql, params: [] });
      }),
    );
    expect(await findings(root)).toContainEqual(inTheClear('banners_webhook_secret'));
  });
});
