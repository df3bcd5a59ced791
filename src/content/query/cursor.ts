/** Cursors are signed and bound to their query, by the last row (docs/reference/gateway.md#cursors). */
import { type AppError, invalidField } from '../../errors/app-error.js';
import { perObject } from '../../values/kept-values.js';
import type { ListPlan } from './plan.js';
import { all, equals, type OrderTerm, type Predicate, type Scalar } from './predicate.js';

export type Sign = (text: string) => string;

type CursorValue = Scalar | null;

const fingerprints = perObject((sign: Sign) =>
  perObject(({ definition, context, where, sort }: ListPlan) =>
    sign(JSON.stringify([definition.name, context, where, sort])).slice(0, 16),
  ),
);

export function writeCursor(plan: ListPlan, values: readonly CursorValue[], sign: Sign): string {
  const payload = Buffer.from(JSON.stringify([fingerprints(sign)(plan), values])).toString('base64url');
  return `${payload}.${sign(payload).slice(0, 22)}`;
}

/** Throws validation_failed for text that we did not write for this very query. */
export function readCursor(plan: ListPlan, text: string, sign: Sign): readonly CursorValue[] {
  const [bound, values] = open(text, sign) ?? [];
  if (bound === undefined) throw badCursor();
  if (bound !== fingerprints(sign)(plan)) {
    throw invalidField('cursor', 'belongs to a query with other filters, sort, search or context', 'Invalid cursor');
  }
  if (!Array.isArray(values) || values.length !== plan.order.length || !values.every(isCursorValue)) throw badCursor();
  return values;
}

export function isCursorOf(plan: ListPlan, text: string, sign: Sign): boolean {
  return open(text, sign)?.[0] === fingerprints(sign)(plan);
}

function open(text: string, sign: Sign): readonly unknown[] | null {
  const [payload, signature, ...rest] = text.split('.');
  if (!payload || !signature || rest.length > 0 || signature !== sign(payload).slice(0, 22)) return null;
  const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return Array.isArray(parsed) ? parsed : null;
}

function isCursorValue(value: unknown): value is CursorValue {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

function badCursor(): AppError {
  return invalidField('cursor', 'is not a cursor from meta.next_cursor or links.next', 'Invalid cursor');
}

/** NULL sorts first ascending, as on both stores; a template variable without a value sorts last. */
export function after(order: readonly OrderTerm[], values: readonly CursorValue[]): Predicate {
  const alternatives: Predicate[] = [];
  const equalSoFar: Predicate[] = [];
  order.forEach((term, index) => {
    const value = values[index] ?? null;
    const beyond = strictlyAfter(term, value);
    if (beyond) alternatives.push(all([...equalSoFar, beyond]));
    equalSoFar.push(
      value === null ? { kind: 'null', ref: term.ref, unset: null, negated: false } : equals(term.ref, value),
    );
  });
  const [first] = order;
  const start = values[0] ?? null;
  const rows: Predicate = alternatives.length === 0 ? { kind: 'nothing' } : { kind: 'any', of: alternatives };
  const isNullLast = first?.ref.nullable === true && (first.direction === 'desc' || first.ref.tv !== undefined);
  if (order.length < 2 || !first || start === null || isNullLast) return rows;
  // Implied by the alternatives, but only this form lets an index start at the right place.
  const comparison = first.direction === 'asc' ? 'gte' : 'lte';
  return all([{ kind: 'compare', ref: first.ref, comparison, value: start }, rows]);
}

function strictlyAfter(term: OrderTerm, value: CursorValue): Predicate | null {
  const { ref, direction } = term;
  const isNullLast = direction === 'desc' || ref.tv !== undefined;
  if (value === null) return isNullLast ? null : { kind: 'null', ref, unset: null, negated: true };
  const comparison = direction === 'asc' ? 'gt' : 'lt';
  if (!ref.nullable || !isNullLast) return { kind: 'compare', ref, comparison, value };
  return {
    kind: 'any',
    of: [
      { kind: 'compare', ref, comparison, value },
      { kind: 'null', ref, unset: null, negated: false },
    ],
  };
}
