/** The answer to an address that names nothing: a page for browsers, the error of the interface for all other clients. */
import { escapeHtml } from '../../values/escape-html.js';
import { chooseMediaType } from '../interface/accept.js';
import type { Reply } from '../interface/endpoint.js';
import type { Exchange } from '../interface/exchange.js';
import { plainPage } from '../interface/plain-page.js';

const html = 'text/html';

/** The reply, or a page instead of it. The exchange notes which of them it is, because headers depend on that. */
export function answerUnknown(exchange: Exchange, reply: Reply): Reply {
  const { body } = reply;
  const type = (body.kind === 'json' ? body.type : undefined) ?? 'application/json';
  const offered = [type.replace(/;.*/, ''), 'application/json', html];
  exchange.unknown = chooseMediaType(exchange.header('accept'), offered) === html ? 'page' : 'error';
  if (exchange.unknown === 'error') return reply;
  const hint = exchange.located?.routeProblem?.().message;
  const content = `<h1>There is nothing at this address</h1>
${hint === undefined ? '' : `<p class="lead">${escapeHtml(hint)}.</p>\n`}<p><a class="go" href="/">Start page of this server</a></p>
<p class="note">Request <code>${escapeHtml(exchange.requestId)}</code></p>
`;
  return { ...plainPage({ title: 'Not found', content, caching: reply.caching }), status: reply.status };
}
