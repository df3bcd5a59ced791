/** The types of page documents. */

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
