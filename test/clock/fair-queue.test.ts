/** The order of long reads: shares of time by interface and caller, and whom it is refused when too much waits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Turn } from '../../src/clock/fair-queue.js';

interface Named extends Turn {
  readonly name: string;
}

function turn(name: string, expected = 10, places = 1): Named {
  const [api = '', caller = ''] = name.split('/');
  return { name, asker: { group: api, caller }, expected, places };
}

const none = Number.POSITIVE_INFINITY;

/** Names of the turns in the order in which they begin, when each takes what is expected of it. */
function orderOf(queue: FairQueue<Named>): string[] {
  const order: string[] = [];
  for (let next = queue.next(); next !== null; next = queue.next()) {
    order.push(next.name);
    queue.end(next, next.expected);
  }
  return order;
}

describe('the order of turns', () => {
  it('goes round the callers of an interface, not by who asked for most', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: none });
    for (const name of ['a/1', 'a/1', 'a/1', 'a/2', 'a/3']) queue.add(turn(name));
    expect(orderOf(queue)).toEqual(['a/1', 'a/2', 'a/3', 'a/1', 'a/1']);
  });

  it('goes round the interfaces, however many callers one of them has', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: none });
    for (const name of ['a/1', 'a/2', 'a/3', 'b/1', 'b/1']) queue.add(turn(name));
    expect(orderOf(queue)).toEqual(['a/1', 'b/1', 'a/2', 'b/1', 'a/3']);
  });

  it('counts time, so that many short turns weigh as much as one long turn', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: none });
    for (const name of ['a/long', 'a/long']) queue.add(turn(name, 40));
    for (let count = 0; count < 6; count += 1) queue.add(turn('a/short', 10));
    expect(orderOf(queue).join(' ')).toBe('a/long a/short a/short a/short a/short a/long a/short a/short');
  });

  it('charges what a turn has really taken', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: none });
    for (const name of ['a/1', 'a/1', 'a/2', 'a/2', 'a/2']) queue.add(turn(name));
    const first = queue.next();
    if (first === null) throw new Error('nothing begins');
    queue.end(first, 25);
    expect([first.name, ...orderOf(queue)]).toEqual(['a/1', 'a/2', 'a/2', 'a/2', 'a/1']);
  });

  it('gives a caller who comes late neither the time of the others nor the end of the line', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: none });
    for (let count = 0; count < 3; count += 1) queue.add(turn('a/1', 1000));
    const first = queue.next();
    if (first === null) throw new Error('nothing begins');
    for (let count = 0; count < 3; count += 1) queue.add(turn('a/2', 1000));
    queue.end(first, 1000);
    expect(orderOf(queue)).toEqual(['a/2', 'a/1', 'a/2', 'a/1', 'a/2']);
  });

  it('gives the newest only of the caller who waits for most, and the oldest of others', () => {
    const queue = new FairQueue<Named>({ places: 9, perCaller: 9, backlog: none });
    for (const name of ['a/1', 'a/1', 'a/1', 'a/1', 'a/2', 'a/2'])
      queue.add({ ...turn(name), name: `${name} ${queue.backlog}` });
    const begun = Array.from({ length: 6 }, () => queue.next('newest')?.name);
    expect(begun).toEqual(['a/1 30', 'a/2 40', 'a/1 20', 'a/2 50', 'a/1 10', 'a/1 0']);
  });

  it('keeps a place free of the caller who has all the others', () => {
    const queue = new FairQueue<Named>({ places: 3, perCaller: 2, backlog: none });
    for (let count = 0; count < 5; count += 1) queue.add(turn('a/1'));
    expect([queue.next()?.name, queue.next()?.name, queue.next()]).toEqual(['a/1', 'a/1', null]);
    queue.add(turn('a/2'));
    expect(queue.next()?.name).toBe('a/2');
  });
});

describe('a queue whose groups have places of their own', () => {
  const own = { places: 2, perCaller: 1 };
  const start = () => {
    const queue = new FairQueue<Named>({ places: none, perCaller: none, backlog: none, groups: { a: own, b: own } });
    for (const name of ['a/1', 'a/1', 'a/1', 'a/2', 'a/3', 'b/1']) queue.add(turn(name));
    return queue;
  };

  it('gives a group its own when those of another one are taken', () => {
    const queue = start();
    const begun = [queue.next(), queue.next(), queue.next(), queue.next()];
    expect(begun.map((found) => found?.name)).toEqual(['a/1', 'b/1', 'a/2', undefined]);
    if (begun[2]) queue.end(begun[2], 10);
    expect(queue.next()?.name).toBe('a/3');
  });

  it('takes what has begun for a part of what its caller waits for', () => {
    const queue = new FairQueue<Named>({ places: none, perCaller: none, backlog: none });
    for (const name of ['a/1', 'a/1', 'a/1', 'a/1']) queue.add(turn(name, 1));
    for (let begun = 0; begun < 3; begun += 1) queue.next();
    for (const name of ['a/2', 'a/2']) queue.add(turn(name, 1));
    expect(queue.longest().map(({ name }) => name)).toEqual(['a/1']);
  });
});

