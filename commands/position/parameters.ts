/** Arguments and flags that the commands for positions share. */
import { textValue } from '../../src/config/value-type.js';

/** The use case checks names and keys, so the flag accepts any text. */
export const anyText = textValue({ pattern: /^/ });

export const aboutContext = {
  placeholder: 'KEY',
  description: 'Context of the position (default: every context)',
};
