/** `hcd preview revoke`: end a preview. */
import { loadPreview, revokePreview } from '../../src/identity/previews/manage-previews.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { idValue, required } from '../parameters.js';
import { previewRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Ends a preview permanently. Every server refuses its token from the next request on, with 401. Its users need a new preview.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the preview' }) },
  examples: {
    'preview revoke 3': 'End the preview with id 3',
    'preview revoke 3 --yes --json': 'End it without a question and print it as JSON',
  },
  destructive: {},
  async run({ id }, deps) {
    const chosen = { id, now: deps.clock.now() };
    await deps.confirm(async () => {
      const { state, resource, context } = await loadPreview(deps.store, chosen);
      const shown = resource === null ? `the context ${context}` : `resource ${resource}`;
      return state === 'active' ? `End preview ${id} of ${shown} permanently?` : null;
    });
    const { preview, wasRevoked } = await revokePreview(deps.store, chosen);
    const message = wasRevoked
      ? `Already revoked at ${isoTime(preview.revokedOn)}: preview ${id}. Nothing to do.`
      : `Revoked preview ${id}. Servers refuse it from the next request on.`;
    return { kind: 'done', message, data: previewRecord(preview) };
  },
});
