/** Previews: made, listed, ended and verified. The text of a token exists only in the answer that creates it. */
import { Op } from 'sequelize';
import type { Identity, PreviewIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { LiveSnapshot } from '../../content/live/live-state.js';
import { createCredential, credentialHash } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials, verifierOf } from '../credentials/secrets.js';
import { apiKeys } from '../models/api-keys.js';
import { oauthTokens } from '../models/oauth.js';
import { type PreviewRow, previews } from '../models/previews.js';
import { findSession } from '../models/sessions.js';
import { cmsSessionRules, findSealedCmsLogin } from '../sessions/find-cms-session.js';
import { mayUserAct } from '../users/user-standing.js';

/** Seconds. */
export const previewLife = Object.freeze({ default: 3600, max: 604_800 });

export const mostListed = 1000;

export interface PreviewView extends Omit<PreviewRow, 'secretHash' | 'sessionHash' | 'cmsSession'> {
  readonly state: 'active' | 'expired' | 'revoked';
}

function viewOf(
  { secretHash: _secret, sessionHash: _session, cmsSession: _login, ...row }: PreviewRow,
  now: number,
): PreviewView {
  const state = row.revokedOn !== null ? 'revoked' : row.expiresOn <= now ? 'expired' : 'active';
  return { ...row, state };
}

/** Null = a command. */
type Maker = Identity | null;

const byCommand = 'command';

function makerText(maker: Maker): string {
  if (maker === null) return byCommand;
  return maker.kind === 'anonymous' ? maker.kind : `${maker.kind}:${maker.id}`;
}

export interface PreviewRequest extends Pick<PreviewRow, 'context' | 'resource' | 'draftRevision'> {
  readonly maker: Maker;
  /** The user whose content rights decide; null = those of anonymous callers. */
  readonly userId: number | null;
  /** Seconds. */
  readonly life: number;
  readonly now: number;
}

export interface IssuedPreview extends Pick<PreviewRow, 'id' | 'context' | 'resource' | 'expiresOn'> {
  readonly token: string;
}

export async function issuePreview({ own }: Pick<Store, 'own'>, request: PreviewRequest): Promise<IssuedPreview> {
  const { context, resource, draftRevision, maker, userId, life, now } = request;
  const credential = createCredential('pv');
  const { lookupId, text: token } = credential;
  // Ends are shown by the second.
  const expiresOn = (Math.floor(now / 1000) + life) * 1000;
  const session = maker?.kind === 'session' ? maker : undefined;
  const row = {
    ...{ lookupId, secretHash: credentialHash(credential), context, resource, draftRevision, expiresOn },
    ...{ userId, createdOn: now, createdBy: makerText(maker) },
    sessionHash: session?.idHash ?? null,
    cmsSession: session?.sealId?.(token) ?? null,
  };
  const id = await own.write((tx) => previews.on(tx).create(row), {
    outcome: async (tx) => (await previews.on(tx).findOne({ where: { lookupId } }))?.id,
  });
  return Object.freeze({ id, token, context, resource, expiresOn });
}

export function previewUrl(base: string, { resource, context, token }: IssuedPreview): string {
  const query = new URLSearchParams({ context, preview_token: token });
  return `${base}/resources${resource === null ? '' : `/${resource}`}?${query.toString()}`;
}

/** By the setting gateway_preview_url; null without one. */
export function frontendUrl(form: string, { resource, context, token, uri }: IssuedPreview & { readonly uri: string }) {
  const values = { '{uri}': uri, '{id}': String(resource ?? ''), '{context}': context, '{token}': token };
  let url = form;
  for (const [name, value] of Object.entries(values)) {
    // Slashes stay: a uri is a path, and they are allowed in a query.
    url = url.replaceAll(name, () => value.split('/').map(encodeURIComponent).join('/'));
  }
  return url === '' ? null : url;
}

interface Selection {
  readonly maker?: Identity;
  readonly usable: boolean;
  readonly now: number;
}

/** The newest first, at most `mostListed`. `now` is Unix milliseconds. */
export async function listPreviews(
  { own }: Pick<Store, 'own'>,
  { maker, usable, now }: Selection,
): Promise<PreviewView[]> {
  const rows = await previews.on(own.primary).findAll({
    where: {
      ...(maker === undefined ? {} : { createdBy: makerText(maker) }),
      ...(usable ? { revokedOn: null, expiresOn: { [Op.gt]: now } } : {}),
    },
    order: [['id', 'DESC']],
    limit: mostListed,
  });
  return rows.map((row) => viewOf(row, now));
}

