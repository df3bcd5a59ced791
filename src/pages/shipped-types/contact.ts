/** The shipped section type `contact`: how to reach people. */
import { type BasicSection, buttonFields, buttonTemplate, sectionTemplate, titleTemplate } from './basic-section.js';

export const contactSection: BasicSection = Object.freeze({
  definition: {
    key: 'contact',
    version: 1,
    label: 'Contact',
    category: 'conversion',
    categories: ['conversion'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      { name: 'text', type: 'textarea', label: 'Text' },
      { name: 'phone', type: 'text', label: 'Telephone', width: 50 },
      { name: 'email', type: 'email', label: 'E-mail', width: 50 },
      ...buttonFields,
    ],
    template: sectionTemplate(`
${titleTemplate}
{%- assign paragraphs = data.text | lines %}
{%- for paragraph in paragraphs %}
<p>{{ paragraph }}</p>
{%- endfor %}
{%- assign phone = data.phone | strip %}
{%- assign email = data.email | strip %}
{%- if phone != "" or email != "" %}
<address>
<ul>
{%- if phone != "" %}
<li><a href="{{ phone | tel }}">{{ phone }}</a></li>
{%- endif %}
{%- if email != "" %}
<li><a href="mailto:{{ email }}">{{ email }}</a></li>
{%- endif %}
</ul>
</address>
{%- endif %}
${buttonTemplate}`),
  },
  sample: {
    title: 'Visit the workshop',
    text: 'Tuesday to Saturday, from ten to six.',
    phone: '+49 (0) 30 555 01-20',
    email: 'hello@bicycles.example',
    button_label: 'Find the way',
    button_url: 'https://maps.example/workshop',
  },
});
