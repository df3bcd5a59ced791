/** The types of page documents. */
import { readerLimits } from '../../values/reading.js';

/** Absent members restrict nothing. */
export interface SectionSettings {
  readonly contexts?: readonly string[];
  /** Accepted values by name without `utm_`. */
  readonly utm?: Readonly<Record<string, readonly string[]>>;
  readonly conditions?: readonly SectionCondition[];
  readonly _trashIndex?: number;
}

export type SectionCondition =
  | { readonly type: 'query'; readonly name: string; readonly value?: string }
  | { readonly type: 'context'; readonly value: string }
  | { readonly type: 'guest' }
  | { readonly type: 'logged_in' };

export interface PageSection {
  /** 32 lower-case hexadecimal digits. */
  readonly id: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly enabled: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly settings: SectionSettings;
}

export interface PageDocument {
  readonly schemaVersion: 1;
  readonly sections: readonly PageSection[];
  /** Sections that were taken out and can be put back. Never delivered. */
  readonly trash: readonly PageSection[];
}

export const pageLimits = Object.freeze({
  ...readerLimits,
  sections: 1000,
  documentCharacters: 2_000_000,
  /** Lists and objects inside one another in `data`. */
  dataDepth: 12,
  longTextCharacters: 50_000,
  htmlCharacters: 200_000,
  /** Values of one visibility rule, and rules of one section. */
  rules: 50,
  templateCharacters: 50_000,
  fields: 200,
  /** Repeaters inside one another. */
  fieldDepth: 4,
});
