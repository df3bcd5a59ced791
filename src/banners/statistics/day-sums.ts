/**
 * The sums of one day one by one, as they are stored and as the raw rows count them, under the same names: two sides that
 * can be compared and brought together.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import {
  lockReferrersOfDay,
  lockSumsOfDay,
  type PlaceSums,
  type ReferrerSum,
  readReferrersOfDay,
  readSumsOfDay,
  recountDay,
  recountReferrers,
} from '../rows/ad-recount.js';

const figures = ['clicks', 'impressions', 'conversions'] as const;
export type Figure = (typeof figures)[number];

/** What a sum counts: a figure of a banner at a position, or the clicks from a referrer there (0 = at all positions). */
export type SumName =
  | { readonly figure: Figure; readonly ad: number; readonly position: number }
  | { readonly figure: 'clicks by referrer'; readonly position: number; readonly referrer: string };

export interface Sum {
  readonly name: SumName;
  readonly value: number;
}

/** Sums by their names as text; without those that are 0. */
export type Sums = ReadonlyMap<string, Sum>;

/** What the raw rows of the day come to. */
export async function countedSums(reader: Reader, day: number): Promise<Sums> {
  const places = [...(await recountDay(reader, 'clicks', day)), ...(await recountDay(reader, 'impressions', day))];
  return sumsOf(places, withAllPositions(await recountReferrers(reader, day)));
}

/** What is stored; clicks by referrer of the positions that have sums, and of those that are named. */
export async function storedSums(reader: Reader, day: number, positions: readonly number[]): Promise<Sums> {
  const places = await readSumsOfDay(reader, day);
  return sumsOf(places, await readReferrersOfDay(reader, day, positionsOf(places, positions)));
}

/** The same, held until the transaction ends; days before referrers, as every writer takes them. */
export async function lockSums(tx: Tx, day: number, positions: readonly number[]): Promise<Sums> {
  const places = await lockSumsOfDay(tx, day);
  return sumsOf(places, await lockReferrersOfDay(tx, day, positionsOf(places, positions)));
}

/** Whether the sum is made of clicks or of impressions. */
export function kindOf({ figure }: SumName): 'clicks' | 'impressions' {
  return figure === 'impressions' ? 'impressions' : 'clicks';
}

function positionsOf(places: readonly PlaceSums[], named: readonly number[]): number[] {
  return [0, ...places.map(({ position }) => position), ...named];
}

function withAllPositions(rows: readonly ReferrerSum[]): ReferrerSum[] {
  return [...rows, ...rows.map((row) => ({ ...row, position: 0 }))];
}

function sumsOf(places: readonly PlaceSums[], referrers: readonly ReferrerSum[]): Sums {
  const sums = new Map<string, Sum>();
  const add = (name: SumName, value: number): void => {
    if (value === 0) return;
    const key = keyOf(name);
    sums.set(key, { name, value: value + (sums.get(key)?.value ?? 0) });
  };
  for (const { ad, position, ...values } of places) {
    for (const figure of figures) add({ figure, ad, position }, values[figure]);
  }
  for (const { position, referrer, clicks } of referrers)
    add({ figure: 'clicks by referrer', position, referrer }, clicks);
  return sums;
}

/** One text per sum. */
export function keyOf(name: SumName): string {
  return name.figure === 'clicks by referrer'
    ? `${name.figure} ${name.position} ${name.referrer}`
    : `${name.figure} ${name.position} ${name.ad}`;
}
