/** The shipped section type `cards`: short texts of equal weight. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const cardsSection: BasicSection = Object.freeze({
  definition: {
    key: 'cards',
    version: 1,
    label: 'Cards',
    category: 'content',
    categories: ['content'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      {
        name: 'items',
        type: 'repeater',
        label: 'Cards',
        required: true,
        fields: [
          { name: 'title', type: 'text', label: 'Title', required: true },
          { name: 'text', type: 'textarea', label: 'Text' },
        ],
      },
    ],
    template: sectionTemplate(`
${titleTemplate}
<ul class="cards">
{%- for item in data.items %}
<li class="card">
<h3>{{ item.title }}</h3>
{%- assign paragraphs = item.text | lines %}
{%- for paragraph in paragraphs %}
<p>{{ paragraph }}</p>
{%- endfor %}
</li>
{%- endfor %}
</ul>`),
  },
  sample: {
    title: 'What we do',
    items: [
      { title: 'Frames', text: 'Road, touring and cargo.\nMade to measure.' },
      { title: 'Wheels', text: 'Laced and trued by hand.' },
      { title: 'Service' },
    ],
  },
});
