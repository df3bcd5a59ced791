/** scratch */
import { chromium } from 'playwright-core';
import { test } from 'vitest';
import { startReferenceSite } from './reference-site.js';
test('shots', async () => {
  const site = await startReferenceSite({});
  const r = await site.get('/docs', { headers: { accept: 'text/html' } });
  console.log(r.status, r.text.length, r.headers.get('content-security-policy'));
  const d = await site.get('/meta/openapi.json');
  console.log(d.text.length);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
  const url = `${site.url}/api/v1/docs`;
  for (const [name, opt] of Object.entries({ light: { colorScheme: 'light', viewport: { width: 1440, height: 1000 } }, dark: { colorScheme: 'dark', viewport: { width: 1440, height: 1000 } }, phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true } } as const)) {
    const page = await browser.newPage(opt);
    page.on('console', (m) => console.log(name, m.type(), m.text()));
    page.on('pageerror', (e) => console.log(name, e.message));
    await page.goto(url);
    console.log(name, 'overflow', await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    const shot = (n: string) => page.screenshot({ path: `/tmp/docs-shots/${name}-${n}.png` });
    await shot('top');
    const op = page.locator('[id="op-resources.list.get"]');
    await op.scrollIntoViewIfNeeded();
    await page.goto(`${url}#op-resources.list.get`);
    await page.waitForTimeout(700);
    await shot('op');
    await op.getByRole('button', { name: 'Try it' }).click();
    await op.getByLabel('limit').fill('2');
    await op.getByRole('button', { name: 'Send' }).click();
    await op.locator('.result .status').waitFor();
    await op.locator('.result').scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    await shot('try');
    for (const d of await op.locator('details').all()) await d.evaluate('(d) => d.open = true');
    await op.locator('details.members').scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    await shot('members');
    for (const h of ['object-resources', 'errors', 'operators', 'op-objects.fair_posters.list.get']) {
      await page.goto(`${url}#${h}`);
      await page.waitForTimeout(700);
      await shot(h);
    }
    if (name === 'phone') { await page.goto(`${url}#contents`); await page.waitForTimeout(300); await shot('menu'); }
    await page.close();
  }
  const page = await browser.newPage();
  await page.goto(url);
  await page.pdf({ path: '/tmp/docs-shots/print.pdf' });
  await browser.close();
}, 120000);
