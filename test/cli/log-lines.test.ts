/** Lines of the log on their way out: gathered for a few milliseconds, never reordered, never kept back for long. */
import { expect, it } from 'vitest';
import { createLineBatch } from '../../commands/streams.js';
import { fakeClock } from '../support/clock.js';

function setUp() {
  const clock = fakeClock();
  const written: string[] = [];
  const reader = { waiting: 0 };
  const lines = createLineBatch(clock, { draw: (text) => written.push(text), waiting: () => reader.waiting });
  return { clock, written, lines, reader };
}

it('writes what comes within ten milliseconds in one go, in its order', async () => {
  const { clock, written, lines } = setUp();
  lines.add('one\n');
  await clock.advance(9);
  lines.add('two\n');
  expect(written).toEqual([]);
  await clock.advance(1);
  expect(written).toEqual(['one\ntwo\n']);
  lines.add('three\n');
  await clock.advance(10);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes at once when as much has come as a pipe takes', async () => {
  const { clock, written, lines } = setUp();
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 64; count += 1) lines.add(line);
  expect(written).toEqual([line.repeat(64)]);
  expect(clock.pending).toBe(0);
  lines.add('next\n');
  await clock.advance(10);
  expect(written).toEqual([line.repeat(64), 'next\n']);
});

it('writes the rest on flush, and nothing twice', async () => {
  const { clock, written, lines } = setUp();
  lines.flush();
  lines.add('one\n');
  lines.flush();
  lines.flush();
  await clock.advance(100);
  expect(written).toEqual(['one\n']);
  expect(clock.pending).toBe(0);
});

it('counts lines instead of writing them while eight megabytes wait for the reader', async () => {
  const { written, lines, reader } = setUp();
  const add = (...texts: readonly string[]) => {
    for (const text of texts) lines.add(text);
    lines.flush();
  };
  add('one\n');
  reader.waiting = 8 * 1024 * 1024;
  add('two\n', 'three\n    at a frame\n');
  add('four\n');
  expect(lines.takeLost()).toBe(0);
  reader.waiting = 0;
  expect([lines.takeLost(), lines.takeLost()]).toEqual([3, 0]);
  add('five\n');
  expect(written).toEqual(['one\n', 'five\n']);
});
