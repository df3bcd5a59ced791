/** The pages behind the `type` of problem documents, as HTML and JSON. They load nothing from other hosts. */
import { AppError } from '../../errors/app-error.js';
import { plainPage } from '../../http/answers/plain-page.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import { escapeHtml } from '../../values/text.js';
import { type PublicProblem, publicProblems } from './envelope.js';

interface ProblemPage {
  readonly slug: string;
  readonly title: string;
  readonly codes: readonly Pick<PublicProblem, 'code' | 'status' | 'title' | 'cause' | 'fix'>[];
}

const caching = { kind: 'static', seconds: 3600 } as const;

const pages: ReadonlyMap<string, ProblemPage> = makePages();

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
  tags: ['Meta'],
  whenDisabled: true,
  produces: ['application/json', 'text/html'],
} as const;

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
      schema: pageSchema,
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
    ({ slug, title, codes }) =>
      `<section>\n<h2><a href="${escapeHtml(`${call.base}/problems/${slug}`)}">${escapeHtml(nameOf(title, codes))}</a>${chip(codes)}</h2>\n` +
      `<p>${codes.map(({ code }) => `<code>${code}</code>`).join(' · ')}</p>\n</section>\n`,
  );
  const lead = '<p class="lead">What the refusals of the gateway mean, and what to do.</p>';
  return plainPage({ title: 'Problem types', content: `<h1>Problem types</h1>\n${lead}\n${items.join('')}`, caching });
}

function nameOf(title: string, codes: ProblemPage['codes']): string {
  const [only, another] = codes;
  return only === undefined || another !== undefined ? title : only.title;
}

function chip(codes: ProblemPage['codes']): string {
  return `<span class="chip">${[...new Set(codes.map(({ status }) => status))].join(', ')}</span>`;
}

function readProblem(call: Call): Reply {
  const found = pages.get(call.params['slug'] ?? '');
  if (found === undefined) throw new AppError('not_found');
  if (call.mediaType !== 'text/html') return jsonReply({ data: found, meta: {} }, caching);
  const sections = found.codes.map(
    ({ code, status, title, cause, fix }) =>
      `<section>\n<h2>${escapeHtml(title)}<span class="chip">${status}</span></h2>\n<dl>` +
      `<dt>Code</dt><dd><code>${code}</code></dd><dt>Cause</dt><dd>${escapeHtml(cause)}</dd>` +
      `<dt>What to do</dt><dd>${escapeHtml(fix)}</dd></dl>\n</section>\n`,
  );
  const links = [
    `<a href="${call.base}/problems">All problem types</a>`,
    `<a href="${call.base}/docs">API reference</a>`,
  ];
  const end = `<section>\n<p>${links.join(' · ')}</p>\n</section>\n`;
  const content = `<h1>${escapeHtml(found.title)}</h1>\n<p class="lead">Why the server refuses a request in this way.</p>\n`;
  return plainPage({ title: found.title, content: `${content}${sections.join('')}${end}`, caching });
}
