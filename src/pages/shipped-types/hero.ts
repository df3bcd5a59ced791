/** The shipped section type `hero`: the opening of a page, over a picture where there is one. */
import { type BasicSection, buttonFields, buttonTemplate, sectionTemplate, titleTemplate } from './basic-section.js';

export const heroSection: BasicSection = Object.freeze({
  definition: {
    key: 'hero',
    version: 1,
    label: 'Hero',
    category: 'hero',
    categories: ['hero'],
    fields: [
      { name: 'title', type: 'text', label: 'Title', required: true },
      { name: 'description', type: 'textarea', label: 'Description' },
      ...buttonFields,
      { name: 'background', type: 'image', label: 'Background picture' },
      {
        name: 'alignment',
        type: 'select',
        label: 'Alignment',
        options: [
          { value: 'left', label: 'Left' },
          { value: 'center', label: 'Centred' },
        ],
        default: 'left',
      },
    ],
    template: sectionTemplate(`
{%- assign picture = data.background | image %}
{%- if picture != "" %}
<img class="hero__background" src="{{ picture }}" alt="">
{%- endif %}
<div class="hero__content hero__content--{% if data.alignment == "center" %}center{% else %}left{% endif %}">
${titleTemplate}
{%- assign paragraphs = data.description | lines %}
{%- for paragraph in paragraphs %}
<p class="hero__description">{{ paragraph }}</p>
{%- endfor %}
${buttonTemplate}
</div>`),
  },
  sample: {
    title: 'Bicycles that outlive fashions',
    description: 'Built to order in our own workshop.\nServiced for as long as you ride them.',
    button_label: 'Book a fitting',
    button_url: '/workshop/fitting.html',
    background: { url: '/media/workshop-morning.jpg', width: 1600, height: 900 },
    alignment: 'center',
  },
});
