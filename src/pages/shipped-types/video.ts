/** The shipped section type `video`: a player of a video site, or a file. */
import { type BasicSection, sectionTemplate, titleTemplate } from './basic-section.js';

export const videoSection: BasicSection = Object.freeze({
  definition: {
    key: 'video',
    version: 1,
    label: 'Video',
    category: 'media',
    categories: ['media'],
    fields: [
      { name: 'title', type: 'text', label: 'Title' },
      { name: 'video', type: 'video', label: 'Video', required: true },
    ],
    template: sectionTemplate(`
${titleTemplate}
{%- assign player = data.video.embed_url | src %}
{%- assign file = data.video.url | src %}
{%- assign poster = data.video.poster | src %}
{%- if player != "" %}
<div class="video"><iframe src="{{ player }}" title="{{ data.title | default: "Video" }}" loading="lazy" allow="fullscreen; picture-in-picture" allowfullscreen referrerpolicy="strict-origin-when-cross-origin"></iframe></div>
{%- elsif file != "" %}
<div class="video"><video controls preload="metadata" src="{{ file }}"{% if poster != "" %} poster="{{ poster }}"{% endif %}><a href="{{ file }}">{{ data.title | default: "Video" }}</a></video></div>
{%- endif %}`),
  },
  sample: {
    title: 'A wheel in four minutes',
    video: { url: '/media/wheel.mp4', poster: '/media/wheel.jpg' },
  },
});
