/** The shipped section type `faq`: questions that open to their answers. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const faqSection: BasicSection = Object.freeze({
  definition: {
    key: 'faq',
    version: 1,
    label: 'Questions and answers',
    category: 'content',
    categories: ['content'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      {
        name: 'items',
        type: 'repeater',
        label: 'Questions',
        required: true,
        fields: [
          { name: 'question', type: 'text', label: 'Question', required: true },
          { name: 'answer', type: 'richtext', label: 'Answer', required: true },
        ],
      },
    ],
    template: sectionTemplate(`
${titleTemplate}
<div class="faq">
{%- for item in data.items %}
<details>
<summary>{{ item.question }}</summary>
<div class="rich-text">{{ item.answer | rich }}</div>
</details>
{%- endfor %}
</div>`),
  },
  sample: {
    title: 'Before you order',
    items: [
      { question: 'How long does a frame take?', answer: '<p>About <em>ten weeks</em> from your fitting.</p>' },
      { question: 'Do you repair other makes?', answer: '<p>Yes, if they are made of steel.</p>' },
    ],
  },
});
