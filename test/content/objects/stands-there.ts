/** Whether a problem points at the right spot of a file, found without the reader that is under test. */
import type { PlacedProblem } from '../../../src/values/json-tree.js';

/** Whether the key or value that the problem's path names stands at its line and column in the text. */
export function standsThere(text: string, problem: Pick<PlacedProblem, 'path' | 'line' | 'column'>): boolean {
  const { path, line, column } = problem;
  const parts = path.matchAll(/\["(.*?)"\]|\[(\d+)\]|([^.[\]]+)/g);
  const steps = [...parts].map(([, quoted, index, key]) => quoted ?? index ?? key ?? '');
  const value = steps.reduce<unknown>((within, step) => Object(within)[step], JSON.parse(text));
  const there = text.split('\n')[(line ?? 0) - 1]?.slice((column ?? 0) - 1) ?? '';
  return path === '' || [steps.at(-1), value].some((one) => there.startsWith(JSON.stringify(one)));
}
