/**
 * The pages behind the `type` address of every problem document: what went wrong and what to do, as HTML for people
 * and as JSON for programs. They load nothing from other hosts.
 */
import { AppError } from '../../errors/app-error.js';
import {
  type Call,
  type Endpoint,
  htmlReply,
  jsonReply,
  objectSchema,
  type Reply,
} from '../../http/interface/endpoint.js';
import { escapeHtml } from '../../values/escape-html.js';
import { publicProblems } from './envelope.js';

interface ProblemPage {
  readonly slug: string;
  readonly title: string;
  readonly codes: readonly {
    readonly code: string;
    readonly status: number;
    readonly title: string;
    readonly cause: string;
    readonly fix: string;
  }[];
}

const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The pages change only with the program. */
const caching = { kind: 'static', seconds: 3600 } as const;

const pages: ReadonlyMap<string, ProblemPage> = makePages();

const text = { type: 'string' };
const explanationSchema = objectSchema({
  code: text,
  status: { type: 'integer' },
  title: text,
  cause: text,
  fix: text,
});
const pageSchema = objectSchema({ slug: text, title: text, codes: { type: 'array', items: explanationSchema } });

const row = {
  method: 'GET',
  access: { kind: 'public' },
  object: null,
  tags: ['Meta'],
  whenDisabled: true,
  produces: ['application/json', 'text/html'],
} as const;

/** Rows for the endpoint table of the gateway. */
export const problemEndpoints: readonly Endpoint[] = Object.freeze([
  {
    ...row,
    name: 'problems.list',
    path: '/problems',
    summary: 'All problem types',
    parameters: [],
    response: {
      status: 200,
      description: 'Every problem type with its codes, causes and fixes.',
      schema: objectSchema({
        data: objectSchema({ problems: { type: 'array', items: pageSchema } }),
        meta: objectSchema({ count: { type: 'integer' } }),
      }),
    },
    handler: listProblems,
  },
  {
    ...row,
    name: 'problems.get',
    path: '/problems/:slug',
    summary: 'One problem type',
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
      schema: objectSchema({ data: pageSchema, meta: { type: 'object' } }),
    },
    exists: ({ slug }) => slug !== undefined && pages.has(slug),
    handler: readProblem,
  },
] satisfies readonly Endpoint[]);

function makePages(): ReadonlyMap<string, ProblemPage> {
  const bySlug = new Map<string, ProblemPage>();
  for (const { code, status, slug, title, meaning, cause, fix } of publicProblems) {
    const codes = [...(bySlug.get(slug)?.codes ?? []), { code, status, title: meaning, cause, fix }];
    bySlug.set(slug, { slug, title, codes });
  }
  return bySlug;
}

function listProblems(call: Call): Reply {
  const all = [...pages.values()];
  if (call.mediaType !== 'text/html') {
    return jsonReply({ data: { problems: all }, meta: { count: all.length } }, caching);
  }
  const items = all.map(
    ({ slug, codes }) =>
      `<li><a href="${escapeHtml(`${call.base}/problems/${slug}`)}">${escapeHtml(slug)}</a>: ${escapeHtml(
        codes.map(({ title }) => title).join(', '),
      )}</li>`,
  );
  return page('Problem types', `<ul>${items.join('')}</ul>`);
}

function readProblem(call: Call): Reply {
  const found = pages.get(call.params['slug'] ?? '');
  if (found === undefined) throw new AppError('not_found');
  if (call.mediaType !== 'text/html') return jsonReply({ data: found, meta: {} }, caching);
  const sections = found.codes.map(
    ({ code, status, title, cause, fix }) =>
      `<section><h2><code>${code}</code> (${status}): ${escapeHtml(title)}</h2>` +
      `<p><strong>Cause.</strong> ${escapeHtml(cause)}</p><p><strong>Fix.</strong> ${escapeHtml(fix)}</p></section>`,
  );
  return page(found.title, sections.join(''));
}

function page(title: string, content: string): Reply {
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    '<meta name="viewport" content="width=device-width"><style>body{font:1rem/1.5 sans-serif;max-width:45rem;' +
    'margin:2rem auto;padding:0 1rem}code{font-size:1em}</style></head>' +
    `<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>\n`;
  return htmlReply(html, { policy: contentSecurityPolicy, caching });
}
