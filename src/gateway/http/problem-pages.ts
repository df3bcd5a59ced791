/**
 * The pages behind the `type` address of every problem document: what went wrong and what to do, as HTML for people
 * and as JSON for programs. Made from the catalogue; nothing on them is loaded from elsewhere.
 */
import { AppError } from '../../errors/app-error.js';
import { catalogue, type ErrorCode, errorCodes } from '../../errors/catalogue.js';
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { escapeHtml } from '../../values/escape-html.js';
import { problems } from './envelope.js';

interface Explanation {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

interface ProblemPage {
  readonly slug: string;
  readonly title: string;
  readonly codes: readonly Explanation[];
}

const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The pages change only with the program. */
const keptSeconds = 3600;
const produces = ['application/json', 'text/html'] as const;

const pages: ReadonlyMap<string, ProblemPage> = makePages();

const explanationSchema = {
  type: 'object',
  required: ['code', 'status', 'title', 'cause', 'fix'],
  properties: {
    code: { type: 'string' },
    status: { type: 'integer' },
    title: { type: 'string' },
    cause: { type: 'string' },
    fix: { type: 'string' },
  },
} as const;

const pageSchema = {
  type: 'object',
  required: ['slug', 'title', 'codes'],
  properties: {
    slug: { type: 'string' },
    title: { type: 'string' },
    codes: { type: 'array', items: explanationSchema },
  },
} as const;

/** Rows for the endpoint table of the gateway. */
export const problemEndpoints: readonly Endpoint[] = Object.freeze([
  {
    name: 'problems.list',
    method: 'GET',
    path: '/problems',
    access: { kind: 'public' },
    object: null,
    summary: 'All problem types',
    tags: ['Meta'],
    parameters: [],
    response: {
      status: 200,
      description: 'Every problem type with its codes, causes and fixes.',
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: {
            type: 'object',
            required: ['problems'],
            properties: { problems: { type: 'array', items: pageSchema } },
          },
          meta: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
        },
      },
    },
    whenDisabled: true,
    produces,
    handler: listProblems,
  },
  {
    name: 'problems.get',
    method: 'GET',
    path: '/problems/:slug',
    access: { kind: 'public' },
    object: null,
    summary: 'One problem type',
    tags: ['Meta'],
    parameters: [
      {
        name: 'slug',
        in: 'path',
        required: true,
        description: 'Last segment of the type address of a problem document.',
        schema: { type: 'string', enum: [...pages.keys()] },
        example: 'not-found',
      },
    ],
    response: {
      status: 200,
      description: 'The problem type with its codes, causes and fixes.',
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: { data: pageSchema, meta: { type: 'object' } },
      },
    },
    whenDisabled: true,
    exists: ({ slug }) => slug !== undefined && pages.has(slug),
    produces,
    handler: readProblem,
  },
] satisfies readonly Endpoint[]);

function makePages(): ReadonlyMap<string, ProblemPage> {
  const bySlug = new Map<string, ProblemPage>();
  for (const code of errorCodes) {
    const row = problems[code];
    // Codes that appear as another one are explained there.
    if (row.code !== code) continue;
    const { title, cause, fix } = catalogue[code];
    const known = bySlug.get(row.slug);
    const codes = [...(known?.codes ?? []), { code, status: row.status, title, cause, fix }];
    bySlug.set(row.slug, { slug: row.slug, title: row.title, codes });
  }
  return bySlug;
}

async function listProblems(call: Call): Promise<Reply> {
  const all = [...pages.values()];
  if (call.mediaType !== 'text/html') {
    return jsonReply({ data: { problems: all }, meta: { count: all.length } });
  }
  const items = all.map(
    ({ slug, codes }) =>
      `<li><a href="${escapeHtml(`${call.base}/problems/${slug}`)}">${escapeHtml(slug)}</a>: ${escapeHtml(
        codes.map(({ title }) => title).join(', '),
      )}</li>`,
  );
  return htmlReply('Problem types', `<ul>${items.join('')}</ul>`);
}

async function readProblem(call: Call): Promise<Reply> {
  const page = pages.get(call.params['slug'] ?? '');
  if (page === undefined) throw new AppError('not_found');
  if (call.mediaType !== 'text/html') return jsonReply({ data: page, meta: {} });
  const sections = page.codes.map(
    ({ code, status, title, cause, fix }) =>
      `<section><h2><code>${code}</code> (${status}): ${escapeHtml(title)}</h2>` +
      `<p><strong>Cause.</strong> ${escapeHtml(cause)}</p><p><strong>Fix.</strong> ${escapeHtml(fix)}</p></section>`,
  );
  return htmlReply(page.title, sections.join(''));
}

function jsonReply(value: unknown): Reply {
  return { status: 200, body: { kind: 'json', value }, caching: { kind: 'static', seconds: keptSeconds } };
}

function htmlReply(title: string, content: string): Reply {
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    '<meta name="viewport" content="width=device-width"><style>body{font:1rem/1.5 sans-serif;max-width:45rem;' +
    'margin:2rem auto;padding:0 1rem}code{font-size:1em}</style></head>' +
    `<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>\n`;
  return {
    status: 200,
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
    body: { kind: 'bytes', type: 'text/html; charset=utf-8', bytes: html },
    caching: { kind: 'static', seconds: keptSeconds },
  };
}
