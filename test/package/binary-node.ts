/** The Node.js that the single executable is built from in tests. */

/** Its path: HCD_TEST_NODE, or the Node.js of the tests where it can build one; undefined where neither is there. */
export function findBinaryNode(): string | undefined {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return process.env['HCD_TEST_NODE'] ?? (major >= 26 ? process.execPath : undefined);
}
