/** Arguments and flags that the commands for users share. */
import { textValue } from '../../src/config/value-type.js';
import { required, toggle } from '../parameters.js';

const usernameValue = textValue({
  accepts: 'a name of 1 to 100 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,100}$/u,
});

export const userParameter = required(usernameValue, { placeholder: 'NAME', description: 'Name of the user' });

/** How a new password comes in; asked twice on a terminal when neither is given. */
export const passwordOptions = {
  passwordStdin: toggle('Read the password from standard input, without its last line end'),
  generate: toggle('Make a password and print it, once'),
};
