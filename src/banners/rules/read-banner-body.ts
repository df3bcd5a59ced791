/** Reads the body of a write. Problems are collected so that the use case can report its own with them. */

import { Problems } from '../../errors/app-error.js';
import {
  type BannerFieldName,
  type BannerValues,
  bannerField,
  bannerFieldNames,
  bannerFields,
  bannerValueNames,
  exclusivePairs,
} from './banner-fields.js';

export interface BannerRequest {
  readonly values: Partial<BannerValues>;
  readonly positions: readonly number[] | undefined;
  readonly problems: Problems;
}

export function readBannerBody(body: Readonly<Record<string, unknown>>): BannerRequest {
  const problems = new Problems('validation failed');
  const accepted = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    if (!isBannerField(name)) {
      problems.add(name, `is not a field of a banner; the fields are ${bannerFieldNames.join(', ')}`);
      continue;
    }
    const parsed = bannerField(name).type.parse(value);
    if (parsed.ok) accepted.set(name, parsed.value);
    else problems.add(name, parsed.problem);
  }
  if (accepted.has('newimage')) accepted.set('image', accepted.get('newimage'));
  const values = Object.fromEntries(
    bannerValueNames.filter((name) => accepted.has(name)).map((n) => [n, accepted.get(n)]),
  );
  return { ...decodeAccepted(values, accepted.get('positions')), problems };
}

/** The values hold only without problems. */
export function completeBanner(request: BannerRequest): BannerValues {
  const { values, problems } = request;
  if (values.name === undefined && problems.fields['name'] === undefined) problems.add('name', 'is required');
  return mergeBanner({ ...defaultValues(), name: '' }, request);
}

/** Stored values that contradict each other are not the request's problem. The values hold only without problems. */
export function mergeBanner(before: BannerValues, { values, problems }: BannerRequest): BannerValues {
  const all = { ...before, ...values };
  for (const pair of exclusivePairs) {
    const [one, other] = pair;
    if (all[one] === 0 || all[other] === 0) continue;
    for (const name of pair.filter((field) => field in values)) {
      problems.add(name, `excludes ${name === one ? other : one}: set one of them to 0`);
    }
  }
  const { start, end } = all;
  if (start === null || end === null || start <= end) return all;
  if ('end' in values) problems.add('end', 'must not be before start');
  else if ('start' in values) problems.add('start', 'must not be after end');
  return all;
}

function isBannerField(name: string): name is BannerFieldName {
  return bannerFieldNames.some((known) => known === name);
}

function defaultValues(): Omit<BannerValues, 'name'> {
  const values = bannerValueNames.map((name) => [name, bannerFields[name].default]);
  return Object.fromEntries(values) as Omit<BannerValues, 'name'>;
}

function decodeAccepted(values: object, positions: unknown): Pick<BannerRequest, 'values' | 'positions'> {
  return { values: values as Partial<BannerValues>, positions: positions as readonly number[] | undefined };
}
