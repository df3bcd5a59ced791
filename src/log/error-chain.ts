/** An error and its causes, as lines of text. Pure. */

/** A chain may be circular; five links say enough. */
const longestChain = 5;

/** `Name: message` of the error, of its cause, and so on. */
export function errorChain(error: unknown): readonly string[] {
  const lines: string[] = [];
  let current = error;
  while (lines.length < longestChain && current !== undefined && current !== null) {
    lines.push(current instanceof Error ? `${current.name}: ${current.message}` : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines;
}
