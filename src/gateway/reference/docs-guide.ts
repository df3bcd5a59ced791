/** The parts of the reference about several routes: how to begin, the operators, the error codes. */
import { operators } from '../../content/query/operators.js';
import { problemExample, problemsByStatus } from '../openapi/openapi-components.js';
import { anchor, type Html, html, table } from './docs-html.js';
import type { DocumentedApi } from './docs-operations.js';
import { jsonHtml } from './docs-schemas.js';

interface GuideSource {
  readonly base: string;
  readonly apis: readonly DocumentedApi[];
}

const uses = {
  gateway: { does: 'Reads and changes content', file: '/meta/openapi.json', needs: 'nothing, or an API key' },
  pages: { does: 'Delivers published pages', file: '/openapi.json', needs: 'a page token' },
  banners: { does: 'Banners and their statistics', file: '/openapi.json', needs: 'the banner key; slots need nothing' },
} as const;

export function renderGuide({ base, apis }: GuideSource): Html {
  const problem = problemsByStatus.find(({ code }) => code === 'validation_failed');
  const envelope = {
    data: [{ id: 42, pagetitle: 'About us', uri: 'about.html' }],
    meta: { total: 57, count: 1, limit: 1, offset: 0, has_more: true, next_cursor: 'eyJ2IjoxfQ' },
    links: { self: `${base}/resources?limit=1&offset=0`, next: `${base}/resources?limit=1&offset=1` },
  };
  return html`<section class="group guide" id="start" aria-labelledby="start-title">
<h2 id="start-title">Getting started</h2>
${table({
  label: 'Interfaces',
  kind: 'interfaces',
  columns: ['Interface', 'Address', 'Needs', 'OpenAPI 3.1'],
  rows: apis.map(interfaceRow),
})}
<p><a href="${base}/meta/endpoints">${base}/meta/endpoints</a> lists the routes of the gateway and
<a href="${base}/schema">${base}/schema</a> its objects for programs.</p>
<h3 id="code">From code</h3>
<p>Each route has samples. They need this once; the client and the types of your site are in
<code>docs/client.md</code>.</p>
<div class="samples">
<div><p class="media">curl</p>
<pre tabindex="0"><code>export SITE=<span class="origin">https://site.example</span>
export KEY=gk_…   <span class="note"># hcd key create</span>
curl -g "$SITE${base}/resources?filter[template]=1&amp;limit=5"</code></pre></div>
<div><p class="media">fetch</p>
<pre tabindex="0"><code>const site = '<span class="origin">https://site.example</span>';
const key = process.env.KEY;
const { data } = await (await fetch(\`\${site}${base}/resources?filter[template]=1&amp;limit=5\`)).json();</code></pre></div>
<div><p class="media">client</p>
<pre tabindex="0"><code>import { createClient } from 'hcd-client';
import type { Site } from './site.js'; <span class="note">// hcd types --out site.ts</span>
const hcd = createClient&lt;Site&gt;({ url: '<span class="origin">https://site.example</span>', key: process.env.KEY });
const { data } = await hcd.list('resources', { filter: { template: 1 }, limit: 5 });</code></pre></div>
</div>
<div class="columns">
<div>
<h3 id="authentication">Authentication</h3>
<p>Public routes need no credential. Everything else takes an API key (<code>gk_…</code>) or an OAuth access token
(<code>gt_…</code>) that holds the scope of the route, such as <code>chunks.read</code>; <code>*</code> holds all.</p>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $KEY" \\
  "$SITE${base}/chunks?limit=5"</code></pre>
<p>An API key may stand in <code>X-API-Key</code> instead. A credential that is sent and is wrong, revoked or expired is
refused with 401 on every route, public ones included.</p>
</div>
<div>
<h3 id="caching">Caching</h3>
<p>Reads carry an <code>ETag</code>; send it back as <code>If-None-Match</code> and an unchanged answer is 304 without a
body. Anonymous answers are public for the seconds in <code>Cache-Control</code> and list in <code>Cache-Tag</code> what
they show; answers to a credential are private.</p>
<pre tabindex="0"><code>curl -i -H 'If-None-Match: "5d41402a…"' \\
  "$SITE${base}/resources/42"</code></pre>
</div>
<div>
<h3 id="envelope">Answers</h3>
<p>Every answer is <code>data</code> and <code>meta</code>; lists add <code>links</code>. Times are ISO 8601 in UTC, unset
times are <code>null</code>, flags are <code>true</code> or <code>false</code>.</p>
<pre tabindex="0"><code>${jsonHtml(envelope)}</code></pre>
</div>
<div>
<h3 id="problems">Refusals</h3>
<p>Errors are <a href="#errors">problem documents</a> (RFC 9457). <code>type</code> is a page of this server that explains
cause and fix; <code>code</code> is for programs; status 422 names every field that is wrong.</p>
${problem !== undefined && html`<pre tabindex="0"><code>${jsonHtml(problemExample(problem, base))}</code></pre>`}
</div>
</div>
</section>
`;
}

function interfaceRow({ name, document: { info, servers } }: DocumentedApi): Html {
  const base = servers[0]?.url ?? '';
  const { does, file, needs } = uses[name];
  const first = name === 'gateway' ? 'start' : anchor('api', name);
  return html`<tr>
<th scope="row"><a href="#${first}">${info.title}</a><br><span class="note">${does}</span></th>
<td><code>${base}</code></td>
<td>${needs}</td>
<td><a href="${base}${file}"><code>${base}${file}</code></a></td>
</tr>
`;
}

export function renderOperators(): Html {
  const rows = operators.map(
    ({ operator, aliases, takes, description }) => html`<tr>
<th scope="row"><code>${operator}</code>${aliases.map((alias) => html`, <code>${alias}</code>`)}</th>
<td>${takes === 'list' ? 'comma list' : takes === 'one' ? 'one value' : 'ignored'}</td>
<td>${description}</td>
</tr>
`,
  );
  return html`<section class="group" id="operators" aria-labelledby="operators-title">
<h2 id="operators-title">Filter operators</h2>
<p>Written <code>filter[field][operator]=value</code>; without an operator it is <code>eq</code>. Several filters must all
hold.</p>
${table({ label: 'Filter operators', columns: ['Operator', 'Value', 'Meaning'], rows })}</section>
`;
}

export function renderErrors(base: string): Html {
  const seen = new Set<number>();
  return html`<section class="group" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Error codes</h2>
<div class="table" tabindex="0" role="group" aria-label="Error codes">
<table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Cause</th><th scope="col">Fix</th></tr></thead>
<tbody>
<tr id="status-304"><th scope="row"><span class="status">304</span></th><td>Not Modified</td><td>The representation that
<code>If-None-Match</code> names is still the current one.</td><td>Use the one you have.</td></tr>
${problemsByStatus.map(({ code, status, slug, meaning, cause, fix }) => {
  const first = !seen.has(status);
  seen.add(status);
  return html`<tr${first && html` id="status-${status}"`}>
<th scope="row"><span class="status">${status}</span></th>
<td><a href="${base}/problems/${slug}"><code>${code}</code></a><br><span class="note">${meaning}</span></td>
<td>${cause}</td>
<td>${fix}</td>
</tr>
`;
})}</tbody>
</table>
</div>
</section>
`;
}
