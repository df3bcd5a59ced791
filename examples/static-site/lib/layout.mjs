/** The frame of every page: head, navigation, title, footer. The HTML of the sections comes from the API as it is. */
import { hrefOf, isBelow } from './addresses.mjs';

/** @param {{ page: object, site: object[] }} what a page, and the heads of all pages in the order of their ids */
export function renderPage({ page, site }) {
  const { resource, html = '', values } = page;
  const home = site.find(({ uri }) => isHome(uri));
  const siteName = home?.pagetitle ?? 'Site';
  const title = isHome(resource.uri) ? siteName : `${resource.pagetitle} – ${siteName}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description(values?.plainText ?? ''))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site-head">
<a class="site-name" href="/">${escapeHtml(siteName)}</a>
<nav aria-label="Main">
<ul>
${topPages(site)
  .map((one) => `<li>${link(one, resource)}</li>`)
  .join('\n')}
</ul>
</nav>
</header>
<main id="content">
<div class="page-head">
${trail(resource, site)}<h1>${escapeHtml(resource.pagetitle)}</h1>
</div>
${html}
${below(resource, site)}</main>
<footer class="site-foot">
<p>${escapeHtml(siteName)}. Made of ${site.length} pages from the page API.</p>
</footer>
</body>
</html>
`;
}

/** No script runs on these pages, whatever their content is. Players are loaded from three sites. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' https:",
  "media-src 'self' https:",
  'frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://rutube.ru https://www.openstreetmap.org https://yandex.com',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function isHome(uri) {
  return uri === '' || uri === 'index.html';
}

/** Pages that are not below another page. */
function topPages(site) {
  return site.filter(({ uri }) => !isHome(uri) && !site.some((other) => isBelow(uri, other.uri)));
}

function link(to, from) {
  const isHere = to.id === from.id;
  const isAround = !isHere && isBelow(from.uri, to.uri);
  const current = isHere ? ' aria-current="page"' : isAround ? ' aria-current="true"' : '';
  return `<a href="${escapeHtml(hrefOf(to.uri))}"${current}>${escapeHtml(to.pagetitle)}</a>`;
}

/** Links to the pages above this one. */
function trail(resource, site) {
  const above = site
    .filter(({ uri }) => isBelow(resource.uri, uri))
    .sort((one, other) => one.uri.length - other.uri.length);
  if (above.length === 0) return '';
  return `<nav class="trail" aria-label="Breadcrumb"><ol>${above.map((one) => `<li>${link(one, resource)}</li>`).join('')}</ol></nav>\n`;
}

/** Links to the pages right below this one. */
function below(resource, site) {
  const children = site.filter(
    ({ uri }) =>
      isBelow(uri, resource.uri) && !site.some((other) => isBelow(uri, other.uri) && isBelow(other.uri, resource.uri)),
  );
  if (children.length === 0) return '';
  const items = children.map((one) => `<li>${link(one, resource)}</li>`).join('\n');
  return `<nav class="below" aria-labelledby="below-title">\n<h2 id="below-title">In this section</h2>\n<ul>\n${items}\n</ul>\n</nav>\n`;
}

/** The beginning of the text, cut between words. */
function description(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 160).replace(/\s+\S*$/, '')} …`;
}

const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => references[character]);
}
