/** Limits of a store for tests of what it does, not of how soon it gives up: on a busy machine everything takes its time. */
import { type StoreLimits, servingLimits } from '../../src/store/base/limits.js';

/** As under requests, but nothing is refused because it took too long. Tests in `faults` keep to the real ones. */
export const patientLimits: StoreLimits = Object.freeze({
  ...servingLimits,
  connect: 30_000,
  acquire: 60_000,
  statement: 0,
  answer: 0,
  heavy: 0,
  search: 0,
  wait: 0,
  busy: 60_000,
});
