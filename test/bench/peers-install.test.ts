/** What the bench of peers installs, and what it says when it cannot. */
import { describe, expect, it } from 'vitest';
import { whyNot } from '../../bench/peers/install.js';
import { installations } from '../../bench/peers/versions.js';

describe('the installations', () => {
  it.each(Object.entries(installations))('name exact versions and what they take them from: %s', (_, one) => {
    const packages: Readonly<Record<string, string>> = one.packages;
    for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(packages).toHaveProperty([one.main]);
    for (const name of one.native) expect(Object.keys(packages).length === 1 || name in packages).toBe(true);
  });
});

describe('a failed installation', () => {
  it('says that there is no network', () => {
    const stderr = 'npm warn something\nnpm error code ENOTFOUND\nnpm error request to the registry failed\n';
    expect(whyNot(['one', 'two'], { code: 1, stderr })).toBe(
      'one, two cannot be installed: the npm registry cannot be reached (ENOTFOUND); the first run needs a network, later ones do not',
    );
  });

  it('says that there is no npm', () => {
    expect(whyNot(['one'], { code: 'ENOENT' })).toBe('one cannot be installed: there is no npm in PATH');
  });

  it('says what npm says otherwise', () => {
    const stderr = 'npm error code ETARGET\nnpm error notarget No matching version found for one@9.\n';
    expect(whyNot(['one'], { code: 1, stderr })).toBe(
      'one cannot be installed: npm says "code ETARGET notarget No matching version found for one@9."',
    );
  });
});
