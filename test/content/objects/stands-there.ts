/** Whether a problem points at the right spot of a file, found without the reader that is under test. */
import type { PlacedProblem } from '../../../src/values/json-tree.js';

/** Whether the key or value that the problem's path names stands at its line and column in the text. */
export function standsThere(text: string, problem: Pick<PlacedProblem, 'path' | 'line' | 'column'>): boolean {
  const { path, line, column } = problem;
  const steps = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) => index ?? key ?? '');
  const holder = steps.slice(0, -1).reduce<unknown>((within, step) => Object(within)[step], JSON.parse(text));
  const value = Object(holder)[steps.at(-1) ?? ''];
  const there = text.split('\n')[(line ?? 0) - 1]?.slice((column ?? 0) - 1) ?? '';
  // What is missing is reported where the object is, or its name.
  const expected = value === undefined ? [steps.at(-2), holder] : [steps.at(-1), value];
  return path === '' || expected.some((one) => one !== undefined && there.startsWith(JSON.stringify(one).slice(0, 1)));
}
