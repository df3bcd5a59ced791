/** Colour and weight on an output. */
import { Chalk } from 'chalk';
import type { Output } from './streams.js';

export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>>;

export function paintFor({ hasColour }: Pick<Output, 'hasColour'>): Paint {
  return new Chalk({ level: hasColour ? 1 : 0 });
}
