/** The shipped section type `cta`: one request with one button. */
import { type BasicSection, buttonFields, buttonTemplate, sectionTemplate, titleTemplate } from './basic-section.js';

export const ctaSection: BasicSection = Object.freeze({
  definition: {
    key: 'cta',
    version: 1,
    label: 'Call to action',
    category: 'conversion',
    categories: ['conversion'],
    fields: [
      { name: 'title', type: 'text', label: 'Title', required: true },
      { name: 'text', type: 'textarea', label: 'Text' },
      ...buttonFields.map((field) => ({ ...field, required: true })),
    ],
    template: sectionTemplate(`
${titleTemplate}
{%- assign paragraphs = data.text | lines %}
{%- for paragraph in paragraphs %}
<p>{{ paragraph }}</p>
{%- endfor %}
${buttonTemplate}`),
  },
  sample: {
    title: 'Ride one before you decide',
    text: 'We keep five sizes for test rides.',
    button_label: 'Reserve a ride',
    button_url: '/test-ride.html?from=cta&size=56',
  },
});
