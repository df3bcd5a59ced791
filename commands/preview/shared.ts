/** What the commands for previews share. */
import { textValue } from '../../src/config/value-type.js';
import { uriToPreview } from '../../src/content/administration/browse-content.js';
import type { Administration } from '../../src/content/live/administrator.js';
import { AppError } from '../../src/errors/app-error.js';
import {
  frontendUrl,
  type IssuedPreview,
  issuePreview,
  type PreviewView,
  previewLife,
} from '../../src/identity/previews/manage-previews.js';
import { findUserOf } from '../../src/identity/users/user-standing.js';
import { findDraftRevision } from '../../src/pages/models/pages.js';
import { isoTime, type JsonRecord, type RecordResult } from '../command.js';
import type { SiteDeps } from '../deps.js';
import { endOf, expiryValue } from '../key/shared.js';
import { optional, usageError } from '../parameters.js';

export const previewOptions = {
  expires: optional(expiryValue, { placeholder: 'WHEN', description: 'Expiry, at most 7 days (default: 1h)' }),
  user: optional(textValue(), { placeholder: 'NAME', description: 'User whose access rights the preview has' }),
};

interface Asked {
  readonly admin: Administration;
  readonly id: number;
  readonly context: string;
  readonly isDeleted: boolean;
  readonly expires: Parameters<typeof endOf>[0];
  readonly user: string | undefined;
  readonly urlOf: (preview: IssuedPreview) => string;
  readonly notes: readonly (string | false)[];
}

/** Throws usage for an expiry that is too late, and not_found when the preview would not show the resource. */
export async function makePreview(deps: SiteDeps, asked: Asked): Promise<RecordResult> {
  const { id: resource, context, user } = asked;
  const { store } = deps;
  const now = deps.clock.now();
  const endsOn = endOf(asked.expires, now);
  const life = endsOn === null ? previewLife.usual : Math.ceil((endsOn - now) / 1000);
  if (life > previewLife.most) throw usageError({ '--expires': 'must be within 7 days' });
  const userId = user === undefined ? null : await findUserOf('preview', { store, username: user, now });
  const uri = await uriToPreview(asked.admin, { resource, context, userId });
  if (uri === null) throw nothingShown(asked);
  const { gateway_preview_url: form } = await deps.settings('gateway');
  const draftRevision = await findDraftRevision(store.own.primary, resource);
  const preview = await issuePreview(store, { context, resource, draftRevision, maker: null, userId, life, now });
  const record = {
    ...{ id: preview.id, token: preview.token, url: asked.urlOf(preview) },
    ...{ frontend_url: frontendUrl(form, { ...preview, uri }), resource_id: resource },
    ...{ context_key: context, draft_revision: draftRevision, expires_on: isoTime(preview.expiresOn) },
  };
  return {
    kind: 'record',
    record,
    notes: ['Copy the address now: it is not shown again. Anyone who has it can read the preview.', ...asked.notes],
  };
}

function nothingShown({ id, isDeleted, user }: Asked): AppError {
  const closed = (caller: string) =>
    `${caller} may see: it is in a resource group; name a user who may see it with --user, hcd user list shows every user`;
  const reason = isDeleted
    ? `a preview shows: it is deleted; restore it with hcd resource restore ${id}`
    : closed(user === undefined ? 'anonymous callers' : `the user ${user}`);
  return new AppError('not_found', { message: `There is no resource ${id} that ${reason}` });
}

export function previewRecord(preview: PreviewView): JsonRecord {
  return {
    id: preview.id,
    resource_id: preview.resource,
    context_key: preview.context,
    draft_revision: preview.draftRevision,
    state: preview.state,
    user_id: preview.userId,
    expires_on: isoTime(preview.expiresOn),
    created_on: isoTime(preview.createdOn),
    created_by: preview.createdBy,
    revoked_on: isoTime(preview.revokedOn),
  };
}
