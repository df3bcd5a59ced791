/** The operations of the reference: for each route its rights, parameters, answers and an example. */
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
import { exampleValue, hasMembers, jsonHtml, limitsOf, memberRows, type Schemas, typeOf } from './docs-schemas.js';

interface DocumentedOperation {
  readonly method: DocumentMethod;
  readonly path: string;
  readonly operation: OperationObject;
}

export interface OperationGroup {
  readonly tag: string;
  readonly operations: readonly DocumentedOperation[];
}

/** All operations by their first tag, in the order of the document. */
export function groupOperations(document: OpenApiDocument): OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    documentMethods.flatMap((method): DocumentedOperation[] => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
  return document.tags
    .map(({ name }) => ({ tag: name, operations: all.filter(({ operation }) => operation.tags[0] === name) }))
    .filter(({ operations }) => operations.length > 0);
}

export function renderGroup({ tag, operations }: OperationGroup, document: OpenApiDocument): Html {
  return html`<section class="group" id="${anchor('tag', tag)}" aria-labelledby="${anchor('tag', tag)}-title">
<h2 id="${anchor('tag', tag)}-title">${tag}</h2>
${operations.map((one) => renderOperation(one, document))}
</section>
`;
}

export function methodBadge(method: DocumentMethod): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function renderOperation({ method, path, operation }: DocumentedOperation, document: OpenApiDocument): Html {
  const { schemas } = document.components;
  const id = anchor('op', operation.operationId);
  const base = document.servers[0]?.url ?? '';
  return html`<article class="op" id="${id}" data-method="${method}" data-path="${base}${path}">
<header>
<h3>${methodBadge(method)} <code class="path">${pathHtml(path)}</code></h3>
<a class="permalink" href="#${id}" aria-label="Link to ${operation.operationId}">#</a>
</header>
<p class="summary">${operation.summary}. ${accessHtml(operation)}</p>
${parameterTable(operation.parameters, schemas)}
${operation.requestBody !== undefined && bodyHtml(operation.requestBody, schemas)}
${answersHtml(operation, document)}
</article>
`;
}

function pathHtml(path: string): HtmlPart {
  return path.split(/(\{[^}]+\})/).map((piece) => (piece.startsWith('{') ? html`<var>${piece}</var>` : piece));
}

/** The access of the route: every caller, every caller with a scope for keys, or holders of a scope. */
function accessHtml({ security }: OperationObject): Html {
  const isPublic = security.some((one) => Object.keys(one).length === 0);
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))];
  const scope = scopes.map((name) => html` <span class="chip scope">scope <code>${name}</code></span>`);
  if (isPublic) {
    const note = scopes.length > 0 ? html`${scope} <span class="note">for keys and tokens</span>` : null;
    return html`<span class="access"><span class="chip public">Public</span>${note}</span>`;
  }
  const any = scopes.length === 0 ? html` <span class="chip scope">scope of the object in the path</span>` : scope;
  return html`<span class="access"><span class="chip locked">Credential</span>${any}</span>`;
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

/** The example as it is written in an address. */
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

function answersHtml({ responses }: OperationObject, document: OpenApiDocument): Html {
  const { schemas } = document.components;
  const entries = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  const direct = entries.flatMap(([status, response]) => (isReference(response) ? [] : [{ status, response }]));
  const others = entries.filter(([, response]) => isReference(response)).map(([status]) => status);
  return html`<h4>Answers</h4>
${direct.map(({ status, response }) => answerHtml(status, response, schemas))}
<p class="statuses"><span class="note">Also:</span> ${others.map(
    (status) => html`<a class="status" href="#status-${status}">${status}</a> `,
  )}</p>
`;
}

function answerHtml(status: string, { description, content = {} }: ResponseObject, schemas: Schemas): Html {
  const types = Object.keys(content);
  const media = Object.values(content)[0];
  return html`<p class="answer"><span class="status ok">${status}</span> ${prose(description)} <span class="media">${types.join(', ')}</span></p>
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
