/** Values that the flags of the commands for the audit log take. */
import { textValue, type ValueType } from '../../src/config/value-type.js';

const identityAccepts =
  'anonymous, a kind (api_key, access_token, session), or a kind with an id such as api_key:1a2b3c4d5e6f7a8b';

/** One identity, or all of a kind. */
export const identityValue = textValue({
  accepts: identityAccepts,
  pattern: /^(?:anonymous|(?:api_key|access_token|session)(?::\S{1,180})?)$/,
});

export const requestIdValue = textValue({
  accepts: 'a request id: 8 to 64 letters, digits, dots, underscores or hyphens',
  pattern: /^[A-Za-z0-9._-]{8,64}$/,
});

export type StatusRange = readonly [from: number, to: number];

const statusAccepts = 'a status from 100 to 599, or a class such as 4xx';

/** One status, or the hundred that a class stands for. */
export const statusValue: ValueType<StatusRange> = {
  kind: 'text',
  accepts: statusAccepts,
  parse(text) {
    const [, first = '', rest = ''] = /^([1-5])(\d\d|xx)$/i.exec(text.trim()) ?? [];
    if (first === '')
      return { ok: false, problem: `must be ${statusAccepts}, not ${JSON.stringify(text.slice(0, 60))}` };
    const isClass = /^xx$/i.test(rest);
    const from = Number(first) * 100 + (isClass ? 0 : Number(rest));
    return { ok: true, value: [from, isClass ? from + 99 : from] };
  },
  format: ([from, to]) => (from === to ? String(from) : `${from / 100}xx`),
};
