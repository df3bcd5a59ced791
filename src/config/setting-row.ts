/** What one runtime setting is, and the functions that make rows for the three APIs. */
import type { ValueType } from './value-type.js';

export type ApiName = 'gateway' | 'pages' | 'banners';

export interface SettingDefinition<T> {
  readonly api: ApiName;
  readonly type: ValueType<T>;
  readonly default: T;
  /** The unit of a number; null without one. */
  readonly unit: string | null;
  /** Version that first honoured the setting. */
  readonly since: string;
  /** The value is a credential: lists and logs show only whether it is set. */
  readonly secret: boolean;
  /** How commands store a value of it: as it is, as a digest (kept-key.ts), or encrypted under the root secret. */
  readonly kept: 'clear' | 'digest' | 'sealed';
  /**
   * The commands that alone change the value, such as `hcd token`: it is a list of records rather than a choice, and
   * what needs it reads it then and not from the live settings.
   */
  readonly managedBy: string | null;
  readonly description: string;
}

interface Row<T> {
  readonly type: ValueType<T>;
  readonly default: T;
  readonly unit?: string;
  readonly since?: string;
  readonly secret?: boolean;
  readonly kept?: 'digest' | 'sealed';
  readonly managedBy?: string;
  readonly description: string;
}

/** Makes rows of one API. */
export const rowOf =
  (api: ApiName) =>
  <T>(row: Row<T>): SettingDefinition<T> =>
    Object.freeze({ unit: null, since: '0.1.0', secret: false, kept: 'clear', managedBy: null, api, ...row });
