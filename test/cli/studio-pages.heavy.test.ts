/** The room of pages of Studio in a real browser: what an editor does with it, and what may go wrong. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { seed } from '../support/seed.js';
import { atEachWidth, describeStudio, expectUsable, hostile, png, type View } from '../support/studio-page.js';
import { makeTempDir } from '../support/temp-dir.js';

type Draft = Readonly<Record<'sections', readonly { readonly data: Readonly<Record<string, unknown>> }[]>>;

const options = ['a', 'b'].map((value) => ({ value, label: value.toUpperCase() }));
const filters = [{ field: 'parent', op: 'eq', value: 5 }];
const sort = [{ field: 'id', direction: 'asc' }];
const name = { name: 'name', type: 'text', label: 'Name' };

/** A value for each kind of field. */
const everyField = {
  key: 'every',
  version: 1,
  label: 'Every field',
  category: 'content',
  fields: Object.entries<readonly [value: unknown, more?: object]>({
    text: ['Text'],
    textarea: ['One\nTwo'],
    richtext: ['<p>Rich</p>'],
    ace: ['<p>Code</p>'],
    number: [4],
    checkbox: [true],
    url: ['/about.html'],
    slug: ['a-slug'],
    email: ['desk@larkfell.example'],
    select: ['a', { options }],
    multiselect: [['a'], { options }],
    tag: [['red']],
    color: ['#ff0000'],
    date: ['2026-11-21'],
    time: ['09:30'],
    datetime: ['2026-11-21T09:30'],
    daterange: [{ from: '2027-01-01', to: '2027-01-31' }],
    image: [{ url: '/files/a.png', title: 'Kept' }],
    gallery: [[{ url: '/files/a.png' }, { url: '/files/b.png' }]],
    video: [{ url: 'https://vimeo.com/76979871' }],
    map: [{ lat: 54.3, lng: -3, zoom: 14, provider: 'osm' }],
    button: [{ label: 'Prices', url: '/prices.html', target: '_blank' }],
    repeater: [[{ name: 'Row' }], { fields: [name] }],
    jsongrid: [[{ size: 'M', grams: 430 }]],
    editorjs: [{ json: { blocks: [] }, html: '<p>Blocks</p>' }],
    relation: [2],
    resourcelist: [[2, 1]],
    products: [['sku-1', 7]],
    keyvalue: [[{ key: 'Weight', value: '430 g' }]],
    embeddedTable: [{ table_key: 'sizes', limit: 20 }],
    datasource: [{ provider: 'resources', filters, sort, limit: 6 }],
    schedule: ['{"mon":["09:00-17:00"]}'],
    fieldset: [undefined, { fields: [{ name: 'inner', type: 'text', label: 'Inner' }] }],
    heading: [undefined],
    hidden: ['secret'],
    readonly: ['fixed'],
  }).map(([type, [value, more = {}]]) => ({ name: type, type, label: `F ${type}`, value, ...more })),
  template: '<section>{{ data.text }}</section>',
};

const everyType = { ...everyField, fields: everyField.fields.map(({ value, ...field }) => field) };

const shown = { published: 1, template: 1 };

/** What is typed into some of them, by label. */
const typed = {
  'F number': '12,5',
  'F slug': 'changed-slug',
  'F date': '2027-01-02',
  To: '2027-02-01',
  Latitude: '50',
  Longitude: '8',
  Monday: '08:00-12:00, 13:00-17:00',
  size: 'L',
  Inner: 'Inner',
};

