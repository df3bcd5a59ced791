/** What a shipped section type consists of, and the outermost elements that nearly all of them share. */

export interface BasicSection {
  /** As a file for `hcd section-type import` would have it. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Data of one good example. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** A labelled section with one element inside, for styles that limit the width of lines. */
export function sectionTemplate(inner: string): string {
  return `<section id="section-{{ id }}" class="{{ cssClass }}" data-section="{{ type }}"{% if data.title and data.title != "" %} aria-labelledby="section-{{ id }}-title"{% endif %}>
<div class="section__inner">
${inner.trim()}
</div>
</section>`;
}

/** The title of a section, when it has one. */
export const titleTemplate = `{%- if data.title and data.title != "" %}
<h2 id="section-{{ id }}-title" class="section__title">{{ data.title }}</h2>
{%- endif %}`;

/** A link that looks like a button, when both its label and its address are there. */
export const buttonTemplate = `{%- assign address = data.button_url | url %}
{%- if data.button_label and address != "" and data.button_label != "" %}
<p class="section__actions"><a class="button" href="{{ address }}">{{ data.button_label }}</a></p>
{%- endif %}`;

/** The fields of that button. */
export const buttonFields = Object.freeze([
  { name: 'button_label', type: 'text', label: 'Button label', width: 50 },
  { name: 'button_url', type: 'url', label: 'Button address', width: 50 },
]);
