/** `hcd explain CODE|REQUEST_ID`: what an error code means, or why a request was refused. */

import { nearMatch } from '../src/config/near-match.js';
import { textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { catalogue, errorCodes } from '../src/errors/catalogue.js';
import { problemOf } from '../src/gateway/http/envelope.js';
import { type FoundRefusal, findRefusal } from '../src/operations/processes/refusal.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { defineCommand } from './command.js';
import { required } from './parameters.js';

export const command = defineCommand({
  description:
    'Explains an error code: what it means, its cause and what to do. With the id of a request (request_id of the answer, or its header X-Request-ID) it shows which check refused the request, why, and what would have let it pass. Servers keep the requests that they refused with a status from 400 to 499 for a day, within a second of the answer. The status is that of the gateway for a code, none for a code of commands, and for a request the one that was sent.',
  arguments: {
    subject: required(textValue(), 'Error code such as scope_denied, or id of a refused request', {
      placeholder: 'CODE|REQUEST_ID',
      suggestions: errorCodes(),
    }),
  },
  examples: {
    'explain scope_denied': 'Show what a code means',
    'explain 7d0f2f6d3c5b4e2a9f1c8b7a6d5e4f30': 'Show why a request was refused',
  },
  async run({ subject }, deps) {
    const code = errorCodes().find((one) => one === subject.toLowerCase());
    if (code !== undefined) return { kind: 'record', record: explainCode(code) };
    const near = nearMatch(subject, errorCodes());
    let refusal: FoundRefusal | null = null;
    try {
      refusal = await findRefusal((await deps.openSite()).store.own, subject);
    } catch (error) {
      // A code that is almost right needs no database.
      if (near === undefined) throw error;
    }
    if (refusal === null) {
      const hint = near === undefined ? 'docs/errors.md lists every code' : `Did you mean ${near}?`;
      throw new AppError('not_found', {
        message: `${subject} is neither an error code nor a request that was refused in the last day. ${hint}`,
      });
    }
    return { kind: 'record', record: explainRequest(refusal) };
  },
});

export function explainCode(code: keyof typeof catalogue) {
  const { title, cause, fix } = catalogue[code];
  // The gateway would send what only commands can meet as a fault of its own.
  const sent = problemOf(code);
  const isSent = code === 'internal_error' || sent.code !== 'internal_error';
  return { code, status: isSent ? sent.status : null, title, cause, fix };
}

function explainRequest({ requestId, createdOn, checkName, wouldPass, code, status, ...rest }: FoundRefusal) {
  const { api, method, route, reason } = rest;
  return {
    ...explainCode(code),
    status,
    ...{ request_id: requestId, time: isoTimeOfMs(createdOn), api, method, route },
    ...{ check: checkName, reason, would_pass: wouldPass },
  };
}
