/** `/` as a page for people: which interfaces this server has and where to read on. Loads nothing but its icon. */
import { escapeHtml } from '../values/escape-html.js';
import type { StartIndex } from './start-index.js';

/** The style, whose digest is the only one that the policy of the page allows. */
export const startStyle = `:root{color-scheme:light dark;--paper:#fff;--ink:#1b2430;--muted:#566274;--line:#dfe3e8;--accent:#0b5cad}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--ink:#e6eaf0;--muted:#9ba8b8;--line:#2a323d;--accent:#7ab8ff}}
body{margin:3rem auto;padding:0 1.25rem;max-width:42rem;background:var(--paper);color:var(--ink);font:1rem/1.55 ui-sans-serif,system-ui,sans-serif}
h1{margin:0;font-size:1.5rem}h1 small{color:var(--muted);font-size:1rem;font-weight:400}
h2{margin:0;font-size:1.1rem}h2 small{color:var(--muted);font-size:.9rem;font-weight:400}
section{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
p{margin:.35rem 0;color:var(--muted)}ul{margin:.35rem 0 0;padding:0;list-style:none}
a{color:var(--accent)}code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.92em;overflow-wrap:anywhere}
`;

export function renderStartPage({ name, version, interfaces }: StartIndex): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)} ${escapeHtml(version)}</title>
<link rel="icon" href="/favicon.ico">
<style>${startStyle}</style>
</head>
<body>
<h1>${escapeHtml(name)} <small>${escapeHtml(version)}</small></h1>
<p>A headless content delivery server. These interfaces are here:</p>
<main>
${interfaces.map(section).join('')}</main>
</body>
</html>
`;
}

function section({ title, summary, enabled, address, links }: StartIndex['interfaces'][number]): string {
  const items = Object.entries(links).map(
    ([label, href]) =>
      `<li><a href="${escapeHtml(href)}">${escapeHtml(label)}</a> <code>${escapeHtml(href)}</code></li>\n`,
  );
  return `<section>
<h2>${escapeHtml(title)} <small>${enabled ? 'on' : 'switched off'}</small></h2>
<p>${escapeHtml(summary)} <code>${escapeHtml(address)}</code></p>
<ul>
${enabled ? items.join('') : ''}</ul>
</section>
`;
}
