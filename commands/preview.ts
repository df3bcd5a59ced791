/** `hcd preview`: addresses at which unpublished content can be read. */
import { textValue } from '../src/config/value-type.js';
import { uriToPreview } from '../src/content/administration/browse-content.js';
import type { Administration } from '../src/content/live/administrator.js';
import { AppError } from '../src/errors/app-error.js';
import {
  frontendUrl,
  type IssuedPreview,
  issuePreview,
  listPreviews,
  loadPreview,
  mostListed,
  type PreviewView,
  previewLife,
  revokePreview,
} from '../src/identity/previews/manage-previews.js';
import { findUserOf } from '../src/identity/users/user-standing.js';
import { findDraftRevision } from '../src/pages/models/pages.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { wordList } from '../src/values/text.js';
import { defineSiteCommand, type RecordResult, recordOf } from './command.js';
import { endOf, expiryValue } from './credentials.js';
import type { SiteDeps } from './deps.js';
import { idValue, optional, required, toggle, usageError } from './parameters.js';

export const previewOptions = {
  expires: optional(expiryValue, 'Expiry, at most 7 days (default: 1h)', { placeholder: 'WHEN' }),
  user: optional(textValue(), 'User whose access rights the preview has', { placeholder: 'NAME' }),
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
  const life = endsOn === null ? previewLife.default : Math.ceil((endsOn - now) / 1000);
  if (life > previewLife.max) throw usageError({ '--expires': 'must be within 7 days' });
  const userId = user === undefined ? null : await findUserOf('preview', { store, username: user, now });
  const uri = await uriToPreview(asked.admin, { resource, context, userId });
  if (uri === null) throw nothingShown(asked);
  const { gateway_preview_url: form } = await deps.settings('gateway');
  const draftRevision = await findDraftRevision(store.own.primary, resource);
  const preview = await issuePreview(store, { context, resource, draftRevision, maker: null, userId, life, now });
  const record = {
    ...{ id: preview.id, token: preview.token, url: asked.urlOf(preview) },
    ...{ frontend_url: frontendUrl(form, { ...preview, uri }), resource_id: resource },
    ...{ context_key: context, draft_revision: draftRevision, expires_on: isoTimeOfMs(preview.expiresOn) },
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

function previewRecord(preview: PreviewView) {
  return {
    id: preview.id,
    resource_id: preview.resource,
    context_key: preview.context,
    ...recordOf(preview, ['draftRevision', 'state', 'userId', 'expiresOn', 'createdOn', 'createdBy', 'revokedOn']),
  };
}

export const commands = {
  list: defineSiteCommand({
    description: `Lists previews, the newest first, at most ${mostListed}. Tokens are never shown. States: active, expired and revoked. A preview without a resource shows its whole context. Previews are removed 30 days after they ended.`,
    options: { usable: toggle('Show only previews that work now') },
    examples: {
      'preview list': 'List all previews',
      'preview list --usable --json': 'List the previews that work as JSON',
    },
    async run({ usable }, deps) {
      const previews = await listPreviews(deps.store, { usable, now: deps.clock.now() });
      return {
        kind: 'list',
        columns: wordList('id resource_id context_key draft_revision state expires_on created_by created_on'),
        spare: ['created_on', 'draft_revision', 'created_by'],
        marks: { state: { expired: 'past', revoked: 'past' } },
        rows: previews.map(previewRecord),
        empty: 'No previews. Make one: hcd resource preview ID',
      };
    },
  }),

  revoke: defineSiteCommand({
    description:
      'Ends a preview permanently. Every server refuses its token from the next request on, with 401. Its users need a new preview.',
    arguments: { id: required(idValue, 'Id of the preview', { placeholder: 'ID' }) },
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
        ? `Already revoked at ${isoTimeOfMs(preview.revokedOn)}: preview ${id}. Nothing to do.`
        : `Revoked preview ${id}. Servers refuse it from the next request on.`;
      return { kind: 'done', message, data: previewRecord(preview) };
    },
  }),
};
