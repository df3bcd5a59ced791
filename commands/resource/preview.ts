/** `hcd resource preview`: make a preview of a resource. */

import { readContent } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { previewUrl } from '../../src/identity/previews/manage-previews.js';
import { defineSiteCommand } from '../command.js';
import { showIntent } from '../content/list-records.js';
import { makePreview, previewOptions } from '../preview.js';
import { notFound, resourceId, resourceParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Makes an address at which a resource can be read before it is published, and prints it with its token. Clients send the token as preview_token= or in the header X-Preview-Token. The gateway then answers with the resource as it is at that moment; the page delivery API answers with the draft that the resource has now. The token cannot change anything and ends with its time or with hcd preview revoke.\n\nThe preview sees what anonymous callers may see, or with --user what this user may see.',
  arguments: { id: resourceParameter },
  options: previewOptions,
  examples: {
    'resource preview 42': 'Make a preview for an hour',
    'resource preview 42 --expires 2d --json': 'Make a preview for two days and print it as JSON',
  },
  async run({ id: idOrUri, expires, user }, deps) {
    const admin = await openAdministration(deps.store, deps);
    const id = await resourceId(admin, idOrUri);
    const intent = showIntent({ fields: ['context_key', 'deleted'], tvs: false });
    const found = await readContent(admin, { object: 'resources', key: id, intent }).catch(notFound(id));
    const settings = await deps.settings('gateway');
    const place = settings.gateway_public_url || (await deps.addressOf('gateway'));
    const context = String(found['context_key']);
    const allowed = settings.gateway_allowed_contexts;
    return makePreview(deps, {
      ...{ admin, id, context, isDeleted: found['deleted'] === true, expires, user },
      urlOf: (preview) => previewUrl(`${place}${settings.gateway_api_prefix}/v1`, preview),
      notes: [
        !allowed.includes(context) &&
          `The gateway does not show the context ${context}. Allow it: hcd setting set gateway_allowed_contexts ${[...allowed, context].join(',')}`,
        !settings.gateway_enabled && 'The gateway is off. Turn it on: hcd setting set gateway_enabled 1',
      ],
    });
  },
});
