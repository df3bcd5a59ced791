/** Rows of resources, of their template variable values, and of the groups and contexts that they are put into. */
import { makeBatch, type SampleBatch, type SampleRow } from './batch.js';
import { resourceGroupIds } from './data/people.js';
import { templates } from './data/templates.js';
import { type VariableName, variables } from './data/variables.js';
import type { PageSpec, PageText } from './page.js';
import type { PlacedPage, SiteTree } from './tree.js';

const classes = {
  document: 'MODX\\Revolution\\modDocument',
  weblink: 'MODX\\Revolution\\modWebLink',
  symlink: 'MODX\\Revolution\\modSymLink',
  static: 'MODX\\Revolution\\modStaticResource',
} as const;

/** No time of the sample site lies between this one and the day it is loaded. */
const lastEdit = Date.UTC(2026, 10, 2, 8) / 1000;
const administrator = 1;

const variableNames = Object.keys(variables).filter((name): name is VariableName => name in variables);

const flag = (on: boolean | undefined): number => (on === true ? 1 : 0);

export function resourceBatches(site: SiteTree): SampleBatch[] {
  return [
    makeBatch(
      'site_content',
      ['id'],
      site.pages.map((page) => resourceRow(page, site)),
    ),
    makeBatch('context_resource', ['context_key', 'resource'], contextLinks(site)),
    makeBatch('site_tmplvar_contentvalues', ['id'], valueRows(site)),
    makeBatch('document_groups', ['id'], groupRows(site)),
  ];
}

function resourceRow(page: PlacedPage, { links }: SiteTree): SampleRow {
  const { spec, id } = page;
  const kind = spec.kind ?? 'document';
  const template = templates[spec.template];
  const created = spec.createdOn ?? 0;
  const author = spec.createdBy ?? 2;
  const editedOn = id % 3 === 0 ? 0 : Math.min(created + id * 3571, lastEdit);
  return {
    id,
    type: kind === 'weblink' || kind === 'symlink' ? 'reference' : 'document',
    pagetitle: spec.title,
    longtitle: spec.longTitle ?? '',
    description: spec.description ?? '',
    alias: page.alias,
    link_attributes: spec.linkAttributes ?? '',
    published: flag(!spec.unpublished),
    pub_date: spec.publishOn ?? 0,
    unpub_date: spec.withdrawOn ?? 0,
    parent: page.parent,
    isfolder: flag(page.isContainer),
    introtext: spec.intro ?? null,
    content: typeof spec.body === 'string' ? spec.body : spec.body(links),
    richtext: flag(kind === 'document' && spec.template !== 'Plain'),
    template: template.id,
    menuindex: page.menuIndex,
    searchable: flag(!spec.notSearchable),
    cacheable: flag(!spec.notCacheable),
    createdby: author,
    createdon: created,
    editedby: editedOn === 0 ? 0 : author,
    editedon: editedOn,
    deleted: flag(spec.deletedOn !== undefined),
    deletedon: spec.deletedOn ?? 0,
    deletedby: spec.deletedOn === undefined ? 0 : administrator,
    publishedon: spec.unpublished ? 0 : created + 3600,
    publishedby: spec.unpublished ? 0 : administrator,
    menutitle: spec.menuTitle ?? '',
    content_dispo: flag(spec.download),
    hidemenu: flag(spec.hidden),
    class_key: classes[kind],
    context_key: page.contextKey,
    content_type: spec.contentType ?? 1,
    uri: page.uri,
    uri_override: flag(spec.frozenUri !== undefined),
    hide_children_in_tree: flag(spec.key.startsWith('journal-20')),
    show_in_tree: 1,
    properties: spec.properties === undefined ? null : JSON.stringify(spec.properties),
    alias_visible: flag(!spec.aliasHidden),
  };
}

/** The imprint is also a page of the journal, and the journal's own page one of the main site. */
function contextLinks({ links }: SiteTree): SampleRow[] {
  return [
    { context_key: 'journal', resource: links.id('imprint') },
    { context_key: 'journal', resource: links.id('privacy') },
    { context_key: 'web', resource: links.id('journal-about') },
  ];
}

function valueRows({ pages, links }: SiteTree): SampleRow[] {
  const rows = pages.flatMap((page) =>
    valuesOf(page.spec).map(([name, text]) => ({
      tmplvarid: variables[name].id,
      contentid: page.id,
      value: typeof text === 'string' ? text : text(links),
    })),
  );
  return rows.map((row, index) => ({ id: index + 1, ...row }));
}

function valuesOf(spec: PageSpec): [VariableName, PageText][] {
  const found: [VariableName, PageText][] = [];
  for (const name of variableNames) {
    const text = spec.values?.[name];
    if (text === undefined) continue;
    const linked: readonly string[] = variables[name].templates;
    if (!linked.includes(spec.template))
      throw new RangeError(`${name} is no variable of the template ${spec.template}`);
    found.push([name, text]);
  }
  return found;
}

function groupRows({ pages }: SiteTree): SampleRow[] {
  const rows = pages.flatMap((page) =>
    (page.spec.groups ?? []).map((group) => ({ document_group: resourceGroupIds[group], document: page.id })),
  );
  return rows.map((row, index) => ({ id: index + 1, ...row }));
}
