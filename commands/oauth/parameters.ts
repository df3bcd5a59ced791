/** Arguments and flags that the commands for OAuth share. */
import { textValue, type ValueType } from '../../src/config/value-type.js';
import { required } from '../parameters.js';

const clientIdAccepts = 'a text of 1 to 64 characters without controls and without spaces at its ends';

export const clientIdValue = textValue({
  accepts: clientIdAccepts,
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,64}$/u,
});

export const clientParameter = required(clientIdValue, {
  placeholder: 'CLIENT_ID',
  description: 'Id of the client',
});

const tokenIdAccepts = 'the id of an access token: the 16 hexadecimal digits between the underscores of the token';

/** Errors do not repeat the text: it may be the token itself. */
const tokenIdValue: ValueType<string> = {
  kind: 'text',
  accepts: tokenIdAccepts,
  parse: (text) =>
    /^[0-9a-f]{16}$/.test(text)
      ? { ok: true, value: text }
      : { ok: false, problem: `must be ${tokenIdAccepts} (see hcd oauth token list)` },
  format: (id) => id,
};

export const tokenParameter = required(tokenIdValue, {
  placeholder: 'TOKEN_ID',
  description: 'Id of the token: the part between the underscores of the token',
});
