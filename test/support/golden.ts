/** Golden files: the expected text lies next to the tests and changes only in a run with UPDATE_GOLDEN=1. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** Compares a text with `test/<path>`, or writes it there in an update run. */
export function expectGolden(path: string, text: string): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (!existsSync(file)) throw new Error(`${path} is missing: run the test with UPDATE_GOLDEN=1 and review the file`);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
