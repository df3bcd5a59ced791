/** Arguments that the commands for keys of the banner API share. */
import { textValue } from '../../../src/config/value-type.js';
import { required } from '../../parameters.js';

export const readKeyParameter = required(
  textValue({ accepts: 'a name of 1 to 40 characters of a-z, 0-9, _ and -', pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/ }),
  { placeholder: 'NAME', description: 'Name of the read-only key (see hcd banner key show)' },
);
