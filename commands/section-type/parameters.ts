/** Arguments that the commands for section types share. */
import { textValue } from '../../src/config/value-type.js';
import { required } from '../parameters.js';

const keyAccepts = 'the key of a section type such as hero';

export const keyParameter = required(textValue({ accepts: keyAccepts, pattern: /^_?[a-z][a-z0-9_-]{0,99}$/ }), {
  placeholder: 'KEY',
  description: 'Key of the section type',
});
