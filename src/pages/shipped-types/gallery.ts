/** The shipped section type `gallery`: pictures side by side, each with its caption. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const gallerySection: BasicSection = Object.freeze({
  definition: {
    key: 'gallery',
    version: 1,
    label: 'Gallery',
    category: 'media',
    categories: ['media'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      {
        name: 'items',
        type: 'repeater',
        label: 'Pictures',
        required: true,
        fields: [
          { name: 'image', type: 'image', label: 'Picture', required: true },
          { name: 'alt', type: 'text', label: 'Alternative text' },
          { name: 'caption', type: 'text', label: 'Caption' },
        ],
      },
    ],
    template: sectionTemplate(`
${titleTemplate}
<ul class="gallery">
{%- for item in data.items %}
{%- assign address = item.image | image %}
{%- if address != "" %}
<li>
<figure>
<img src="{{ address }}" alt="{{ item.alt }}" loading="lazy">
{%- if item.caption and item.caption != "" %}
<figcaption>{{ item.caption }}</figcaption>
{%- endif %}
</figure>
</li>
{%- endif %}
{%- endfor %}
</ul>`),
  },
  sample: {
    title: 'From the workshop',
    items: [
      { image: { url: '/media/lathe.jpg' }, alt: 'A lathe with a steel tube', caption: 'Cutting to length' },
      {
        image: { url: '/media/paint.jpg', crops: { default: { url: '/media/paint-square.jpg' } } },
        alt: 'A green frame on a hook',
      },
    ],
  },
});
