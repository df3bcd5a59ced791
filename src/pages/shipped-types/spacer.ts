/** The shipped section type `spacer`: room between two sections, silent for those who listen to the page. */
import type { BasicSection } from './basic-section.js';

export const spacerSection: BasicSection = Object.freeze({
  definition: {
    key: 'spacer',
    version: 1,
    label: 'Space',
    category: 'layout',
    categories: ['layout'],
    fields: [
      {
        name: 'size',
        type: 'select',
        label: 'Size',
        required: true,
        options: [
          { value: 'sm', label: 'Small' },
          { value: 'md', label: 'Medium' },
          { value: 'lg', label: 'Large' },
          { value: 'xl', label: 'Very large' },
        ],
        default: 'md',
      },
    ],
    template:
      '<div id="section-{{ id }}" class="{{ cssClass }} section--spacer-{{ data.size | default: "md" }}" data-section="{{ type }}" aria-hidden="true"></div>',
  },
  sample: { size: 'lg' },
});
