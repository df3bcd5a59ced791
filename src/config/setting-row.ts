/** What one runtime setting is, and the functions that make rows for the three APIs. */
import { booleanValue, integerValue, type ValueType } from './value-type.js';

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

type RowOptions = Partial<Pick<SettingDefinition<unknown>, 'unit' | 'since' | 'secret' | 'kept' | 'managedBy'>>;

/** The functions that make rows of one API. */
export function rowsOf(api: ApiName) {
  const usual = { unit: null, since: '0.1.0', secret: false, kept: 'clear', managedBy: null, api } as const;

  function row<T>(
    how: RowOptions & { readonly type: ValueType<T>; readonly default: NoInfer<T> },
    description: string,
  ): SettingDefinition<T> {
    return Object.freeze({ ...usual, ...how, description });
  }

  return {
    row,
    integer({ min, max, ...how }: RowOptions & { min: number; max: number; default: number }, description: string) {
      return row({ type: integerValue({ min, max }), ...how }, description);
    },
    /** A switch that is on, or off, unless it is set. */
    on: (description: string) => row({ type: booleanValue, default: true }, description),
    off: (description: string) => row({ type: booleanValue, default: false }, description),
  };
}
