/** Settings of the example, from the environment. */
import { ApiFailure, include } from './api.mjs';

/** @param {NodeJS.ProcessEnv} env */
export function readSettings(env) {
  const api = env.PAGES_API_URL ?? 'http://127.0.0.1:8080/pages/api/v1.php';
  const token = env.PAGES_TOKEN ?? '';
  if (token === '') throw new ApiFailure('PAGES_TOKEN is not set: hcd token create --scopes pages.read');
  const context = env.PAGES_CONTEXT ?? 'web';
  return {
    api,
    token,
    context,
    /** Pages in one answer of a list. */
    pageSize: 100,
    /** Requests under way at once. */
    parallel: 4,
    /** Names what the state belongs to; a state of another site is not used. */
    source: JSON.stringify({ version: 1, api, context, include }),
  };
}
