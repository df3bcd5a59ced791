/** Media sources: the places of the files that fields name by their paths. */
import { id, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const mediaSources = defineModel('media_sources', {
  id: id(),
  ...withDefaults({ classKey: text(100) }),
  /** PHP-serialized overrides of the class's properties. */
  properties: orNull(text()),
});

export type MediaSourceRow = RowOf<typeof mediaSources>;
