/** The shipped section type `testimonials`: what customers say, with their names. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const testimonialsSection: BasicSection = Object.freeze({
  definition: {
    key: 'testimonials',
    version: 1,
    label: 'Voices',
    category: 'social',
    categories: ['social'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      {
        name: 'items',
        type: 'repeater',
        label: 'Voices',
        required: true,
        fields: [
          { name: 'quote', type: 'textarea', label: 'Quote', required: true },
          { name: 'name', type: 'text', label: 'Name', required: true },
          { name: 'role', type: 'text', label: 'Role' },
          { name: 'avatar', type: 'image', label: 'Portrait' },
        ],
      },
    ],
    template: sectionTemplate(`
${titleTemplate}
<ul class="testimonials">
{%- for item in data.items %}
<li>
<figure>
<blockquote>
{%- assign paragraphs = item.quote | lines %}
{%- for paragraph in paragraphs %}
<p>{{ paragraph }}</p>
{%- endfor %}
</blockquote>
<figcaption>
{%- assign portrait = item.avatar | image %}
{%- if portrait != "" %}
<img src="{{ portrait }}" alt="" loading="lazy">
{%- endif %}
<cite>{{ item.name }}</cite>
{%- if item.role and item.role != "" %}
<span class="testimonials__role">{{ item.role }}</span>
{%- endif %}
</figcaption>
</figure>
</li>
{%- endfor %}
</ul>`),
  },
  sample: {
    title: 'Riders say',
    items: [
      {
        quote: 'It fits as if I had grown with it.',
        name: 'Mara Linde',
        role: 'Commuter',
        avatar: { url: '/media/mara.jpg' },
      },
      { quote: 'Four thousand kilometres, one flat.', name: 'Jon Askar' },
    ],
  },
});
