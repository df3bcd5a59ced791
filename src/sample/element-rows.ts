/** Rows of elements: categories, content types, templates, chunks, snippets, template variables, media sources. */
import { serializePhpValue } from '../content/php-value.js';
import { makeBatch, type SampleBatch, type SampleRow } from './batch.js';
import { chunks } from './data/chunks.js';
import { contentTypes } from './data/content-types.js';
import { mediaSourceIds, mediaSources, type SampleMediaSource } from './data/media-sources.js';
import { snippets } from './data/snippets.js';
import { type CategoryName, categories, type TemplateName, templateContent, templates } from './data/templates.js';
import { type SampleVariable, variables } from './data/variables.js';

const noProperties = 'a:0:{}';
const notStatic = { static: 0, static_file: '' } as const;
const variableList: readonly (readonly [name: string, variable: SampleVariable])[] = Object.entries(variables);
const templateNames = Object.keys(templates).filter((name): name is TemplateName => name in templates);
const categoryNames = Object.keys(categories).filter((name): name is CategoryName => name in categories);

export function elementBatches(): SampleBatch[] {
  return [
    makeBatch(
      'content_type',
      ['id'],
      contentTypes
        .filter((type) => !type.seeded)
        .map((type) => ({
          id: type.id,
          name: type.name,
          description: 'Places for maps',
          mime_type: type.mimeType,
          file_extensions: type.extension,
          icon: '',
          headers: serializePhpValue(['Access-Control-Allow-Origin: *']),
          binary: 0,
        })),
    ),
    makeBatch(
      'categories',
      ['id'],
      categoryNames.map((name) => ({
        id: categories[name].id,
        parent: categories[name].parent,
        category: name,
        rank: categories[name].rank,
      })),
    ),
    makeBatch('categories_closure', ['ancestor', 'descendant'], categoryNames.flatMap(closureRows)),
    makeBatch('media_sources', ['id'], mediaSources.map(mediaSourceRow)),
    makeBatch('site_templates', ['id'], templateNames.map(templateRow)),
    makeBatch(
      'site_htmlsnippets',
      ['id'],
      chunks.map((chunk, index) => ({ id: index + 1, ...element(chunk), snippet: chunk.html, ...notStatic })),
    ),
    makeBatch(
      'site_snippets',
      ['id'],
      snippets.map((snippet, index) => ({
        id: index + 1,
        ...element(snippet),
        snippet: snippet.php,
        moduleguid: '',
        ...notStatic,
      })),
    ),
    makeBatch(
      'site_tmplvars',
      ['id'],
      variableList.map(([name, variable], index) => variableRow({ name, variable, index })),
    ),
    makeBatch('site_tmplvar_templates', ['tmplvarid', 'templateid'], templateNames.flatMap(linkRows)),
    makeBatch(
      'media_sources_elements',
      ['source', 'object', 'object_class', 'context_key'],
      ['web', 'journal'].flatMap(sourceLinkRows),
    ),
  ];
}

/** Itself, every ancestor, and the virtual root 0. */
function closureRows(name: CategoryName): SampleRow[] {
  const rows: SampleRow[] = [];
  const descendant = categories[name].id;
  let ancestor: number = descendant;
  for (let depth = 0; ; depth += 1) {
    rows.push({ ancestor, descendant, depth });
    if (ancestor === 0) return rows;
    const id = ancestor;
    ancestor = categoryNames.map((other) => categories[other]).find((other) => other.id === id)?.parent ?? 0;
  }
}

function element(entry: { name: string; description: string; category: CategoryName }): SampleRow {
  return {
    source: 0,
    property_preprocess: 0,
    name: entry.name,
    description: entry.description,
    editor_type: 0,
    category: categories[entry.category].id,
    cache_type: 0,
    locked: 0,
    properties: noProperties,
  };
}

function templateRow(name: TemplateName): SampleRow {
  const template = templates[name];
  return {
    id: template.id,
    source: 0,
    property_preprocess: 0,
    templatename: name,
    description: template.description,
    editor_type: 0,
    category: categories[template.category].id,
    icon: template.icon,
    template_type: 0,
    content: templateContent(name),
    locked: name === 'Plain' ? 1 : 0,
    properties: noProperties,
    ...notStatic,
    preview_file: '',
  };
}

function variableRow(entry: { name: string; variable: SampleVariable; index: number }): SampleRow {
  const { name, variable, index } = entry;
  return {
    id: variable.id,
    source: 0,
    property_preprocess: 0,
    type: variable.type,
    name,
    caption: variable.caption,
    description: '',
    editor_type: 0,
    category: categories[variable.category].id,
    locked: 0,
    elements: variable.elements,
    rank: index,
    display: variable.display,
    default_text: variable.defaultText,
    properties: noProperties,
    input_properties: serializePhpValue(inputProperties(variable)),
    output_properties: serializePhpValue(outputProperties(variable)),
    ...notStatic,
  };
}

function inputProperties(variable: SampleVariable): Record<string, string> {
  switch (variable.type) {
    case 'number':
      return { allowBlank: 'true', allowDecimals: 'No', allowNegative: 'No', minValue: '0', maxValue: '' };
    case 'resourcelist':
      return {
        allowBlank: 'true',
        showNone: '1',
        parents: '',
        depth: '10',
        includeParent: '1',
        limitRelatedContext: '0',
      };
    case 'date':
      return { allowBlank: 'true', startDay: '1', minTimeValue: '06:00', maxTimeValue: '22:00', timeIncrement: '15' };
    case 'checkbox':
    case 'option':
      return { allowBlank: 'true', columns: '1' };
    case 'listbox-multiple':
      return { allowBlank: 'true', listWidth: '', typeAhead: '0', stackItems: '0' };
    case 'migx':
      return { allowBlank: 'true', configs: '', formtabs: migxForm(variable), columns: '' };
    default:
      return { allowBlank: 'true', maxLength: '', minLength: '', regex: '' };
  }
}

function migxForm(variable: SampleVariable): string {
  const fields = variable === variables.specification ? ['name', 'value'] : ['image', 'caption'];
  return JSON.stringify([{ caption: variable.caption, fields: fields.map((field) => ({ field, caption: field })) }]);
}

function outputProperties(variable: SampleVariable): Record<string, string> {
  switch (variable.display) {
    case 'date':
      return { format: '%e %B %Y', default: 'No' };
    case 'delim':
      return { delimiter: ', ' };
    case 'url':
      return { text: '', title: '', class: '', style: '', target: '_blank', attributes: 'rel="noopener"' };
    default:
      return {};
  }
}

function linkRows(name: TemplateName): SampleRow[] {
  const linked = variableList.filter(([, variable]) => variable.templates.includes(name));
  return linked.map(([, variable], rank) => ({ tmplvarid: variable.id, templateid: templates[name].id, rank }));
}

function mediaSourceRow(source: SampleMediaSource): SampleRow {
  const entries = Object.entries(source.properties).map(([name, value]) => [
    name,
    { name, desc: '', type: 'textfield', options: [], value, lexicon: 'core:source' },
  ]);
  return {
    id: source.id,
    name: source.name,
    description: source.description,
    class_key: source.classKey,
    properties: serializePhpValue(Object.fromEntries(entries)),
    is_stream: 1,
  };
}

function sourceLinkRows(context: string): SampleRow[] {
  return variableList.flatMap(([, variable]) =>
    variable.source === null
      ? []
      : [
          {
            source: mediaSourceIds[variable.source],
            object_class: 'MODX\\Revolution\\modTemplateVar',
            object: variable.id,
            context_key: context,
          },
        ],
  );
}