describe('a turn that takes several places', () => {
  const start = () => {
    const queue = new FairQueue<Named>({
      places: none,
      perCaller: none,
      backlog: none,
      groups: { a: { places: 6, perCaller: 4 } },
    });
    for (const name of ['a/1', 'a/1', 'a/1']) queue.add(turn(name));
    return queue;
  };

  it('waits for those of its caller, and leaves places to others', () => {
    const queue = start();
    queue.add(turn('a/1', 1, 4));
    const begun = [queue.next(), queue.next(), queue.next()];
    expect(queue.next()).toBeNull();
    queue.add(turn('a/2'));
    expect(queue.next()?.name).toBe('a/2');
    for (const found of begun) if (found !== null) queue.end(found, 10);
    expect(queue.next()?.places).toBe(4);
  });

  it('is one turn of the line of its caller', () => {
    const queue = start();
    queue.add(turn('a/2', 1, 4));
    expect([queue.next()?.name, queue.next()?.name]).toEqual(['a/1', 'a/2']);
    expect(queue.longest().map(({ name }) => name)).toEqual(['a/1', 'a/1']);
  });
});

describe('a queue in which too much waits', () => {
  const full = () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: 100 });
    for (let count = 0; count < 8; count += 1) expect(queue.add(turn('a/greedy'))).toBeNull();
    for (const name of ['a/2', 'b/1']) expect(queue.add(turn(name))).toBeNull();
    return queue;
  };

  it('refuses the caller who waits for most', () => {
    const more = turn('a/greedy');
    expect(full().add(more)).toBe(more);
  });

  it('makes room for the others at the expense of the caller who waits for most', () => {
    const queue = full();
    expect(queue.add(turn('b/2'))?.name).toBe('a/greedy');
    expect(queue.waiting.map(({ name }) => name).sort()).toEqual(
      [...Array(7).fill('a/greedy'), 'a/2', 'b/1', 'b/2'].sort(),
    );
  });

  it('is bounded by the time that waits, not by how many wait', () => {
    const queue = new FairQueue<Named>({ places: 1, perCaller: 1, backlog: 100 });
    const refused = Array.from({ length: 150 }, () => queue.add(turn('c/1', 0.5))).filter((one) => one !== null);
    expect(refused).toEqual([]);
  });
});

const askers = fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1');
const questions = fc.array(fc.tuple(askers, fc.integer({ min: 1, max: 500 })), { maxLength: 60 });

it('begins every turn once or refuses it once, and gives no caller more places than it may have', () => {
  fc.assert(
    fc.property(questions, fc.integer({ min: 1, max: 4 }), (asked, places) => {
      const perCaller = Math.max(1, places - 1);
      const queue = new FairQueue<Named>({ places, perCaller, backlog: 3000 });
      const refused: Named[] = [];
      const begun: Named[] = [];
      const running: Named[] = [];
      const step = () => {
        for (let next = queue.next(); next !== null; next = queue.next()) {
          begun.push(next);
          running.push(next);
        }
        expect(running.length).toBeLessThanOrEqual(places);
        for (const { name } of running)
          expect(running.filter((one) => one.name === name).length).toBeLessThanOrEqual(perCaller);
      };
      const turns = asked.map(([name, expected]) => turn(name, expected));
      turns.forEach((one, at) => {
        const out = queue.add(one);
        if (out !== null) refused.push(out);
        if (at % 3 === 0) step();
        const ended = at % 4 === 0 ? running.shift() : undefined;
        if (ended !== undefined) queue.end(ended, ended.expected * 2);
      });
      for (step(); running.length > 0; step()) {
        const ended = running.shift();
        if (ended !== undefined) queue.end(ended, ended.expected);
      }
      expect(queue.waiting).toEqual([]);
      expect(new Set([...begun, ...refused])).toEqual(new Set(turns));
      expect(begun.length + refused.length).toBe(turns.length);
    }),
  );
});
