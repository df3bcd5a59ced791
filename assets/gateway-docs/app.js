// Adds to the finished page what needs a script: searching the contents, marking the place, trying routes out.
// The page is complete without it. Text from answers only ever becomes text nodes.

const shownHeaders = [
  'content-type',
  'etag',
  'cache-control',
  'age',
  'cache-tag',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-request-id',
];
/** Longer answers are shown without colours, and cut at ten times as many characters. */
const colouredLength = 100_000;
const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

let numbered = 0;

/** Makes an element; children are elements or text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function addSearch() {
  const box = document.querySelector('.search');
  const input = document.querySelector('#search');
  const found = document.querySelector('#found');
  const entries = [...document.querySelectorAll('nav li')].map((item) => ({
    item,
    text: `${item.textContent} ${item.closest('.tag')?.querySelector('h2')?.textContent ?? ''}`.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll('nav .tag, nav ul.plain')];

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, text } of entries) {
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) count += 1;
    }
    for (const group of groups) group.hidden = group.querySelector('li:not([hidden])') === null;
    if (words.length === 0) found.textContent = '';
    else found.textContent = count === 0 ? 'Nothing found' : `${count} found`;
  }

  input.addEventListener('input', filter);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    input.value = '';
    filter();
  });
  box.hidden = false;
}

/** Marks in the contents what is at the top of the window. */
function followReading() {
  const links = new Map(
    [...document.querySelectorAll('nav li a')].map((link) => [link.getAttribute('href').slice(1), link]),
  );
  const nav = document.querySelector('nav');
  let current;
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        const link = links.get(target.id);
        if (!isIntersecting || link === undefined || link === current) continue;
        current?.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'location');
        current = link;
        const { top, bottom } = link.getBoundingClientRect();
        const frame = nav.getBoundingClientRect();
        if (top < frame.top || bottom > frame.bottom) nav.scrollTop += top - frame.top - frame.height / 3;
      }
    },
    { rootMargin: '-80px 0px -75% 0px' },
  );
  for (const target of document.querySelectorAll('#start, #code, .op, .object, #operators, #errors'))
    observer.observe(target);
}

/** The credential stays in this field: it is neither stored nor put into an address. */
function addCredential() {
  const input = make('input', {
    id: 'credential',
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'API key or token to try with',
  });
  const label = make('label', { for: 'credential' }, 'API key');
  const box = make('div', { class: 'credential', title: 'Kept only in this page, until it is closed' }, label, input);
  document.querySelector('.bar').insertBefore(box, document.querySelector('.menu'));
  return () => input.value.trim();
}

function addTrying(credential) {
  for (const article of document.querySelectorAll('.op[data-method="get"]')) {
    const button = make('button', { type: 'button', class: 'open-try', 'aria-expanded': 'false' }, 'Try it');
    let form;
    button.addEventListener('click', () => {
      form ??= addForm(article, credential);
      form.hidden = button.getAttribute('aria-expanded') === 'true';
      button.setAttribute('aria-expanded', String(!form.hidden));
      if (!form.hidden) form.querySelector('input, button')?.focus();
    });
    article.append(button);
  }
}

function addForm(article, credential) {
  const fields = [...article.querySelectorAll('table.parameters tbody tr:not(.alias)')].map(readRow);
  const inputs = fields.map((field) => makeInput(field));
  const result = make('div', { class: 'result', 'aria-live': 'polite' });
  const send = make('button', { type: 'submit', class: 'send' }, 'Send');
  const form = make(
    'form',
    { class: 'try', 'aria-label': `Try GET ${article.dataset.path}`, hidden: '' },
    make('div', { class: 'inputs' }, ...inputs.map(({ label }) => label)),
    make('div', { class: 'actions' }, send),
    result,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      await answer({ request: readRequest(article.dataset.path, inputs, credential()), result });
    } finally {
      send.disabled = false;
    }
  });
  article.append(form);
  return form;
}

function readRow({ dataset }) {
  const { name, style, required, example } = dataset;
  return { name, place: dataset.in, style, required: required === 'true', example };
}

function makeInput(field) {
  numbered += 1;
  const hint = field.style === 'deepObject' ? field.example || `${field.name}[field]=value` : field.example;
  const input = make('input', { id: `try-${numbered}`, placeholder: hint, autocomplete: 'off', spellcheck: 'false' });
  if (field.required) {
    input.required = true;
    input.value = field.example;
  }
  const kind = field.place === 'query' ? '' : ` ${field.place}`;
  const label = make('label', { for: input.id }, make('code', {}, field.name), kind, field.required ? ' *' : '', input);
  return { field, input, label };
}