interface Chosen {
  readonly id: number;
  readonly maker?: Identity;
  readonly now: number;
}

/** Throws not_found, also for a preview of another maker. */
export async function loadPreview({ own }: Pick<Store, 'own'>, chosen: Chosen): Promise<PreviewView> {
  const row = await previews.on(own.primary).findOne({ where: whereOf(chosen) });
  if (row === null) throw new AppError('not_found', { message: `There is no preview ${chosen.id}` });
  return viewOf(row, chosen.now);
}

/** A preview that was already revoked keeps its time. Throws not_found, as loadPreview does. */
export async function revokePreview(
  store: Pick<Store, 'own'>,
  chosen: Chosen,
): Promise<{ readonly preview: PreviewView; readonly wasRevoked: boolean }> {
  const before = await loadPreview(store, chosen);
  const where = { ...whereOf(chosen), revokedOn: null };
  await endCredentials(store.own, (tx) => previews.on(tx).update({ revokedOn: chosen.now }, { where }));
  const wasRevoked = before.revokedOn !== null;
  return { preview: wasRevoked ? before : { ...before, revokedOn: chosen.now, state: 'revoked' }, wasRevoked };
}

function whereOf({ id, maker }: Chosen) {
  return { id, ...(maker === undefined ? {} : { createdBy: makerText(maker) }) };
}

interface PreviewVerifierDeps {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix' | 'tables'>;
  readonly clock: Clock;
  readonly live: () => LiveSnapshot;
}

export type VerifyPreview = ReturnType<typeof makePreviewVerifier>;

/** A preview also ends with its maker and user. */
export function makePreviewVerifier({ store, clock, live }: PreviewVerifierDeps) {
  return verifierOf<PreviewIdentity>('pv', { store, clock }, async ({ lookupId, hash, text: token }, now) => {
    const row = await previews.on(store.own.primary).lookUp({ lookupId });
    // No digest is empty, so '' matches no token.
    const isRight = isSameSecret(hash, row?.secretHash ?? '');
    if (row === null || !isRight || row.revokedOn !== null) return null;
    const maker = await standingOfMaker({ store, live: live() }, { row, token, now });
    const endsOn = Math.min(row.expiresOn, maker?.endsOn ?? 0);
    if (maker === null || endsOn <= now) return null;
    if (!(await mayUserAct(store, { ...maker, userId: row.userId }, now))) return null;
    return { value: identityOf(row), endsOn };
  });
}

function identityOf({ lookupId, userId, context, resource, draftRevision }: PreviewRow): PreviewIdentity {
  return Object.freeze({ kind: 'preview', id: lookupId, userId, context, resource, draftRevision });
}

interface MakerStanding {
  readonly endsOn: number;
  /** Null = no log-in gave the credential. */
  readonly passwordMark: string | null;
}

const unending: MakerStanding = Object.freeze({ endsOn: Number.POSITIVE_INFINITY, passwordMark: null });

interface ShownPreview {
  readonly row: PreviewRow;
  readonly token: string;
  readonly now: number;
}

async function standingOfMaker(
  { store, live }: Pick<PreviewVerifierDeps, 'store'> & { readonly live: LiveSnapshot },
  { row, token, now }: ShownPreview,
): Promise<MakerStanding | null> {
  const { createdBy, sessionHash, cmsSession } = row;
  const { primary } = store.own;
  if (sessionHash !== null) {
    const session = await findSession(primary, sessionHash);
    return session && { endsOn: now + session.leftMs, passwordMark: session.passwordMark };
  }
  if (cmsSession !== null) {
    const rules = cmsSessionRules(store, live);
    const login = rules && (await findSealedCmsLogin(store, { sealed: cmsSession, secret: token }, rules));
    // After a log-out there the session may be that of another user.
    return login?.userId === row.userId ? { endsOn: now + login.leftMs, passwordMark: null } : null;
  }
  const [, kind, id = ''] = /^(api_key|access_token|session):(.+)$/.exec(createdBy) ?? [];
  if (kind === 'api_key') {
    const key = await apiKeys.on(primary).lookUp({ lookupId: id });
    return key === null || key.revokedOn !== null ? null : { ...unending, endsOn: key.expiresOn ?? unending.endsOn };
  }
  if (kind === 'access_token') {
    const token = await oauthTokens.on(primary).lookUp({ tokenId: id });
    if (token === null || token.revokedOn !== null) return null;
    return { endsOn: token.expiresOn, passwordMark: token.passwordMark };
  }
  // Previews of old releases do not record their session, so its end is unknown.
  if (kind === 'session') return null;
  return unending;
}
