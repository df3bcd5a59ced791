/** The requests under way behave as a Set of them would. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InFlight } from '../../../src/http/interface/in-flight.js';

describe('InFlight', () => {
  it('holds what was added and not deleted, as a Set would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 12 }))), (steps) => {
        const requests = Array.from({ length: 13 }, (_none, id) => ({ id, place: -1 }));
        const inFlight = new InFlight<(typeof requests)[number]>();
        const model = new Set<number>();
        for (const [isAdded, id] of steps) {
          const request = requests[id] ?? { id, place: -1 };
          if (!isAdded) inFlight.delete(request);
          else if (!model.has(id)) inFlight.add(request);
          if (isAdded) model.add(id);
          else model.delete(id);
          expect(inFlight.size).toBe(model.size);
          expect(new Set([...inFlight].map((one) => one.id))).toEqual(model);
        }
      }),
    );
  });

  it('gives those that were under way when the walk began', () => {
    const inFlight = new InFlight<{ place: number }>();
    const requests = [{ place: -1 }, { place: -1 }, { place: -1 }];
    for (const request of requests) inFlight.add(request);
    const seen = [];
    for (const request of inFlight) {
      inFlight.delete(request);
      seen.push(request);
    }
    expect(new Set(seen)).toEqual(new Set(requests));
    expect(inFlight.size).toBe(0);
  });
});
