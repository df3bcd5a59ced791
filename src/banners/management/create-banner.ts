/** Creates a banner: from the fields of a body, from a preset, or as a copy of another one. */

import { invalidField, Problems } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { addBanner } from '../models/ads.js';
import { links } from '../models/links.js';
import { positions } from '../models/positions.js';
import { presets } from '../models/presets.js';
import { type Banner, type BannerRecord, type BannerValues, bannerRecord } from '../rules/banner-fields.js';
import { countType, idsType } from '../rules/field-types.js';
import { completeBanner, readBannerBody } from '../rules/read-banner-body.js';
import { type Note, type NotedWrite, type WriterName, writeNoted } from './audit.js';
import { type BannerStore, lockBanner } from './banner-store.js';
import { appendLink, checkPositions, checkRequest, replaceLinks } from './position-links.js';

export interface WrittenBanner extends BannerRecord {
  readonly positions: readonly number[];
}

type Members = Readonly<Record<string, unknown>>;

/** Throws validation_failed with every problem of the body. */
export async function createBanner(
  { own }: BannerStore,
  { body, username }: { readonly body: Members; readonly username: WriterName },
): Promise<WrittenBanner> {
  // A body with problems of its own is refused without a write transaction.
  if (readBannerBody(body).problems.any) await planNew(own.primary, body);
  return writeNoted({ own, username }, async (tx, note) =>
    insertPlanned(tx, await planNew(tx, body), { action: 'create', note }),
  );
}

/** Throws validation_failed with every problem, also of a value of the preset that is no longer accepted. */
export async function createFromPreset(
  { own }: BannerStore,
  { body, username }: { readonly body: Members; readonly username: WriterName },
): Promise<WrittenBanner> {
  const { fields } = await planFromPreset(own.primary, body);
  return writeNoted({ own, username }, async (tx, note) => {
    const plan = await planNew(tx, fields);
    return insertPlanned(tx, plan, { action: 'create_from_template', note });
  });
}

/** Throws not_found. */
export async function duplicateBanner(
  { own }: BannerStore,
  asked: { readonly id: number; readonly isDisabled: boolean; readonly username: WriterName },
): Promise<WrittenBanner> {
  const { id, isDisabled, username } = asked;
  return writeNoted({ own, username }, async (tx, note) => {
    const { id: _original, ...values } = await lockBanner(tx, id);
    const linked = await links.on(tx).lookUpAll({ ad: id }, { order: ['position'] });
    const copy = { ...values, ...(isDisabled ? ({ active: 0 } as const) : {}), name: copyName(values.name) };
    const ad = await addBanner(tx, copy);
    const ids = linked.map(({ position }) => position);
    await positions.on(tx).lookUpAll({ id: ids }, { attributes: ['id'], order: ['id'], lock: true });
    for (const { position, weight } of linked) await appendLink(tx, { ad, position, weight });
    return noteNew({ banner: { id: ad, ...copy }, positions: ids, action: 'duplicate', note });
  });
}

interface Plan {
  readonly values: BannerValues;
  readonly positions: readonly number[];
}

async function planNew(reader: Reader, body: Members): Promise<Plan> {
  const request = readBannerBody(body);
  const values = completeBanner(request);
  await checkRequest(reader, request);
  return { values, positions: request.positions ?? [] };
}

async function planFromPreset(reader: Reader, body: Members): Promise<{ readonly fields: Members }> {
  const problems = new Problems('validation failed');
  for (const name of Object.keys(body)) {
    if (name !== 'template_id' && name !== 'positions') {
      problems.add(name, 'is not accepted here; the fields are template_id, positions');
    }
  }
  const parsed = countType.parse(body['template_id'] ?? null);
  const given = parsed.ok ? parsed.value : 0;
  const preset = given === 0 ? null : await presets.on(reader).lookUp({ id: given });
  if (body['template_id'] === undefined) problems.add('template_id', 'is required');
  else if (given === 0) problems.add('template_id', 'must be the id of a template');
  else if (preset === null) problems.add('template_id', `there is no template ${given}`);
  const ids = idsType.parse(body['positions'] ?? []);
  if (ids.ok) await checkPositions(reader, ids.value, problems);
  else problems.add('positions', ids.problem);
  problems.throwIfAny();
  if (preset === null || !ids.ok) throw invalidField('template_id', 'must be the id of a template');
  const { name, type, defaults_data } = preset;
  return { fields: { type, ...defaults_data, name, positions: ids.value } };
}

async function insertPlanned(tx: Tx, { values, positions: ids }: Plan, how: HowWritten): Promise<WrittenBanner> {
  const id = await addBanner(tx, values);
  await replaceLinks(tx, { ad: id, positions: ids });
  return noteNew({ banner: { id, ...values }, positions: ids, ...how });
}

interface HowWritten extends Pick<NotedWrite, 'action'> {
  readonly note: Note;
}

interface NewBanner extends HowWritten {
  readonly banner: Banner;
  readonly positions: readonly number[];
}

async function noteNew({ banner, positions: ids, action, note }: NewBanner): Promise<WrittenBanner> {
  const record = { ...bannerRecord(banner), positions: [...ids].sort((a, b) => a - b) };
  const { id, ...after } = record;
  await note({ entity: 'ad', id, label: banner.name, action, after });
  return record;
}

const longestName = 255;

function copyName(name: string): string {
  const mark = ' (copy)';
  return [...name].slice(0, longestName - mark.length).join('') + mark;
}
