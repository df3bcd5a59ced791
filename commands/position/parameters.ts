/** Arguments and flags that the commands for positions share. */
import { textValue } from '../../src/config/value-type.js';

/** What a name and a key may be is decided by the service: any text may be given. */
export const anyText = textValue({ pattern: /^/ });

export const aboutContext = {
  placeholder: 'KEY',
  description: 'Only in this context; the empty text is every context',
};
