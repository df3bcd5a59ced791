/** Object definitions of the reference: one table of fields per registered object, with what may be done with each. */
import type { FieldDefinition, ObjectDefinition, Registry } from '../../content/objects/definition.js';
import { shownFields, valueSchema } from '../openapi/openapi-schemas.js';
import { anchor, type Html, type HtmlPart, html } from './docs-html.js';
import { limitsOf, typeOf } from './docs-schemas.js';

export function renderObjects(registry: Registry): Html {
  return html`<section class="group" id="objects" aria-labelledby="objects-title">
<h2 id="objects-title">Object definitions</h2>
<p>Every registered object with its fields. <code>GET /schema</code> gives the same to programs. Marked fields can be
used in <code>filter</code>, <code>sort</code> or are searched by <code>q</code>; a protected field is shown and written
only with the scope <code>fields.&lt;field&gt;</code>.</p>
${[...registry.objects.values()].map(renderObject)}
</section>
`;
}

function renderObject(definition: ObjectDefinition): Html {
  const id = anchor('object', definition.name);
  const hidden = definition.hidden.filter((name) => definition.fields[name] !== undefined);
  return html`<article class="object" id="${id}">
<header>
<h3>${definition.name}</h3>
<a class="permalink" href="#${id}" aria-label="Link to ${definition.name}">#</a>
</header>
<p class="summary">${flagChips(definition)}</p>
<div class="table" tabindex="0" role="group" aria-label="Fields of ${definition.name}">
<table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Use</th></tr></thead>
<tbody>
${shownFields(definition).map(([name, field]) => fieldRow(definition, name, field))}</tbody>
</table>
</div>
${hidden.length > 0 && html`<p class="note">Never shown: ${hidden.map((name) => html`<code>${name}</code> `)}</p>`}
${relationList(definition)}
</article>
`;
}

function flagChips(definition: ObjectDefinition): HtmlPart {
  const flags = [
    ['readable', definition.readable],
    ['creatable', definition.creatable],
    ['updatable', definition.updatable],
    ['deletable', definition.deletable],
  ] as const;
  return flags.filter(([, is]) => is).map(([word]) => html`<span class="chip flag">${word}</span> `);
}

function fieldRow(definition: ObjectDefinition, name: string, field: FieldDefinition): Html {
  const schema = valueSchema(field);
  const marks = [
    ['key', name === definition.primaryKey],
    ['filter', definition.filterable.includes(name)],
    ['sort', definition.sortable.includes(name)],
    ['search', definition.searchable.includes(name)],
    ['required', definition.required.includes(name)],
    ['immutable', definition.immutable.includes(name)],
    ['protected', definition.protected.includes(name)],
    ['media', field.media === true],
  ] as const;
  return html`<tr>
<th scope="row"><code>${name}</code></th>
<td>${typeOf(schema, {})} ${limitsOf(schema)}</td>
<td>${marks.filter(([, is]) => is).map(([word]) => html`<span class="mark ${word}">${word}</span> `)}</td>
</tr>
`;
}

function relationList({ relations }: ObjectDefinition): HtmlPart {
  if (relations.length === 0) return null;
  return html`<h4>Relations</h4>
<ul class="relations">
${relations.map(
  ({ name, target, type, fields }) =>
    html`<li><code>include=${name}</code> ${type === 'to_one' ? 'one record' : 'records'} of <a href="#${anchor(
      'object',
      target,
    )}">${target}</a> with ${fields.map((field, index) => [index === 0 ? '' : ', ', html`<code>${field}</code>`])}</li>
`,
)}</ul>
`;
}