function readRequest(path, inputs, key) {
  const headers = { Accept: 'application/json, application/openapi+json;q=0.9, */*;q=0.1' };
  const query = [];
  let address = path;
  for (const { field, input } of inputs) {
    const value = input.value.trim();
    if (value === '') continue;
    if (field.place === 'path') address = address.replace(`{${field.name}}`, pathText(field.name, value));
    else if (field.place === 'header') headers[field.name] = value;
    else if (field.style === 'deepObject') query.push(...filterPairs(field.name, value));
    else query.push([field.name, value]);
  }
  if (key !== '') headers.Authorization = `Bearer ${key}`;
  // Brackets and commas stay readable: the server takes them as they are.
  const text = query.map((pair) => pair.map(queryText).join('=')).join('&');
  return { address: text === '' ? address : `${address}?${text}`, headers };
}

/** A URI keeps its slashes; every other value is one segment. */
function pathText(name, value) {
  return name === 'uri'
    ? value.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
    : encodeURIComponent(value);
}

function queryText(text) {
  return encodeURIComponent(text).replace(/%(5B|5D|2C|3A|2F)/g, decodeURIComponent);
}

/** `parent=2&menuindex[gte]=1`, with or without `filter` in front. */
function filterPairs(name, text) {
  return text.split('&').map((part) => {
    const equals = part.indexOf('=');
    const left = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    if (left.startsWith(`${name}[`)) return [left, value];
    const bracket = left.indexOf('[');
    return [bracket < 0 ? `${name}[${left}]` : `${name}[${left.slice(0, bracket)}]${left.slice(bracket)}`, value];
  });
}

async function answer({ request, result }) {
  const { address, headers } = request;
  result.replaceChildren(make('p', { class: 'note' }, 'Waiting …'));
  const started = performance.now();
  try {
    const response = await fetch(address, { headers, cache: 'no-store', credentials: 'same-origin' });
    const text = await response.text();
    const time = Math.round(performance.now() - started);
    result.replaceChildren(...describe({ request, response, text, time }));
  } catch {
    result.replaceChildren(make('p', { class: 'line bad', role: 'alert' }, 'The server could not be reached.'));
  }
}

function describe({ request, response, text, time }) {
  const { status, headers } = response;
  const line = make(
    'p',
    { class: status < 400 ? 'line' : 'line bad' },
    make('span', { class: status < 400 ? 'status ok' : 'status' }, String(status)),
    ` ${request.address} (${time} ms)`,
  );
  const list = make('dl');
  for (const name of shownHeaders) {
    const value = headers.get(name);
    if (value !== null) list.append(make('dt', {}, name), make('dd', {}, value));
  }
  const body = make('pre', { tabindex: '0' }, make('code', {}, ...bodyParts(text, headers.get('content-type') ?? '')));
  const command = make(
    'details',
    {},
    make('summary', {}, 'As a command'),
    make('pre', {}, make('code', {}, curl(request))),
  );
  return text === '' ? [line, list, command] : [line, list, body, command];
}

function bodyParts(text, type) {
  if (!/json/.test(type)) return [text.slice(0, colouredLength * 10)];
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // What claims to be JSON and is not is shown as it came.
  }
  if (pretty.length > colouredLength) return [pretty.slice(0, colouredLength * 10)];
  const parts = [];
  let end = 0;
  for (const match of pretty.matchAll(jsonToken)) {
    const [whole, string, colon] = match;
    const kind = string === undefined ? 'j-v' : colon === undefined ? 'j-s' : 'j-k';
    parts.push(pretty.slice(end, match.index), make('span', { class: kind }, string ?? whole), colon ?? '');
    end = match.index + whole.length;
  }
  return [...parts, pretty.slice(end)];
}

/** The same request for a shell; the credential itself is left out. */
function curl({ address, headers }) {
  const options = Object.entries(headers)
    .filter(([name]) => name !== 'Accept')
    .map(([name, value]) =>
      name === 'Authorization' ? ` -H "Authorization: Bearer $KEY"` : ` -H ${quote(`${name}: ${value}`)}`,
    );
  return `curl${options.join('')} ${quote(new URL(address, location.href).href)}`;
}

function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The samples for this server, with a button that copies them; made when they are opened. */
function addCopying() {
  for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin;
  // Browsers have a clipboard for pages over TLS and of this machine only.
  if (navigator.clipboard === undefined) return;
  for (const samples of document.querySelectorAll('details.code'))
    samples.addEventListener('toggle', addButtons, { once: true });
}

function addButtons({ target }) {
  for (const block of target.querySelectorAll('pre')) {
    const button = make('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    });
    block.previousElementSibling.append(button);
  }
}

addSearch();
addCopying();
followReading();
addTrying(addCredential());
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('main details')) details.open = true;
});
