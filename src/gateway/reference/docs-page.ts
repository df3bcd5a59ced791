/**
 * The API reference as one HTML page, made on the server from the OpenAPI document. It is complete without its script,
 * which only adds searching and trying out; nothing on it comes from another host.
 */
import type { Registry } from '../../content/objects/definition.js';
import type { OpenApiDocument } from '../openapi/openapi-types.js';
import { docsAssets } from './docs-assets.js';
import { renderErrors, renderGuide, renderOperators } from './docs-guide.js';
import { anchor, type Html, html } from './docs-html.js';
import { renderObjects } from './docs-objects.js';
import { groupOperations, methodBadge, type OperationGroup, renderGroup } from './docs-operations.js';

export interface DocsSource {
  readonly document: OpenApiDocument;
  readonly registry: Registry;
}

export function renderDocs({ document, registry }: DocsSource): string {
  const { info, servers } = document;
  // A base of '/' stands for none: addresses on the page begin with it and go on with a slash.
  const base = servers[0]?.url === '/' ? '' : (servers[0]?.url ?? '');
  const groups = groupOperations(document);
  const version = encodeURIComponent(info.version);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} ${info.version}: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/${docsAssets.style.path}?v=${version}">
<script src="${base}/docs/${docsAssets.script.path}?v=${version}" defer></script>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<p class="brand"><a class="home" href="#top">${info.title}</a> <span class="version">${info.version}</span></p>
<a class="menu" href="#contents">Contents</a>
</header>
<div class="layout">
${navigation(groups, registry)}
<main id="main" tabindex="-1">
<div class="title">
<h1>${info.title} reference</h1>
<p class="lead">${info.summary}</p>
</div>
${renderGuide({ base })}
${groups.map((group) => renderGroup(group, document))}
${renderObjects(registry)}
${renderOperators()}
${renderErrors(base)}
<footer class="foot">
<p>${info.title} ${info.version}. Made by this server from its own routes and definitions.</p>
</footer>
</main>
</div>
</body>
</html>
`.text;
}

function navigation(groups: readonly OperationGroup[], registry: Registry): Html {
  return html`<nav id="contents" aria-label="Contents">
<a class="close" href="#top">Close</a>
<div class="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" placeholder="Path, name or object" autocomplete="off" spellcheck="false">
<p id="found" class="found" role="status"></p>
</div>
<ul class="plain">
<li><a href="#start">Getting started</a></li>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#envelope">Answers</a></li>
<li><a href="#problems">Refusals</a></li>
<li><a href="#caching">Caching</a></li>
</ul>
${groups.map(
  ({ tag, operations }) => html`<div class="tag">
<h2><a href="#${anchor('tag', tag)}">${tag}</a></h2>
<ul>
${operations.map(
  ({ method, path, operation }) =>
    html`<li><a href="#${anchor('op', operation.operationId)}" title="${operation.summary}">${methodBadge(method)} <span class="path">${path}</span> <span class="hint">${operation.summary}</span></a></li>
`,
)}</ul>
</div>
`,
)}
<div class="tag">
<h2><a href="#objects">Object definitions</a></h2>
<ul>
${[...registry.objects.keys()].map(
  (name) => html`<li><a href="#${anchor('object', name)}"><span class="path">${name}</span></a></li>
`,
)}</ul>
</div>
<ul class="plain">
<li><a href="#operators">Filter operators</a></li>
<li><a href="#errors">Error codes</a></li>
</ul>
</nav>
`;
}
