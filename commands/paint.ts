/** Colour and weight on an output. */
import { Chalk } from 'chalk';
import type { Output } from './streams.js';

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export function paintFor({ hasColour }: Pick<Output, 'hasColour'>): Paint {
  return new Chalk({ level: hasColour ? 1 : 0 });
}
