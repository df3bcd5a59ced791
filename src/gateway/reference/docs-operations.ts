/** The operations of the reference: rights, parameters, answers, an example, and code for each route. */
import {
  type DocumentMethod,
  documentMethods,
  isReference,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
  type ResponseObject,
} from '../openapi/openapi-types.js';
import { anchor, type Html, type HtmlPart, html, prose, table } from './docs-html.js';
import type { ApiName } from './docs-sample-request.js';
import { codeSamples } from './docs-samples.js';
import { exampleValue, hasMembers, jsonHtml, limitsOf, memberRows, type Schemas, typeOf } from './docs-schemas.js';

interface DocumentedOperation {
  readonly method: DocumentMethod;
  readonly path: string;
  readonly operation: OperationObject;
}

export type ShownDocument = Pick<OpenApiDocument, 'paths' | 'servers'> & {
  readonly info: Pick<OpenApiDocument['info'], 'title' | 'version' | 'description'>;
  readonly components: Pick<OpenApiDocument['components'], 'schemas'>;
  readonly 'x-objects'?: OpenApiDocument['x-objects'];
};

export interface DocumentedApi {
  readonly name: ApiName;
  readonly credential: string;
  readonly document: ShownDocument;
}

export interface OperationGroup {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly api: DocumentedApi;
  readonly operations: readonly DocumentedOperation[];
}

export function groupByTag(api: DocumentedApi, tags: readonly string[]): OperationGroup[] {
  const all = operationsOf(api.document);
  return tags
    .map((tag) => ({
      ...{ id: anchor('tag', tag), title: tag, lead: '', api },
      operations: all.filter(({ operation }) => operation.tags[0] === tag),
    }))
    .filter(({ operations }) => operations.length > 0);
}

export function wholeGroup(api: DocumentedApi): OperationGroup {
  const { info } = api.document;
  return {
    ...{ id: anchor('api', api.name), title: info.title, lead: info.description, api },
    operations: operationsOf(api.document),
  };
}

