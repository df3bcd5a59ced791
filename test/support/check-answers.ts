/** Fails a test that received an answer which the OpenAPI document of its interface does not describe. */
import { afterAll, afterEach } from 'vitest';
import { takeMisfits } from './received-answers.js';

async function check(): Promise<void> {
  const misfits = await takeMisfits();
  if (misfits.length > 0) throw new Error(`answers that no OpenAPI document describes:\n${misfits.join('\n')}`);
}

afterEach(check);
afterAll(check);
