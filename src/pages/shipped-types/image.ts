/** The shipped section type `image`: one picture with its caption. */
import { type BasicSection, sectionTemplate } from './basic-section.js';

export const imageSection: BasicSection = Object.freeze({
  definition: {
    key: 'image',
    version: 1,
    label: 'Picture',
    category: 'media',
    categories: ['media'],
    fields: [
      { name: 'image', type: 'image', label: 'Picture', required: true },
      {
        name: 'alt',
        type: 'text',
        label: 'Alternative text',
        description: 'What the picture shows, for those who do not see it.',
      },
      { name: 'caption', type: 'text', label: 'Caption' },
    ],
    template: sectionTemplate(`
{%- assign address = data.image | image %}
{%- if address != "" %}
<figure class="picture">
<img src="{{ address }}" alt="{{ data.alt }}"{% if data.image.width and data.image.height %} width="{{ data.image.width }}" height="{{ data.image.height }}"{% endif %} loading="lazy">
{%- if data.caption and data.caption != "" %}
<figcaption>{{ data.caption }}</figcaption>
{%- endif %}
</figure>
{%- endif %}`),
  },
  sample: {
    image: { url: '/media/brazing.jpg', width: 1200, height: 800 },
    alt: 'A frame builder brazing a lug',
    caption: 'Brazing takes a steady hand and about forty minutes.',
  },
});
