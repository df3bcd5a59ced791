/** What is kept of a refused request: which check refused it, why, and what would have let it pass. */
import type { AppError } from '../../errors/app-error.js';
import { catalogue, type ErrorCode, errorCodes } from '../../errors/catalogue.js';
import type { RequestFinished } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { type RefusalRow, refusals } from '../models/refusals.js';

const longestText = 1000;

export function refusalOf(fact: RequestFinished): Omit<RefusalRow, 'id' | 'createdOn'> {
  const { requestId, status, refusal } = fact;
  const code = refusal?.error.code ?? 'bad_request';
  return {
    requestId,
    api: fact.api.slice(0, 32),
    method: fact.method.slice(0, 16),
    route: fact.route?.slice(0, 190) ?? null,
    status,
    checkName: refusal?.check ?? 'handler',
    code,
    reason: harmless(refusal?.error.message ?? catalogue[code].title),
    wouldPass: harmless(wayOut(code, refusal?.error)),
  };
}

/** Named problems, allowed methods or the time to wait; else the fix of the code. */
function wayOut(code: ErrorCode, error: AppError | undefined): string {
  const { fix } = catalogue[code];
  const { fields, allow, retryAfter } = error?.details ?? {};
  if (fields !== undefined) {
    return Object.entries(fields)
      .map(([field, problems]) => `${field}: ${problems.join('; ')}`)
      .join('\n');
  }
  if (allow !== undefined) return `Use one of the methods ${allow.join(', ')}.`;
  return retryAfter === undefined ? fix : `Wait ${retryAfter} seconds. ${fix}`;
}

/** Credentials have many letters and digits without a space; a caller may have sent one as a value or a name. */
const secretForm = /[A-Za-z0-9_~-]{24,}/g;

function harmless(text: string): string {
  const hidden = text.replace(secretForm, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[hidden]' : word));
  return hidden.length <= longestText ? hidden : `${hidden.slice(0, longestText - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export type FoundRefusal = Omit<RefusalRow, 'code'> & { readonly code: ErrorCode };

/** The newest one; null when none is kept. */
export async function findRefusal(reader: Reader, requestId: string): Promise<FoundRefusal | null> {
  const row = await refusals.on(reader).findOne({ where: { requestId }, order: [['id', 'DESC']] });
  if (row === null) return null;
  // A newer version may have written a code that this one does not know.
  return { ...row, code: errorCodes().find((code) => code === row.code) ?? 'bad_request' };
}
