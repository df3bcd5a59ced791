/**
 * Conditions asked of rows that changed: "no" is certain, whatever is not known is "maybe". That known values decide as
 * the databases do is held to in compile.test.ts.
 */
import { describe, expect, it, test } from 'vitest';
import type { ColumnRef, Predicate } from '../../../src/content/query/predicate.js';
import { mayMatch } from '../../../src/content/reading/may-match.js';
import { foldText } from '../../../src/store/sqlite/fold.js';

const id: ColumnRef = { column: 'id', text: false, nullable: false };
const alias: ColumnRef = { column: 'alias', text: true, nullable: true };

const maybe = (predicate: Predicate, row: Record<string, string | number | null>, mayHoldNull = true) =>
  mayMatch(predicate, { fold: foldText, mayHoldNull: () => mayHoldNull })(new Map(Object.entries(row)));

describe('a value that is not known', () => {
  const conditions: readonly [string, Predicate][] = [
    ['compare', { kind: 'compare', ref: alias, comparison: 'eq', value: 'a' }],
    ['in', { kind: 'in', ref: alias, values: ['a'], negated: false }],
    ['not in', { kind: 'in', ref: alias, values: ['a'], negated: true }],
    ['null', { kind: 'null', ref: alias, unset: null, negated: false }],
    ['not null', { kind: 'null', ref: alias, unset: null, negated: true }],
    ['like', { kind: 'like', ref: alias, pattern: 'a' }],
    ['contains', { kind: 'contains', refs: [alias], text: 'a' }],
  ];

  test.each(conditions)('may meet %s', (_name, condition) => {
    expect(maybe(condition, { id: 1 })).toBe(true);
  });

  it('does not help where another part says no', () => {
    const known: Predicate = { kind: 'compare', ref: id, comparison: 'eq', value: 1 };
    const unknown: Predicate = { kind: 'compare', ref: alias, comparison: 'eq', value: 'a' };
    expect(maybe({ kind: 'all', of: [known, unknown] }, { id: 2 })).toBe(false);
    expect(maybe({ kind: 'any', of: [known, { kind: 'nothing' }] }, { id: 2 })).toBe(false);
  });

  it('are the resource groups of a row', () => {
    expect(maybe({ kind: 'resource_groups', ref: id, protecting: [1], granting: [] }, { id: 1 })).toBe(true);
  });
});

it('an empty value may be NULL where only the column knows of it', () => {
  const title: ColumnRef = { column: 'pagetitle', text: true, nullable: false };
  const isNull = (ref: ColumnRef): Predicate => ({ kind: 'null', ref, unset: null, negated: false });
  expect([maybe(isNull(title), { pagetitle: '' }), maybe(isNull(title), { pagetitle: 'a' })]).toEqual([true, false]);
  expect([maybe(isNull(alias), { alias: '' }), maybe(isNull(alias), { alias: null })]).toEqual([false, true]);
  expect(maybe(isNull(title), { pagetitle: '' }, false)).toBe(false);
});

it('counts a comparison of text with a number as met', () => {
  expect(maybe({ kind: 'compare', ref: id, comparison: 'eq', value: 'x' }, { id: 1 })).toBe(true);
  expect(maybe({ kind: 'in', ref: id, values: ['x'], negated: false }, { id: 1 })).toBe(true);
});

it('matches a pattern of many wildcards in time proportional to text and pattern', () => {
  const like: Predicate = { kind: 'like', ref: alias, pattern: `${'%a'.repeat(2000)}b` };
  expect(maybe(like, { alias: 'a'.repeat(4000) })).toBe(false);
});
