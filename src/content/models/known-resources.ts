/** What was last seen of each resource, so that changes by other programs are noticed, named and announced. */
import { flag, integer, key, orNull, text } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const knownResources = defineModel('hcd_known_resources', {
  resource: key(integer()),
  /** Check sums of the row and of its rows in the tables of `partsOfResources`, joined by dots. */
  digest: text(64),
  context_key: text(100),
  uri: orNull(text()),
  parent: integer(),
  published: flag(),
  deleted: flag(),
});

export type KnownResource = RowOf<typeof knownResources>;
