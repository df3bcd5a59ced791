/** Arguments and flags that the commands for users share. */
import { textValue } from '../../src/config/value-type.js';
import { required, toggle } from '../parameters.js';

const usernameValue = textValue({
  accepts: 'a name of 1 to 100 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,100}$/u,
});

export const userParameter = required(usernameValue, { placeholder: 'NAME', description: 'Name of the user' });

/** Sources of a new password; without one of them a terminal asks twice. */
export const passwordOptions = {
  passwordStdin: toggle('Read the password from standard input'),
  generate: toggle('Generate a password and print it'),
};
