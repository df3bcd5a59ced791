/** The API reference as one HTML page: complete without its script, with nothing from another host. */
import {
  type FieldDefinition,
  isList,
  type ObjectDefinition,
  type Registry,
} from '../../content/objects/definition.js';
import type { OtherDocument } from '../http/deps.js';
import { shownFields, valueSchema } from '../openapi/openapi-schemas.js';
import type { OpenApiDocument } from '../openapi/openapi-types.js';
import { docsScript, docsStyle } from './docs-assets.js';
import { renderErrors, renderGuide, renderOperators } from './docs-guide.js';
import { anchor, type Html, type HtmlPart, html, table } from './docs-html.js';
import {
  type DocumentedApi,
  groupByTag,
  methodBadge,
  type OperationGroup,
  operationAnchor,
  renderGroup,
  type ShownDocument,
  wholeGroup,
} from './docs-operations.js';
import { limitsOf, typeOf } from './docs-schemas.js';

interface DocsSource {
  readonly document: OpenApiDocument;
  readonly registry: Registry;
  readonly others: readonly OtherDocument[];
}

const credentials = { pages: 'Page token', banners: 'Banner key' } as const;

export function renderDocs({ document, registry, others }: DocsSource): string {
  const { info, servers } = document;
  // A base of '/' means none: addresses on the page are the base followed by a slash.
  const base = servers[0]?.url === '/' ? '' : (servers[0]?.url ?? '');
  const gateway: DocumentedApi = { name: 'gateway', credential: 'Credential', document };
  const groups = groupByTag(
    gateway,
    document.tags.map(({ name }) => name),
  );
  const more = others.map(({ name, document: other }) =>
    wholeGroup({ name, credential: credentials[name], document: readDocument(other) }),
  );
  const version = encodeURIComponent(info.version);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hcd ${info.version}: API reference</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${base}/docs/${docsStyle}?v=${version}">
<script src="${base}/docs/${docsScript}?v=${version}" defer></script>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<p class="brand"><a class="home" href="/">hcd</a> <span class="version">${info.version}</span></p>
<a class="menu" href="#contents">Contents</a>
</header>
<div class="layout">
${navigation({ groups, more, registry })}
<main id="main" tabindex="-1">
<div class="title">
<h1>API reference</h1>
<p class="lead">Every route of this server: with its parameters, answers, and code that calls it.</p>
</div>
${renderGuide({ base, apis: [gateway, ...more.map(({ api }) => api)] })}
${groups.map(renderGroup)}
${renderObjects(registry)}
${renderOperators()}
${renderErrors(base)}
${more.map(renderGroup)}
<footer class="foot">
<p>hcd ${info.version}. Made by this server from its own routes and definitions.</p>
</footer>
</main>
</div>
</body>
</html>
`.text;
}

function readDocument(document: OtherDocument['document']): ShownDocument {
  return document as unknown as ShownDocument;
}

interface Contents {
  readonly groups: readonly OperationGroup[];
  readonly more: readonly OperationGroup[];
  readonly registry: Registry;
}

function navigation({ groups, more, registry }: Contents): Html {
  return html`<nav id="contents" aria-label="Contents">
<a class="close" href="#top">Close</a>
<div class="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" placeholder="Path, name or object" autocomplete="off" spellcheck="false">
<p id="found" class="found" role="status"></p>
</div>
<ul class="plain">
<li><a href="#start">Getting started</a></li>
<li><a href="#code">From code</a></li>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#envelope">Answers</a></li>
<li><a href="#problems">Refusals</a></li>
<li><a href="#caching">Caching</a></li>
</ul>
${groups.map(groupLinks)}
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
${more.map(groupLinks)}
</nav>
`;
}

function groupLinks({ id, title, api, operations }: OperationGroup): Html {
  return html`<div class="tag">
<h2><a href="#${id}">${title}</a></h2>
<ul>
${operations.map(
  ({ method, path, operation }) =>
    html`<li><a href="#${operationAnchor(api, operation)}" title="${operation.summary}">${methodBadge(method)} <span class="path">${path}</span> <span class="hint">${operation.summary}</span></a></li>
`,
)}</ul>
</div>
`;
}

function renderObjects(registry: Registry): Html {
  return html`<section class="group" id="objects" aria-labelledby="objects-title">
<h2 id="objects-title">Object definitions</h2>
<p>Every registered object with its fields. <code>GET /schema</code> gives the same to programs. Marked fields can be
used in <code>filter</code>, <code>sort</code> or are searched by <code>q</code>; a protected field is shown and written
only with the scope <code>fields.&lt;field&gt;</code>.</p>
${[...registry.objects.values()].map(renderObject)}
</section>
`;
}

function renderObject(definition: ObjectDefinition): Html {
  const id = anchor('object', definition.name);
  const rows = shownFields(definition).map(([name, field]) => fieldRow(definition, name, field));
  const hidden = definition.hidden.filter((name) => definition.fields[name] !== undefined);
  return html`<article class="object" id="${id}">
<header>
<h3>${definition.name}</h3>
<a class="permalink" href="#${id}" aria-label="Link to ${definition.name}">#</a>
</header>
<p class="summary">${flagChips(definition)}</p>
${table({ label: `Fields of ${definition.name}`, kind: 'fields', columns: ['Field', 'Type', 'Use'], rows })}${hidden.length > 0 && html`<p class="note">Never shown: ${hidden.map((name) => html`<code>${name}</code> `)}</p>`}
${relationList(definition)}
</article>
`;
}

function flagChips(definition: ObjectDefinition): HtmlPart {
  const flags = [
    ['readable', definition.readable],
    ['creatable', definition.creatable],
    ['updatable', definition.updatable],
    ['deletable', definition.deletable],
  ] as const;
  return flags.filter(([, is]) => is).map(([word]) => html`<span class="chip flag">${word}</span> `);
}

function fieldRow(definition: ObjectDefinition, name: string, field: FieldDefinition): Html {
  const schema = valueSchema(field);
  const marks = [
    ['key', name === definition.primaryKey],
    ['filter', definition.filterable.includes(name)],
    ['sort', definition.sortable.includes(name)],
    ['search', definition.searchable.includes(name)],
    ['required', definition.required.includes(name)],
    ['immutable', definition.immutable.includes(name)],
    ['protected', definition.protected.includes(name)],
    ['media', field.media === true],
  ] as const;
  return html`<tr>
<th scope="row"><code>${name}</code></th>
<td>${typeOf(schema, {})} ${limitsOf(schema)}</td>
<td>${marks.filter(([, is]) => is).map(([word]) => html`<span class="mark ${word}">${word}</span> `)}</td>
</tr>
`;
}

function relationList({ relations }: ObjectDefinition): HtmlPart {
  if (relations.length === 0) return null;
  return html`<h4>Relations</h4>
<ul class="relations">
${relations.map(
  (relation) =>
    html`<li><code>include=${relation.name}</code> ${isList(relation) ? 'records' : 'one record'} of <a href="#${anchor(
      'object',
      relation.target,
    )}">${relation.target}</a> with ${relation.fields.map((field, index) => [index === 0 ? '' : ', ', html`<code>${field}</code>`])}</li>
`,
)}</ul>
`;
}
