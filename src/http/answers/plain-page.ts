/** The small pages of the server about itself: no script, nothing from elsewhere. */
import { sha256Bytes } from '../../crypto/primitives.js';
import { escapeHtml } from '../../values/text.js';
import type { Reply } from '../interface/endpoint.js';
import { htmlReply } from './representation.js';

interface PlainPage {
  readonly title: string;
  readonly content: string;
  readonly caching: Reply['caching'];
}

const style = `:root{color-scheme:light dark;--paper:#fff;--sunken:#f5f6f8;--ink:#1b2430;--muted:#566274;--line:#dfe3e8;--accent:#0b5cad;--ok:#1a6b36}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--sunken:#0d1116;--ink:#e6eaf0;--muted:#9ba8b8;--line:#2a323d;--accent:#7ab8ff;--ok:#6fd08c}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
header{padding:.9rem 1.5rem;border-bottom:1px solid var(--line);font-weight:650}
header a{color:inherit;text-decoration:none}
main{max-width:52rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
h1{margin:0 0 .5rem;font-size:2rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h2{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin:0;font-size:1.15rem;line-height:1.3}
p,ul,dl{margin:.5rem 0 0;padding:0}
.lead,.note,dt{color:var(--muted)}
.lead{font-size:1.0625rem}
section{margin-top:1.75rem;padding-top:1.75rem;border-top:1px solid var(--line)}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:.25rem 1.5rem;list-style:none}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1rem}
dd{margin:0}
@media(max-width:30rem){dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.5rem}}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code{font:.875em ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.chip{padding:0 .45rem;border:1px solid var(--line);border-radius:4px;color:var(--muted);font-size:.8125rem;font-weight:400}
.on{border-color:currentcolor;color:var(--ok)}
.go{display:inline-block;margin-top:1rem;padding:.45rem 1rem;border-radius:6px;background:var(--accent);color:var(--paper);font-weight:600;text-decoration:none}
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256Bytes(style).toString('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function plainPage({ title, content, caching }: PlainPage): Reply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.ico">
<style>${style}</style>
</head>
<body>
<header><a href="/">hcd</a></header>
<main>
${content}</main>
</body>
</html>
`;
  return htmlReply(html, { policy, caching });
}
