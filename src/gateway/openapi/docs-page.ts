/** The API reference: Swagger UI over the documents of the interfaces, with nothing from another host. */
import { escapeHtml } from '../../values/text.js';

/** Swagger UI itself comes from its package: `npm run build` copies it next to what is ours. */
export const docsAssets = [
  { name: 'docs.style', file: 'style.css', type: 'text/css', summary: 'Style of the API reference' },
  { name: 'docs.script', file: 'app.js', type: 'text/javascript', summary: 'Script of the API reference' },
  { name: 'docs.swagger_style', file: 'swagger-ui.css', type: 'text/css', summary: 'Style of Swagger UI' },
  { name: 'docs.swagger_script', file: 'swagger-ui.js', type: 'text/javascript', summary: 'Script of Swagger UI' },
] as const;

interface DocsSource {
  readonly base: string;
  readonly version: string;
  readonly documents: readonly ShownDocument[];
}

interface ShownDocument {
  readonly name: string;
  readonly document: object;
}

export function renderDocs({ base, version, documents }: DocsSource): string {
  const shown = escapeHtml(version);
  const address = (file: string) => `${escapeHtml(base)}/docs/${file}?v=${encodeURIComponent(version)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hcd ${shown}: API reference</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('style.css')}">
<script src="${address('swagger-ui.js')}" defer></script>
<script src="${address('app.js')}" defer></script>
</head>
<body>
<header>
<p><a href="/">hcd ${shown}</a></p>
<nav aria-label="Interfaces">
${documents.map(({ name }) => `<a href="#api-${name}">${name[0]?.toUpperCase()}${name.slice(1)}</a>`).join('\n')}
<a href="${escapeHtml(base)}/problems">Error codes</a>
</nav>
</header>
<div id="reference"><noscript>This page needs JavaScript. ${escapeHtml(base)}/meta/openapi.json is the same for programs.</noscript></div>
${documents.map(dataBlock).join('\n')}
</body>
</html>
`;
}

function dataBlock({ name, document }: ShownDocument): string {
  const json = JSON.stringify(document).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="api-${name}">${json}</script>`;
}
