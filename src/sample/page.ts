/** How a page of the sample site is written down before it has an id: by a key, under its parent, with its own text. */
import type { TemplateName } from './data/templates.js';
import type { VariableName } from './data/variables.js';

/** What bodies and values may ask of the finished tree. Unknown keys throw, so that no link can dangle. */
export interface PageLinks {
  readonly uri: (key: string) => string;
  readonly id: (key: string) => number;
  readonly title: (key: string) => string;
}

export type PageText = string | ((links: PageLinks) => string);

export interface PageSpec {
  /** Unique in the whole site; never stored. */
  readonly key: string;
  readonly title: string;
  /** Absent: made from the title. */
  readonly alias?: string;
  readonly longTitle?: string;
  readonly menuTitle?: string;
  readonly description?: string;
  readonly intro?: string;
  readonly body: PageText;
  readonly template: TemplateName;
  readonly contentType?: number;
  readonly kind?: 'document' | 'weblink' | 'symlink' | 'static';
  readonly values?: Readonly<Partial<Record<VariableName, PageText>>>;
  readonly children?: readonly PageSpec[];
  /** A page that has, or may get, children is a container. */
  readonly container?: true;
  readonly unpublished?: true;
  readonly deletedOn?: number;
  readonly hidden?: true;
  readonly aliasHidden?: true;
  readonly frozenUri?: string;
  readonly publishOn?: number;
  readonly withdrawOn?: number;
  readonly notSearchable?: true;
  readonly notCacheable?: true;
  readonly download?: true;
  readonly linkAttributes?: string;
  readonly properties?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly createdOn?: number;
  readonly createdBy?: number;
  /** Names of resource groups. */
  readonly groups?: readonly ('members' | 'visitors' | 'trade')[];
}