describeStudio('the pages of Studio', (kind, openStudio) => {
  let db: CliDatabase;
  let env: Record<string, string>;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    env = { HCD_FILES_DIR: join(await makeTempDir('studio-pages'), 'files') };
    db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, {
        site_templates: [{ id: 1, templatename: 'Page', content: '' }],
        context: [{ key: 'shop', name: 'Shop' }],
        site_content: [
          { ...shown, id: 1, pagetitle: 'Home', alias: 'home', uri: 'home.html', isfolder: 1 },
          { ...shown, id: 2, pagetitle: 'Workshop', alias: 'workshop', uri: 'workshop.html', parent: 1, isfolder: 1 },
          { ...shown, id: 3, pagetitle: hostile, alias: 'h', uri: 'h.html' },
          { ...shown, id: 4, pagetitle: 'Depot', alias: 'depot', uri: 'depot.html', context_key: 'shop' },
        ],
      }),
    );
  });

  async function open(view: View = {}): Promise<Page> {
    const { page, stop: end } = await openStudio(db.url, { env, ...view });
    stop = end;
    return page;
  }

  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();
  const field = (page: Page, label: string) => page.locator('.field', { has: page.getByLabel(label) });

  async function addSection(page: Page, label: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a section' }).click();
    await page.getByRole('dialog').getByRole('button', { name: label }).first().click();
  }

  test('an editor writes and publishes a page with a picture, and sees it while writing', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Pages below Home' }).click();
    await page.getByRole('link', { name: 'Workshop' }).click();
    await page.getByText('Nothing written yet').waitFor();
    await addSection(page, 'Hero');
    await expect.poll(() => page.evaluate('document.activeElement.labels?.[0].innerText')).toMatch(/^Title/);
    await page.getByLabel('Title').fill('We mend boots');
    await page.getByLabel('Button label').fill('Home');
    await page.getByLabel('Button address').fill('/');
    await field(page, 'Button address').getByRole('button').click();
    await page.getByRole('dialog').getByRole('searchbox').fill('Hom');
    await page.getByRole('dialog').getByRole('button', { name: 'Home' }).click();
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await page.getByLabel('Put a new file').setInputFiles({ name: 'Our mill.png', mimeType: 'image/png', buffer: png });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await saved(page);
    const frame = page.frameLocator('.preview iframe');
    await frame.getByRole('heading', { name: 'We mend boots' }).waitFor();
    expect(await frame.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/home.html');
    await expect.poll(() => frame.locator('img').evaluate((one) => Object(one).naturalWidth)).toBe(1);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('· Published', { exact: false }).first().waitFor();
    const background = { url: '/files/Our-mill.png', width: 1 };
    const data = { title: 'We mend boots', button_url: '/home.html', background };
    expect(await db.json('page show 2')).toMatchObject({
      data: { state: 'published', draft: { sections: [{ data }] } },
    });
    expect(await page.locator('footer code').innerText()).toMatch(/^hcd page publish 2 --revision \d+$/);
  });

  // From here on the page is the same on both databases, and so are its commands, by tests of their own.
  if (kind.name === 'mariadb') return;

  const goTo = (page: Page, id: number) => page.evaluate(`location.hash = '#/pages/${id}'`);

  const draftOf = async (id: number): Promise<Draft> => Object(await db.json(`page show ${id}`)).data.draft;

  async function give(line: string, stdin: string): Promise<void> {
    const { code, stderr } = await db.run(line, { stdin });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  }

  const write = (id: number, ...sections: readonly object[]) =>
    give(`page edit ${id} --file -`, JSON.stringify({ schemaVersion: 1, sections }));

  const hero = (title: string) => ({ type: 'hero', data: { title } });
  const titles = async () => (await draftOf(1)).sections.map(({ data }) => data['title']);

  test('a rich text is typed in order into a section that was just added', async () => {
    const page = await open();
    await goTo(page, 1);
    await addSection(page, 'Text');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('rich-text');
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await page.keyboard.type('World');
    await saved(page);
    expect((await draftOf(1)).sections[0]?.data['content']).toBe('<p>Hello</p><p>World</p>');
  });

  test('every type of field is shown with its value, and can be changed', async () => {
    await give('section-type import -', JSON.stringify(everyType));
    const data = Object.fromEntries(
      everyField.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    await write(1, { type: 'every', data: { ...data, inner: 'Inside' } });
    const before = await draftOf(1);
    const page = await open();
    await goTo(page, 1);
    await page.getByRole('textbox', { name: 'F editorjs' }).click();
    await page.getByLabel('F text', { exact: true }).fill('Changed');
    await saved(page);
    const changed = (await draftOf(1)).sections[0]?.data;
    expect(changed).toEqual({ ...before.sections[0]?.data, text: 'Changed' });
    for (const [label, text] of Object.entries(typed)) {
      await page.getByLabel(label, { exact: true }).first().fill(text);
    }
    await page.getByRole('checkbox', { name: 'F checkbox' }).uncheck();
    await page.getByLabel('F select', { exact: true }).selectOption('b');
    await page.locator('fieldset', { hasText: 'F multiselect' }).last().getByLabel('B', { exact: true }).check();
    await page.getByRole('textbox', { name: 'F richtext' }).press('Control+End');
    await page.keyboard.type(' more');
    await page.getByRole('textbox', { name: 'F editorjs' }).press('Control+End');
    await page.keyboard.type(' more');
    await saved(page);
    expect((await draftOf(1)).sections[0]?.data).toMatchObject({
      ...{ number: 12.5, checkbox: false, select: 'b', multiselect: ['a', 'b'], date: '2027-01-02' },
      ...{ richtext: '<p>Rich more</p>', editorjs: { json: null, html: '<p>Blocks more</p>' }, slug: 'changed-slug' },
      ...{ map: { lat: 50, lng: 8 }, daterange: { from: '2027-01-01', to: '2027-02-01' } },
      ...{ schedule: '{"monday":["08:00-12:00","13:00-17:00"]}', keyvalue: [{ key: 'Weight', value: '430 g' }] },
      ...{ repeater: [{ name: 'Row' }], jsongrid: [{ size: 'L', grams: 430 }], inner: 'Inner' },
    });
  });

  test('the tools of a rich text say which formats stand at the cursor', async () => {
    await write(1, { type: 'richtext', data: { content: '<p>Plain <b>bold</b></p><h2>Heading</h2>' } });
    const page = await open();
    await goTo(page, 1);
    const text = page.getByRole('textbox', { name: 'Text' });
    const pressed = () => page.locator('.tools [aria-pressed=true]').allInnerTexts();
    await text.press('Control+Home');
    await expect.poll(pressed).toEqual([]);
    await text.press('Control+End');
    await expect.poll(pressed).toEqual(['Heading']);
    await page.getByRole('button', { name: 'Heading', exact: true }).click();
    await expect.poll(pressed).toEqual([]);
    await text.press('Control+a');
    await page.getByRole('button', { name: 'Italic' }).click();
    await expect.poll(pressed).toContain('Italic');
    await page.getByRole('button', { name: 'Remove formatting' }).click();
    await expect.poll(pressed).toEqual([]);
  });

  const screens = {
    ...{ key: 'screens', version: 1, label: 'Screens', category: 'content', template: '<p>{{ data.tone }}</p>' },
    fields: [
      { name: 'tone', type: 'select', label: 'Tone', options },
      { name: 'size', type: 'text', label: 'Size', responsive: true, showWhen: { field: 'tone', value: 'b' } },
    ],
  };

  test('a field has a value for each screen, and is there only with the value on which it depends', async () => {
    await give('section-type import -', JSON.stringify(screens));
    await write(1, { type: 'screens', data: { tone: 'a' } });
    const data = async () => (await draftOf(1)).sections[0]?.data;
    const page = await open();
    await goTo(page, 1);
    await page.getByLabel('Tone').waitFor();
    const size = page.getByRole('group', { name: 'Size' });
    expect(await size.count()).toBe(0);
    await page.getByLabel('Tone').selectOption('b');
    await size.getByLabel('Desktop').fill('Wide');
    await size.getByLabel('Phone').fill('Narrow');
    await expect.poll(data, { timeout: 20_000 }).toEqual({ tone: 'b', size: { desktop: 'Wide', mobile: 'Narrow' } });
    await size.getByLabel('Desktop').fill('');
    await size.getByLabel('Phone').fill('');
    await page.getByLabel('Tone').selectOption('a');
    await size.waitFor({ state: 'detached' });
    await expect.poll(data, { timeout: 20_000 }).toEqual({ tone: 'a' });
  });

  test('the preview has the width of a phone, a tablet or a desktop', async () => {
    await write(1, hero('Start'));
    const page = await open();
    await goTo(page, 1);
    const frame = page.frameLocator('.preview iframe');
    await frame.getByText('Start').waitFor();
    const width = () => frame.locator('body').evaluate('innerWidth');
    await expect.poll(width).toBe(390);
    for (const [name, wide] of Object.entries({ Tablet: 820, Desktop: 1280, Phone: 390 })) {
      const button = page.getByRole('region', { name: 'Preview' }).getByRole('button', { name });
      await button.click();
      await expect.poll(width).toBe(wide);
      expect(await button.getAttribute('aria-pressed')).toBe('true');
    }
  });

  test('a page that readers cannot see is shown to them, and its address becomes a link', async () => {
    await db.run('setting set gateway_site_url https://larkfell.example');
    await db.run('resource unpublish 2');
    await write(2, hero('Start'));
    const page = await open();
    await goTo(page, 2);
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    const show = page.getByRole('button', { name: 'Open to readers' });
    await page.getByText('· Published').waitFor();
    expect(await page.getByRole('link', { name: '/workshop.html' }).count()).toBe(0);
    await show.click();
    await show.waitFor({ state: 'detached' });
    const link = page.getByRole('link', { name: '/workshop.html' });
    expect(await link.getAttribute('href')).toBe('https://larkfell.example/workshop.html');
    expect(await db.json('resource show 2')).toMatchObject({ data: { published: true } });
    await expect.poll(() => publish.isDisabled()).toBe(true);
    await page.getByLabel('Title').fill('Changed');
    await expect.poll(() => publish.isDisabled()).toBe(false);
    await publish.click();
    await page.getByText('This version is published now.').waitFor();
    expect(await publish.isDisabled()).toBe(true);
  });

  test('a page is made from its title, address, place and template, and found beside those of other contexts', async () => {
    const page = await open();
    await page.getByText('Choose a page of the list').waitFor();
    await page.getByRole('button', { name: 'New page' }).click();
    const dialog = page.getByRole('dialog', { name: 'New page' });
    await dialog.getByLabel('Address', { exact: true }).fill('our-boots');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Not done: see the problems beside the fields.').waitFor();
    await dialog.getByLabel(/^Title/).fill('Boots');
    await dialog.getByLabel('Below this page').click();
    await page.getByRole('dialog', { name: 'Choose a page' }).getByRole('button', { name: 'Home' }).click();
    await dialog.getByLabel('Template').selectOption({ label: 'Page' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Boots' }).waitFor();
    expect(await db.json('resource list --filter alias=our-boots --fields pagetitle,parent,template')).toMatchObject({
      data: [{ pagetitle: 'Boots', parent: 1, template: 1 }],
    });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const current = pages.locator('[aria-current=page]');
    await current.getByText('Boots').waitFor();
    await page.reload();
    await current.getByText('Boots').waitFor();
    await pages.getByRole('searchbox').fill('o');
    await pages.getByRole('link', { name: 'Depot' }).getByText('shop').waitFor();
    await pages.getByRole('link', { name: 'Boots' }).getByText('web').waitFor();
  });

  test('sections and rows are moved with the keyboard, hidden, removed and put back', async () => {
    await write(1, hero('One'), hero('Two'), { type: 'cards', data: { items: [{ title: 'A' }, { title: 'B' }] } });
    const page = await open();
    await goTo(page, 1);
    await page.getByRole('button', { name: 'Move Hero: Two', exact: true }).press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Hero: Two');
    await page.getByText('Hero: Two is now 1 of 3.').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Move A', exact: true }).press('ArrowDown');
    await page.getByRole('button', { name: 'Hide: Hero: Two', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Hero: One', exact: true }).click();
    await saved(page);
    expect(await draftOf(1)).toMatchObject({
      sections: [{ data: { title: 'Two' }, enabled: false }, { data: { items: [{ title: 'B' }, { title: 'A' }] } }],
      trash: [{ data: { title: 'One' } }],
    });
    await page.getByText('Removed sections: 1').click();
    await page.getByRole('button', { name: 'Put back' }).click();
    const handle = page.getByRole('button', { name: 'Move Hero: One', exact: true });
    await handle.dragTo(page.getByRole('region', { name: 'Hero: Two' }));
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['One', 'Two', undefined]);
  });

  test('sections are moved with a finger, also to a place that is out of sight', async () => {
    const rest = ['Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
    await write(1, ...['One', 'Two', ...rest].map(hero));
    const page = await open({ width: 360, hasTouch: true });
    await goTo(page, 1);
    await page.getByText('The page delivery API is off').waitFor();
    const handle = async (title: string) => {
      const box = await page.getByRole('button', { name: `Move Hero: ${title}`, exact: true }).boundingBox();
      return { x: Number(box?.x) + 10, y: Number(box?.y) + 10 };
    };
    await page.getByRole('button', { name: 'Move Hero: Two', exact: true }).scrollIntoViewIfNeeded();
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', await handle('Two'));
    await touch('touchMove', await handle('One'));
    await touch('touchEnd');
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['Two', 'One', ...rest]);
    await touch('touchStart', await handle('Two'));
    expect((await handle('Eight')).y).toBeGreaterThan(900);
    for (let y = 890; (await handle('Eight')).y > 840; y = 1779 - y) await touch('touchMove', { x: 50, y });
    await touch('touchMove', await handle('Eight'));
    await touch('touchEnd');
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['One', ...rest, 'Two']);
  });

  test('a level with many pages says how many it has, and shows more of them', async () => {
    const many = Array.from({ length: 230 }, (_, at) => ({
      ...{
        ...shown,
        id: at + 10,
        pagetitle: `Lamp ${at + 1}`,
        alias: `l${at}`,
        uri: `l${at}`,
        parent: 2,
        menuindex: at,
      },
    }));
    await db.change((store) => seed(store, { site_content: many }));
    const page = await open();
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
    for (const name of ['Home', 'Workshop']) await pages.getByRole('button', { name: `Pages below ${name}` }).click();
    await pages.getByText('1–200 of 230').waitFor();
    await pages.getByRole('button', { name: 'Show more' }).click();
    await pages.getByRole('link', { name: 'Lamp 230', exact: true }).waitFor();
    expect(await pages.getByRole('link', { name: /^Lamp/ }).count()).toBe(230);
    expect(await pages.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  test('a problem stands beside its field, in the words of the command, and nothing is lost', async () => {
    const faq = { type: 'faq', data: { items: [{ question: 'Why?' }] } };
    await write(1, { type: 'contact', data: { title: 'Write to us' } }, faq);
    const page = await open();
    await goTo(page, 1);
    await page.getByLabel('E-mail').fill('no address');
    await field(page, 'E-mail').getByText('must be an e-mail address').waitFor();
    await goTo(page, 2);
    await page.getByRole('heading', { name: 'Workshop' }).waitFor();
    await goTo(page, 1);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('no address');
    await page.getByLabel('E-mail').fill('desk@larkfell.example');
    await saved(page);
    expect(await page.locator('.problem').count()).toBe(0);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const answer = page.locator('.field.wrong', { hasText: 'Answer' }).last();
    await answer.getByText('is required to publish', { exact: true }).waitFor();
    expect((await draftOf(1)).sections[0]?.data).toMatchObject({ email: 'desk@larkfell.example' });
  });

  test('two people on one page both keep what they wrote', async () => {
    await write(1, hero('Start'));
    const page = await open();
    await goTo(page, 1);
    await page.getByLabel('Title').waitFor();
    await write(1, hero('Theirs'));
    await page.getByLabel('Title').fill('Mine');
    await page.getByText('cli saved this page meanwhile').waitFor();
    expect((await draftOf(1)).sections[0]?.data).toMatchObject({ title: 'Theirs' });
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Change to the other version' }).click();
    await saved(page);
    expect((await draftOf(1)).sections[0]?.data).toMatchObject({ title: 'Mine' });
    await write(1, hero('Theirs again'));
    await page.getByLabel('Title').fill('Mine again');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await saved(page);
    expect((await draftOf(1)).sections[0]?.data).toMatchObject({ title: 'Mine again' });
    await page.getByRole('button', { name: 'Change to the other version' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Theirs again');
  });

  test('hostile texts and templates neither run nor reach another machine', async () => {
    let connections = 0;
    const listener = createServer().on('connection', () => {
      connections += 1;
    });
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void listener.close());
    const evil = `http://127.0.0.1:${Object(listener.address()).port}`;
    const template = `<section>{{ data.html }}${hostile}<link rel="preconnect" href="${evil}"><link rel="stylesheet" href="${evil}/a.css"><meta http-equiv="refresh" content="0; url=${evil}/"><style>body { background: url(${evil}/b) }</style><img src="${evil}/c.png"><form action="${evil}/"><button>Send</button></form><a href="${evil}/d">Away</a></section>`;
    const fields = [{ name: 'html', type: 'text', label: hostile }];
    const type = { key: 'evil', version: 1, label: hostile, category: 'content', fields, template };
    await give('section-type import -', JSON.stringify(type));
    await write(3, { type: 'evil', data: { html: hostile } }, { type: 'richtext', data: { content: '<p>Rich</p>' } });
    const page = await open();
    await page.getByRole('link', { name: '<img src=x' }).click();
    await page.getByRole('heading', { name: '<img src=x' }).waitFor();
    const frame = page.frameLocator('.preview iframe');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('link', { name: 'Away' }).click();
    const pasted = JSON.stringify(`<p>Pasted ${hostile}<b onclick="document.title='hit'">bold</b></p>`);
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', ${pasted});
      const editor = document.querySelector('.rich-text');
      editor.focus();
      editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }`);
    await saved(page);
    await frame.getByText('Pasted').waitFor();
    expect(await page.title()).toBe('hcd studio');
    expect(connections).toBe(0);
    expect((await draftOf(3)).sections[1]?.data['content']).toMatch(/^<p>Pasted <img src="x"><b>bold<\/b>/);
  });

  test('a file of the wrong kind is refused in words, and another one can be put', async () => {
    await write(1, { type: 'image', data: {} });
    const page = await open();
    await goTo(page, 1);
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    const put = (buffer: Buffer) =>
      page.getByLabel('Put a new file').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer });
    await put(Buffer.from('PK\u0003\u0004 no picture'));
    await page.getByRole('dialog').getByText('The name says image/png, but the content is').waitFor();
    await put(png);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await saved(page);
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('lam');
    await page.getByRole('dialog').getByRole('button', { name: 'lamp.png' }).click();
    expect(await page.getByRole('textbox', { name: 'Picture' }).inputValue()).toBe('/files/lamp.png');
  });

  test('after the end of Studio what was typed stays, and the page says so', async () => {
    await write(1, hero('Start'));
    const page = await open();
    await goTo(page, 1);
    await page.getByLabel('Title').waitFor();
    await stop();
    await page.getByLabel('Title').fill('Typed');
    await page.getByText('Not saved. What you typed is kept here.').waitFor();
    await page.getByText('Studio has ended or cannot be reached.').first().waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed');
  });

  test('shows what publishing would change, goes back to an earlier publication, publishes later and unpublishes', async () => {
    await write(1, hero('First'));
    await db.run('page publish 1');
    await write(1, hero('Second'));
    await db.run('page publish 1');
    const page = await open();
    await goTo(page, 1);
    await page.getByLabel('Title').fill('Third');
    await saved(page);
    await page.getByRole('button', { name: 'Differences' }).click();
    await page.locator('del', { hasText: 'Second' }).waitFor();
    expect(await page.locator('.change', { hasText: 'Third' }).innerText()).toMatch(/^Title/);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Look at 1' }).click();
    await page.frameLocator('.preview iframe').getByText('First').waitFor();
    await page.getByRole('button', { name: 'Go back to 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByRole('row', { name: 'Look at 3' }).getByText('Restored from: 1').waitFor();
    await page.getByRole('button', { name: 'Write' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('First');
    await page.getByText('Publish later', { exact: true }).click();
    await page.getByLabel('Date and time').first().fill('2999-01-01T00:00');
    await page.getByRole('button', { name: 'Plan it' }).first().click();
    await page.getByText('Will be published:').waitFor();
    await page.getByRole('button', { name: 'Unpublish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByRole('article').getByText('· Unpublished').waitFor();
    expect(await db.json('page show 1')).toMatchObject({ data: { state: 'withdrawn', publish_on: null } });
  });

  test('read-only shows pages without a way to change them', async () => {
    await write(1, hero('Start'));
    const page = await open({ flags: '--read-only' });
    await goTo(page, 1);
    expect(await page.getByLabel('Title').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  });

  atEachWidth(async (view) => {
    await give('section-type import -', JSON.stringify(everyType));
    const data = Object.fromEntries(everyField.fields.map(({ name, value }) => [name, value]));
    await write(1, { type: 'every', data }, hero('Two'));
    const page = await open(view);
    await page.getByRole('link', { name: 'Depot' }).waitFor();
    await expectUsable(page);
    await goTo(page, 1);
    await page.getByLabel('F text', { exact: true }).waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Choose a picture' }).first().click();
    await page.getByRole('dialog').getByRole('status').first().waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Add a section' }).evaluate((button) => Object(button).scrollIntoView());
    const list = await page.locator('nav.list').boundingBox();
    expect(Number(list?.y) < 0).toBe(view.width === 360);
  });
});
