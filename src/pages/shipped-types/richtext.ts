/** The shipped section type `richtext`: a passage of formatted text. */
import { type BasicSection, sectionTemplate } from './basic-section.js';

export const richtextSection: BasicSection = Object.freeze({
  definition: {
    key: 'richtext',
    version: 1,
    label: 'Text',
    category: 'content',
    categories: ['content'],
    fields: [{ name: 'content', type: 'richtext', label: 'Text', required: true }],
    template: sectionTemplate('<div class="rich-text">{{ data.content | rich }}</div>'),
  },
  sample: {
    content:
      '<h2>How we choose steel</h2><p>Every tube is <strong>measured twice</strong> before it is cut. ' +
      'Read <a href="/journal/steel.html">why that matters</a>.</p><ul><li>Reynolds 725</li><li>Columbus Zona</li></ul>',
  },
});
