/** Arguments and flags that the commands for banners, positions and presets share. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { optional, required } from '../parameters.js';

const largestId = 4_294_967_295;

export const idValue = integerValue({ min: 1, max: largestId });

export const bannerParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the banner; hcd banner list shows it',
});

/** A position by id or name, as the service finds it. */
export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, {
  placeholder: 'POSITION',
  description: 'Id or name of the position; hcd position list shows both',
});

export const defaultLimit = 50;

/** Parts of long lists. */
export const partParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), {
    placeholder: 'N',
    description: `Rows at most; ${defaultLimit} by default`,
  }),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
    placeholder: 'N',
    description: 'Rows to leave out first',
  }),
};

export interface PartFlags {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Who changes banners, positions and presets here, as hcd banner audit shows it. */
export const username = 'cli';
