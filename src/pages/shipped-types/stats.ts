/** The shipped section type `stats`: figures with what they count. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const statsSection: BasicSection = Object.freeze({
  definition: {
    key: 'stats',
    version: 1,
    label: 'Figures',
    category: 'social',
    categories: ['social'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      {
        name: 'items',
        type: 'repeater',
        label: 'Figures',
        required: true,
        fields: [
          { name: 'value', type: 'text', label: 'Figure', required: true, width: 50 },
          { name: 'label', type: 'text', label: 'What it counts', required: true, width: 50 },
        ],
      },
    ],
    template: sectionTemplate(`
${titleTemplate}
<dl class="stats">
{%- for item in data.items %}
<div class="stats__item"><dt>{{ item.label }}</dt><dd>{{ item.value }}</dd></div>
{%- endfor %}
</dl>`),
  },
  sample: {
    title: 'Thirty years in figures',
    items: [
      { value: '2,140', label: 'frames built' },
      { value: '98 %', label: 'still on the road' },
    ],
  },
});
