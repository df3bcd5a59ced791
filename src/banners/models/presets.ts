/** Presets: values that new banners start with. */
import { id, json, optional, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { plainObject } from '../rules/field-types.js';
import { bannerType } from './ads.js';

export const presets = defineModel('hcd_ad_presets', {
  id: id(),
  name: text(255),
  type: optional(bannerType),
  tpl: optional(text(100)),
  /** A damaged text reads as an empty object: one damaged row must not stop a list. */
  defaults_data: json((value) => plainObject(value) ?? {}),
  createdOn: time(),
});

export const presetAttributes = ['id', 'name', 'type', 'tpl', 'defaults_data'] as const;
