/**
 * Fills the places of a page. A place is an element with `data-place`, the name or id of a position; `data-limit`,
 * `data-rotation`, `data-context`, `data-resource`, `data-parent`, `data-product`, `data-tags` and `data-tags-mode` are
 * passed on. No dependencies, and no words that content blockers look for.
 */
const server = document.querySelector('meta[name="places-server"]').content.replace(/\/+$/, '');

/** Seen: at least half of it, for this long without a break, on a page that is in front. */
const share = 0.5;
const dwellMs = 1000;

const passedOn = ['limit', 'rotation', 'context', 'resource', 'parent', 'product', 'tags', 'tagsMode'];

for (const place of document.querySelectorAll('[data-place]')) void fill(place);

async function fill(place) {
  place.hidden = true;
  try {
    const items = await ask(place);
    place.replaceChildren(...items.map(render));
    place.hidden = items.length === 0;
  } catch {
    // A page is complete without its places: the server may be switched off.
  }
}

async function ask(place) {
  const query = new URLSearchParams();
  for (const name of passedOn) {
    const value = place.dataset[name];
    if (value) query.set(name === 'tagsMode' ? 'tags_mode' : name, value);
  }
  const response = await fetch(`${server}/slots/${encodeURIComponent(place.dataset.place)}?${query}`);
  if (!response.ok) throw new Error(`the places cannot be read: ${response.status}`);
  return (await response.json()).data;
}

function render(item) {
  const box = document.createElement('div');
  box.className = 'item';
  box.append(item.type === 'html' ? frame(item) : picture(item));
  if (item.click_url !== null) box.append(link(item));
  watch(box, item.impression_url);
  return box;
}

function picture({ image, description, name }) {
  const img = document.createElement('img');
  img.src = image;
  img.alt = description ?? name;
  return img;
}

/** Markup of other authors is shown in a frame with a separate origin, without scripts, forms and access to the page. */
function frame({ html, description, name }) {
  const box = document.createElement('iframe');
  box.sandbox = '';
  box.title = description ?? name;
  box.srcdoc = `<!doctype html><link rel="stylesheet" href="${new URL('style.css', import.meta.url)}"><body class="inner">${html ?? ''}`;
  return box;
}

/** Lies over the item: what is in the frame cannot be clicked itself, so a click always goes through the counter. */
function link({ click_url, description, name }) {
  const anchor = document.createElement('a');
  anchor.href = click_url;
  anchor.rel = 'noopener nofollow sponsored';
  anchor.target = '_blank';
  anchor.setAttribute('aria-label', description ?? name);
  return anchor;
}

/** Asks for the pixel once, when the item has been seen. */
function watch(box, address) {
  let timer = 0;
  let isInView = false;
  const look = () => {
    clearTimeout(timer);
    if (!isInView || document.visibilityState !== 'visible') return;
    timer = setTimeout(() => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
      new Image().src = address;
    }, dwellMs);
  };
  const observer = new IntersectionObserver(
    ([entry]) => {
      isInView = entry.intersectionRatio >= share;
      look();
    },
    { threshold: [0, share] },
  );
  observer.observe(box);
  document.addEventListener('visibilitychange', look);
}
