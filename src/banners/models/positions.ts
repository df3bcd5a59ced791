/** Positions, at which banners are shown. */
import { id, optional, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

export const positions = defineModel('hcd_ad_positions', {
  id: id(),
  name: text(255),
  context_key: optional(text(100)),
  createdOn: time(),
  editedOn: time(),
});

export const positionAttributes = ['id', 'name', 'context_key'] as const;
