/** Packages that only some users need: users install them, and the program loads them when they are used. */
import { AppError } from './app-error.js';
import { codeOf } from './disk-error.js';

/** Throws configuration_invalid with the command for npm; `user` begins the message, `spec` has the major version. */
export async function loadOptional<T>(
  { user, spec }: { readonly user: string; readonly spec: string },
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new AppError('configuration_invalid', {
      message: `${user} needs a package that is not installed. Next to hcd (--global if hcd is), run: npm install ${spec}`,
      cause,
    });
  }
}
