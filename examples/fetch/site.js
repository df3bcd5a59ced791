/**
 * A site in the browser with nothing but fetch. `?uri=` is a page, `?words=` a search. Content is trusted as that of the
 * editors of the site; the policy in the head of the page keeps its scripts from running.
 */
const api = `${document.querySelector('meta[name="hcd"]').content}/api/v1`;
const main = document.querySelector('#main');
const state = document.querySelector('#state');
const menu = document.querySelector('#menu');
const price = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

class Missing extends Error {}

async function ask(path, query, signal) {
  const response = await fetch(`${api}${path}?${new URLSearchParams(query)}`, { signal });
  if (response.status === 404) throw new Missing();
  if (response.status === 429 || response.status === 503) {
    throw new Error(`The server is busy. Try again in ${response.headers.get('Retry-After') ?? 'a few'} seconds.`);
  }
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.detail ?? `Status ${response.status}`);
  return response.json();
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const linkTo = ({ uri, menutitle, pagetitle }) =>
  element('a', { href: `?${new URLSearchParams({ uri })}`, textContent: menutitle || pagetitle });

function heading(title) {
  document.title = `${title} | Larkfell Outfitters`;
  return element('h1', { textContent: title });
}

async function showMenu() {
  const { data } = await ask('/tree', { depth: 1, fields: 'menutitle,pagetitle,uri' });
  menu.replaceChildren(...data.map((one) => element('li', {}, linkTo(one))));
}

async function page(uri, signal) {
  const { data } = await ask(
    uri === '' ? '/pages' : `/pages/${uri.split('/').map(encodeURIComponent).join('/')}`,
    {
      fields: 'pagetitle,longtitle,uri,content',
      include: 'children,tvs',
      'fields[children]': 'pagetitle,uri',
      tv_format: 'typed',
      links: 'resolve',
      tags: 'strip',
      urls: 'absolute',
    },
    signal,
  );
  const shown = [heading(data.longtitle || data.pagetitle)];
  const cost = data.tvs.price;
  if (typeof cost === 'number') shown.push(element('p', { className: 'price', textContent: price.format(cost) }));
  shown.push(element('div', { innerHTML: data.content ?? '' }));
  if (data.children.length > 0) shown.push(list(data.children));
  return shown;
}

const list = (records) => element('ul', {}, ...records.map((one) => element('li', {}, linkTo(one))));

async function found(words, signal) {
  const { data, meta } = await ask('/resources', { search: words, fields: 'pagetitle,uri', limit: 20 }, signal);
  const title = heading(`Search: ${words}`);
  if (data.length === 0) return [title, element('p', { textContent: 'Nothing was found.' })];
  return [title, element('p', { textContent: `${meta.total} found` }), list(data)];
}

let current = new AbortController();

/** Shows what the address names. The answer to an earlier address is given up. */
async function show({ isFirst = false } = {}) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const query = new URLSearchParams(location.search);
  const words = query.get('words');
  state.textContent = 'Loading';
  main.setAttribute('aria-busy', 'true');
  try {
    if (menu.childElementCount === 0) await showMenu();
    const shown = words === null ? await page(query.get('uri') ?? '', signal) : await found(words, signal);
    if (signal.aborted) return;
    main.replaceChildren(...shown);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof Missing) {
      main.replaceChildren(
        heading('Page not found'),
        element('p', { textContent: 'There is no page at this address. Try the menu or the search.' }),
      );
    } else {
      const again = element('button', { textContent: 'Try again', onclick: () => show() });
      main.replaceChildren(heading('This page cannot be shown'), element('p', { textContent: error.message }), again);
    }
  }
  state.textContent = '';
  main.removeAttribute('aria-busy');
  // Readers of the screen hear of the new page; on the first one the browser tells them.
  if (!isFirst) main.focus();
  scrollTo(0, 0);
}

function go(query) {
  history.pushState(null, '', query);
  void show();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault();
  go(`?${new URLSearchParams({ words: event.target.elements.words.value })}`);
});
addEventListener('popstate', () => void show());
void show({ isFirst: true });
