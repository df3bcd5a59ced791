/** The page of Studio in a real browser: forms of commands, questions, hostile texts, languages, accessibility. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { seed } from '../support/seed.js';
import { atEachWidth, describeStudio, expectKept, expectUsable, hostile, type View } from '../support/studio-page.js';

describeStudio('the page of Studio', (kind, openStudio) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, {
        site_templates: [{ id: 1, templatename: '<b>Page</b>', content: '' }],
        site_content: [{ id: 1, pagetitle: hostile, alias: 'a', uri: 'a.html', published: 1, template: 1 }],
      }),
    );
  });

  const open = async (view: View = {}): Promise<Page> => (await openStudio(db.url, view)).page;

  async function openCommand(page: Page, path: string): Promise<void> {
    await page.evaluate("location.hash = '#/commands'");
    await page.getByRole('searchbox', { name: 'Find a command' }).fill(path);
    await page.getByRole('navigation', { name: 'Commands' }).getByRole('link').first().click();
  }

  test('a command is found, filled in, run and shown as a table and as JSON', async () => {
    const page = await open();
    expect(page.url()).not.toMatch(/#[\w-]{43}/);
    await openCommand(page, 'preset add');
    await page.getByLabel('Name').fill("Editor's choice");
    await page.getByText('Optional').click();
    expect(await page.locator('.line code').innerText()).toBe(`hcd preset add 'Editor'\\''s choice'`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    await openCommand(page, 'preset list');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('cell', { name: "Editor's choice" }).waitFor();
    await page.getByRole('button', { name: 'JSON' }).click();
    expect(await page.locator('.result pre').innerText()).toContain(`"name": "Editor's choice"`);
  });

  // From here on the page is the same on both databases, and so are its commands, by tests of their own.
  if (kind.name === 'mariadb') return;

  test('a problem stands beside its field, in the words of the command', async () => {
    const page = await open();
    await openCommand(page, 'key create');
    await page.getByLabel('Expires', { exact: true }).fill('yesterday');
    await page.getByRole('button', { name: 'Run' }).click();
    const field = page.locator('.field', { has: page.getByLabel('Expires', { exact: true }) });
    await field.locator('.problem').waitFor();
    expect(await page.getByRole('group', { name: 'May do' }).locator('.problem').innerText()).toBe('is required');
  });

  test('what cannot be undone is asked, and Escape does nothing', async () => {
    await db.run('preset add Doomed');
    const page = await open();
    await openCommand(page, 'preset remove');
    await page.locator('form input[type=text]').fill('Doomed');
    await page.getByRole('button', { name: 'Run' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('.question').innerText()).toMatch(/Remove .*Doomed/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await db.run('preset list')).stdout).toContain('Doomed');
    await page.getByRole('button', { name: 'Run' }).click();
    await dialog.getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    expect((await db.run('preset list')).stdout).not.toContain('Doomed');
  });

  test('hostile texts are shown as texts', async () => {
    const page = await open();
    await openCommand(page, 'resource list');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('cell', { name: '<img src=x' }).first().waitFor();
    expect(await page.title()).toBe('hcd studio');
  });

  test('a file is uploaded where a command reads one', async () => {
    const page = await open();
    await openCommand(page, 'resource create');
    const buffer = Buffer.from('{"pagetitle": "Uploaded"}');
    await page.locator('input[type=file]').setInputFiles({ name: 'page.json', mimeType: 'application/json', buffer });
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.record dd', { hasText: 'Uploaded' }).first().waitFor();
  });

  test('after its end it says so, and what was typed stays', async () => {
    const opened = await openStudio(db.url);
    await openCommand(opened.page, 'preset add');
    await expectKept(opened, /^Name/, 'Run');
  });

  test('all its texts are there in German', async () => {
    const page = await open({ locale: 'de-DE' });
    await page.getByRole('link', { name: 'Befehle' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.evaluate("location.hash = '#/banners/new'");
    await page.getByText('Wohin ein Klick führt; leer: nirgendwohin').waitFor();
    expect(await page.locator('form .help').allInnerTexts()).not.toContainEqual(expect.stringMatching(/[a-z] the /));
  });

  atEachWidth(async (view) => {
    const page = await open(view);
    await page.getByRole('link', { name: 'Commands' }).click();
    await page.getByText('Choose a command.').waitFor();
    await expectUsable(page);
    await openCommand(page, 'resource list');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    await expectUsable(page);
  });
});
