/** The blocks of a guide that its reader runs or writes, in order. */
import { readDocument } from './markdown.js';

export interface Step {
  /** Of a file, what its contents are. */
  readonly path: string | undefined;
  readonly kind: string;
  readonly text: string;
}

/** Blocks below a line that begins with a path are files. */
export function readSteps(document: string): Step[] {
  const blocks = readDocument(document).matchAll(/^([^\n]*)\n\n```(\w+(?: server)?)\n([\s\S]*?)```/gm);
  return [...blocks].map(([, before = '', kind = '', text = '']) => ({
    path: kind.startsWith('sh') ? undefined : /^`([^`]+)`/.exec(before)?.[1],
    kind,
    text,
  }));
}
