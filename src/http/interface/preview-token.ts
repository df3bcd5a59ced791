/** Where a request carries the token of a preview (docs/previews.md): a header, or a parameter for links. */
import { AppError } from '../../errors/app-error.js';
import type { Caller } from './api.js';
import type { ParameterDoc } from './endpoint.js';

/** The header by its lower-case name. */
export const previewHeader = 'x-preview-token';

const description = 'Token of a preview: the resource or context that it was made for is shown as it is now';

export const previewParameters: readonly ParameterDoc[] = Object.freeze([
  { name: 'preview_token', in: 'query', description, schema: { type: 'string' } },
  {
    name: 'X-Preview-Token',
    in: 'header',
    description: `${description}; wins over preview_token=`,
    schema: { type: 'string' },
  },
]);

/** Longer than any token: refused without a look-up. */
const longest = 256;

/** The token of a request; null without one. Throws invalid_token for a text that cannot be one. */
export function readPreviewToken(caller: Pick<Caller, 'header' | 'queryValues'>): string | null {
  const [token, ...others] = [caller.header(previewHeader)?.trim() ?? caller.queryValues('preview_token')].flat();
  if (token === undefined) return null;
  if (others.length > 0 || token === '' || token.length > longest) throw new AppError('invalid_token');
  return token;
}
