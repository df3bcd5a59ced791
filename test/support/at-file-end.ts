/**
 * What a helper opened for a test file, to be closed when the file is done. Helpers register here and not with a hook of
 * their own: test files share their modules, and a hook would belong to the first file that imported the helper.
 */
const closers = new Set<() => Promise<void>>();

/** Has `close` called when the test file is done; the returned function cancels that. */
export function atFileEnd(close: () => Promise<void>): () => void {
  closers.add(close);
  return () => void closers.delete(close);
}

/** Closes what is still open, in the order of registration; called by `after-file.ts`. */
export async function closeAll(): Promise<void> {
  const all = [...closers];
  closers.clear();
  for (const close of all) await close();
}
