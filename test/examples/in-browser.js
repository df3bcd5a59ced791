// @ts-nocheck It runs in a browser, whose types the program must not have.
/**
 * Functions that the browser tests run inside a page, by name. They look at it as it is shown; what they give are
 * sentences about what is wrong, so that an empty list is what is expected.
 */

/** Loads and opens everything that waits for the visitor. */
globalThis.openEverything = async () => {
  for (const image of document.images) image.loading = 'eager';
  for (const details of document.querySelectorAll('details')) details.open = true;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
};

globalThis.lookAround = () => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`is ${root.scrollWidth} wide in ${root.clientWidth}`);
  for (const image of document.images) {
    if (!image.complete || image.naturalWidth === 0) found.push(`does not show ${image.src}`);
    if (!image.hasAttribute('alt')) found.push(`has no alternative text for ${image.src}`);
  }
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName[1]));
  if (headings.filter((level) => level === 1).length !== 1) found.push(`has the headings ${headings}`);
  if (headings.some((level, at) => at > 0 && level > headings[at - 1] + 1)) found.push(`skips a heading: ${headings}`);
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  if (new Set(ids).size < ids.length) found.push('has an id twice');
  for (const link of document.querySelectorAll('a, button, summary')) {
    if (link.textContent.trim() === '') found.push(`has a link without text: ${link.outerHTML}`);
  }
  for (const named of document.querySelectorAll('[aria-labelledby]')) {
    if (!document.getElementById(named.getAttribute('aria-labelledby'))) found.push('has a label that is not there');
  }
  for (const name of ['header', 'main', 'footer', 'nav']) {
    if (!document.querySelector(name)) found.push(`has no ${name}`);
  }
  return found;
};

/** Texts whose colour is too close to what is behind them (WCAG AA), apart from those on pictures. */
globalThis.findFaintTexts = () => {
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = color.slice(0, 3).map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color[3] === 0 ? behind(element.parentElement) : color;
  };
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const isOnPicture = element.closest('.hero__content') !== null && !element.matches('.button');
    if (!hasText || isOnPicture || !element.checkVisibility()) return [];
    const [one, other] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return ratio < 4.5 ? [`${element.textContent.trim().slice(0, 30)} has a contrast of ${ratio.toFixed(2)}`] : [];
  });
};

const addresses = ['href', 'src', 'poster', 'cite', 'action', 'formaction', 'data'];
const active = 'script, style, object, embed, base, link, meta, form, input, svg, math, template, noscript';
const events = [
  'mouseover',
  'mouseenter',
  'focus',
  'click',
  'toggle',
  'pointerdown',
  'animationstart',
  'load',
  'error',
];

/** Provokes what stands in `main` in every way a visitor could, and says what could run, what did, and what left. */
globalThis.provoke = async () => {
  // Following a link is allowed; running its code is not.
  document.addEventListener('click', (event) => event.preventDefault());
  const found = [];
  for (const element of document.querySelectorAll('main, main *')) {
    for (const name of events) {
      element.dispatchEvent(new Event(name, { bubbles: name === 'click', cancelable: true }));
    }
    if (element instanceof HTMLDetailsElement) element.open = !element.open;
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'style' || name === 'srcdoc') found.push(`${element.tagName} ${name}`);
      const isHarmless = /^(https?|mailto|tel):$/.test(new URL(value, location.href).protocol);
      if (addresses.includes(name) && !isHarmless) found.push(`${element.tagName} ${name}=${value}`);
    }
  }
  for (const main of document.querySelectorAll('main')) {
    for (const element of main.querySelectorAll(active)) found.push(element.outerHTML);
  }
  const { lastElementChild } = document.body;
  if (document.querySelectorAll('main').length !== 1 || lastElementChild.tagName !== 'MAIN')
    found.push('left its place');
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return [...found, ...globalThis.ran.map((one) => `ran ${one}`)];
};

globalThis.ran = [];
/** What hostile texts call. */
globalThis.fired = (one) => globalThis.ran.push(one);

/** The texts as the browser writes them after reading them twice. */
globalThis.readTwice = (texts) =>
  texts.map((text) => {
    const place = document.createElement('div');
    for (const given of [text, null]) place.innerHTML = given ?? String(place.innerHTML);
    return place.innerHTML;
  });
