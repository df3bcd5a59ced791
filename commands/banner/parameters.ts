/** Arguments and flags that the commands for banners, positions and presets share. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { optional, required } from '../parameters.js';

const largestId = 4_294_967_295;

export const idValue = integerValue({ min: 1, max: largestId });

export const bannerParameter = required(idValue, {
  placeholder: 'ID',
  description: 'Id of the banner (see hcd banner list)',
});

/** A position by id or name, as the service finds it. */
export const positionValue = textValue({ accepts: 'the id or the name of a position' });

export const positionParameter = required(positionValue, {
  placeholder: 'POSITION',
  description: 'Id or name of the position (see hcd position list)',
});

export const defaultLimit = 50;

/** Which rows of a long list are shown. */
export const partParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), {
    placeholder: 'N',
    description: `Maximum number of rows (default: ${defaultLimit})`,
  }),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
    placeholder: 'N',
    description: 'Number of rows to skip (default: 0)',
  }),
};

export interface PartFlags {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Who changes banners, positions and presets here, as hcd banner audit shows it. */
export const username = 'cli';