function operationsOf(document: ShownDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    documentMethods.flatMap((method): DocumentedOperation[] => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

/** Names of operations are unique in their interface only. */
export function operationAnchor({ name }: DocumentedApi, { operationId }: OperationObject): string {
  return anchor('op', name === 'gateway' ? operationId : `${name}.${operationId}`);
}

export function renderGroup({ id, title, lead, api, operations }: OperationGroup): Html {
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${
  lead !== '' &&
  html`<p>${prose(lead)}</p>
`
}${operations.map((one) => renderOperation(one, api))}
</section>
`;
}

export function methodBadge(method: DocumentMethod): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function renderOperation({ method, path, operation }: DocumentedOperation, api: DocumentedApi): Html {
  const { components, servers, 'x-objects': objects = [] } = api.document;
  const { schemas } = components;
  const id = operationAnchor(api, operation);
  const base = servers[0]?.url ?? '';
  const samples = codeSamples({ api: api.name, base, method, path, operation, schemas, objects });
  return html`<article class="op" id="${id}" data-method="${method}" data-path="${base}${path}">
<header>
<h3>${methodBadge(method)} <code class="path">${pathHtml(path)}</code></h3>
<a class="permalink" href="#${id}" aria-label="Link to ${operation.operationId}">#</a>
</header>
<p class="summary">${operation.summary}. ${accessHtml(operation, api)}</p>
${parameterTable(operation.parameters, schemas)}
${operation.requestBody !== undefined && bodyHtml(operation.requestBody, schemas)}
${answersHtml(operation, schemas)}
<details class="code"><summary>Code: ${samples.map(({ label }) => label).join(', ')}</summary>
${samples.map(
  ({ label, code }) => html`<p class="media">${label}</p>
<pre tabindex="0"><code>${code}</code></pre>
`,
)}</details>
</article>
`;
}

function pathHtml(path: string): HtmlPart {
  return path.split(/(\{[^{}]+\})/).map((piece) => (piece.startsWith('{') ? html`<var>${piece}</var>` : piece));
}

function accessHtml({ security, 'x-required-scope': required }: OperationObject, api: DocumentedApi): Html {
  const isPublic = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
  const named = required === undefined ? security.flatMap((one) => Object.values(one).flat()) : [required];
  const scopes = [...new Set(named)];
  const scope = scopes.map((name) => html` <span class="chip scope">scope <code>${name}</code></span>`);
  if (isPublic) {
    const note = scopes.length > 0 ? html`${scope} <span class="note">for keys and tokens</span>` : null;
    return html`<span class="access"><span class="chip public">Public</span>${note}</span>`;
  }
  const isByObject = scopes.length === 0 && api.name === 'gateway';
  const any = isByObject ? html` <span class="chip scope">scope of the object in the path</span>` : scope;
  return html`<span class="access"><span class="chip locked">${api.credential}</span>${any}</span>`;
}

function parameterTable(parameters: readonly ParameterObject[], schemas: Schemas): HtmlPart {
  if (parameters.length === 0) return null;
  const rows = parameters.map((parameter) => parameterRow(parameter, schemas));
  const columns = ['Name', 'In', 'Type', 'Description'];
  return html`<h4>Parameters</h4>
${table({ label: 'Parameters', kind: 'parameters', columns, rows })}`;
}

function parameterRow(parameter: ParameterObject, schemas: Schemas): Html {
  const { name, schema, required, style } = parameter;
  const example = exampleOf(parameter);
  return html`<tr${parameter.deprecated === true && html` class="alias"`} data-name="${name}" data-in="${parameter.in}" data-style="${style ?? 'plain'}" data-required="${String(required)}" data-example="${example}">
<th scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}</th>
<td>${parameter.in}</td>
<td>${style === 'deepObject' ? 'filter' : typeOf(schema, schemas)}</td>
<td>${prose(parameter.description)} ${style === 'deepObject' ? null : limitsOf(schema)} ${
    example !== '' && html`<span class="example">Example: <code>${example}</code></span>`
  }</td>
</tr>
`;
}

function exampleOf({ name, example, style }: ParameterObject): string {
  if (example === undefined) return '';
  if (Array.isArray(example)) return example.join(',');
  if (style !== 'deepObject' || typeof example !== 'object' || example === null) return String(example);
  return Object.entries(example)
    .map(([field, value]) => `${name}[${field}]=${String(value)}`)
    .join('&');
}

function bodyHtml({ content }: RequestBodyObject, schemas: Schemas): HtmlPart {
  return Object.entries(content).map(
    ([type, media]) => html`<h4>Body <span class="media">${type}</span></h4>
${mediaHtml({ media, schemas, title: 'Fields of the body', example: 'Example body' })}`,
  );
}

function answersHtml({ responses }: OperationObject, schemas: Schemas): Html {
  const entries = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  const direct = entries.flatMap(([status, response]) => (isReference(response) ? [] : [{ status, response }]));
  const others = entries.filter(([, response]) => isReference(response)).map(([status]) => status);
  return html`<h4>Answers</h4>
${direct.map(({ status, response }) => answerHtml(status, response, schemas))}
${
  others.length > 0 &&
  html`<p class="statuses"><span class="note">Also:</span> ${others.map(
    (status) => html`<a class="status" href="#status-${status}">${status}</a> `,
  )}</p>
`
}`;
}

function answerHtml(status: string, { description, content = {} }: ResponseObject, schemas: Schemas): Html {
  const types = Object.keys(content);
  const media = Object.values(content)[0];
  const isError = status === 'default';
  return html`<p class="answer"><span class="status${!isError && ' ok'}">${isError ? 'else' : status}</span> ${prose(description)} <span class="media">${types.join(', ')}</span></p>
${media !== undefined && mediaHtml({ media, schemas, title: 'Members of the answer', example: 'Example answer' })}`;
}

interface MediaView {
  readonly media: MediaTypeObject;
  readonly schemas: Schemas;
  readonly title: string;
  readonly example: string;
}

function mediaHtml({ media, schemas, title, example }: MediaView): HtmlPart {
  const { schema } = media;
  if (schema === undefined || !(hasMembers(schema, schemas) || schema.anyOf !== undefined)) return null;
  const rows = hasMembers(schema, schemas) && memberRows(schema, schemas);
  return html`${
    rows &&
    html`<details class="members"><summary>${title}</summary>
${table({ label: title, columns: ['Member', 'Type', 'Description'], rows })}</details>
`
  }<details class="sample"><summary>${example}</summary>
<pre tabindex="0"><code>${jsonHtml(media.example ?? exampleValue(schema, schemas))}</code></pre>
</details>
`;
}
