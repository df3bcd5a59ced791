/** Reads the body of a write. Problems are collected so that the use case can report its own with them. */

import { Problems } from '../../errors/app-error.js';
import type { BannerValues } from './banner.js';
import {
  type BannerFieldName,
  type BannerValueName,
  bannerField,
  bannerFieldNames,
  bannerFields,
  bannerValueNames,
  exclusivePairs,
} from './banner-fields.js';

interface BannerRequest {
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

export function completeBanner({ values, problems }: BannerRequest): BannerValues | null {
  const all = { ...defaultValues(), ...values };
  if (all.name === undefined && problems.fields['name'] === undefined) problems.add('name', 'is required');
  checkTogether({ values: all, given: Object.keys(values), problems });
  const { name } = all;
  return problems.any || name === undefined ? null : { ...all, name };
}

export function mergeBanner(before: BannerValues, { values, problems }: BannerRequest): BannerValues | null {
  const all = { ...before, ...values };
  checkTogether({ values: all, given: Object.keys(values), problems });
  return problems.any ? null : all;
}

interface Together {
  readonly values: { readonly [Name in keyof BannerValues]?: BannerValues[Name] | undefined };
  /** Fields of this request: stored values that contradict each other are not its problem. */
  readonly given: readonly string[];
  readonly problems: Problems;
}

function checkTogether({ values, given, problems }: Together): void {
  const isAsked = (names: readonly BannerValueName[]): boolean => names.some((name) => given.includes(name));
  for (const pair of exclusivePairs) {
    const [one, other] = pair;
    if (!isAsked(pair) || values[one] === 0 || values[other] === 0) continue;
    for (const name of pair.filter((field) => given.includes(field))) {
      problems.add(name, `excludes ${name === one ? other : one}: set one of them to 0`);
    }
  }
  const { start, end } = values;
  if (!isAsked(['start', 'end']) || typeof start !== 'number' || typeof end !== 'number' || start <= end) return;
  if (given.includes('end')) problems.add('end', 'must not be before start');
  else problems.add('start', 'must not be after end');
}

function isBannerField(name: string): name is BannerFieldName {
  return bannerFieldNames.some((known) => known === name);
}

function defaultValues(): Omit<BannerValues, 'name'> & { readonly name: string | undefined } {
  const values = bannerValueNames.map((name) => [name, bannerFields[name].default]);
  return Object.fromEntries(values) as Omit<BannerValues, 'name'> & { readonly name: string | undefined };
}

function decodeAccepted(values: object, positions: unknown): Pick<BannerRequest, 'values' | 'positions'> {
  return { values: values as Partial<BannerValues>, positions: positions as readonly number[] | undefined };
}
