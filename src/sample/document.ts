/** How the documents of sample pages are written down: sections by name, under the key of their page. */
import { sha256Hex } from '../crypto/hash.js';
import type { PageLinks } from './page.js';

/** One section. Its name is unique on the page and stays with it from revision to revision. */
export interface SectionSpec {
  readonly name: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly disabled?: true;
}

export type SectionList = (links: PageLinks) => readonly SectionSpec[];

/** The documents of one page, from the first that was published to a draft that is not yet. */
export interface DocumentSpec {
  /** Key of the page in the tree. */
  readonly page: string;
  /** In the order of publishing. */
  readonly published: readonly SectionList[];
  /** Written after the last publication. */
  readonly draft?: SectionList;
  readonly withdrawn?: true;
}

/** A document as it goes into a draft. */
export interface SampleDocument {
  readonly schemaVersion: 1;
  readonly sections: readonly SampleSection[];
}

export interface SampleSection {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The document of the sections. The ids follow from page and name: the same every time, and the same in every revision. */
export function sampleDocument(page: string, sections: readonly SectionSpec[]): SampleDocument {
  return {
    schemaVersion: 1,
    sections: sections.map(({ name, type, data, settings = {}, disabled }) => ({
      id: sha256Hex(`${page} ${name}`).slice(0, 32),
      type,
      enabled: disabled !== true,
      data,
      settings,
    })),
  };
}

/** A section named like its type; a page with two of a type names the second. */
export function section(
  type: string,
  data: Readonly<Record<string, unknown>>,
  more: Partial<Pick<SectionSpec, 'name' | 'settings' | 'disabled'>> = {},
): SectionSpec {
  return { name: type, type, data, ...more };
}

const sizes = {
  scene: { width: 1600, height: 900 },
  still: { width: 1200, height: 800 },
  portrait: { width: 240, height: 240 },
} as const;

const scenes = ['camp', 'mill', 'ridge', 'snow', 'trail'];

/** A picture that is shipped with the example site; `hcd` delivers its address alone. */
export function drawing(name: string): Readonly<Record<string, unknown>> {
  const size = name.startsWith('person-') ? sizes.portrait : scenes.includes(name) ? sizes.scene : sizes.still;
  return { url: `${drawings}${name}.svg`, filename: `${name}.svg`, extension: 'svg', type: 'image/svg+xml', ...size };
}

/** Folder of the drawings, as an address on the site. */
export const drawings = '/assets/pictures/pages/';

/** The address of a page on its own site. */
export function address(uri: string): string {
  return `/${uri}`;
}
