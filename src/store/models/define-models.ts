/**
 * The Sequelize models of some tables, which tests compare with the migrated schema; the program does not use them. They
 * have plain attributes and no hooks, scopes or time stamps of their own.
 */
import type { Sequelize } from 'sequelize';
import { defineCategories } from './categories.js';
import { defineCategoriesClosure } from './categories-closure.js';
import { defineContentType } from './content-type.js';
import { defineContext } from './context.js';
import { defineContextSetting } from './context-setting.js';
import { defineHcdState } from './hcd-state.js';
import { defineSiteContent } from './site-content.js';
import { defineSiteHtmlsnippets } from './site-htmlsnippets.js';
import { defineSiteSnippets } from './site-snippets.js';
import { defineSiteTemplates } from './site-templates.js';
import { defineSiteTmplvarContentvalues } from './site-tmplvar-contentvalues.js';
import { defineSiteTmplvarTemplates } from './site-tmplvar-templates.js';
import { defineSiteTmplvars } from './site-tmplvars.js';
import { defineSystemSettings } from './system-settings.js';

export type ContentModels = ReturnType<typeof defineContentModels>;
export type OwnModels = ReturnType<typeof defineOwnModels>;

/** Models of the content tables with their prefix, on the connection of the content database. */
function defineContentModels(sequelize: Sequelize, prefix: string) {
  return Object.freeze({
    categories: defineCategories(sequelize, prefix),
    categoriesClosure: defineCategoriesClosure(sequelize, prefix),
    contentType: defineContentType(sequelize, prefix),
    context: defineContext(sequelize, prefix),
    contextSetting: defineContextSetting(sequelize, prefix),
    siteContent: defineSiteContent(sequelize, prefix),
    siteHtmlsnippets: defineSiteHtmlsnippets(sequelize, prefix),
    siteSnippets: defineSiteSnippets(sequelize, prefix),
    siteTemplates: defineSiteTemplates(sequelize, prefix),
    siteTmplvarContentvalues: defineSiteTmplvarContentvalues(sequelize, prefix),
    siteTmplvarTemplates: defineSiteTmplvarTemplates(sequelize, prefix),
    siteTmplvars: defineSiteTmplvars(sequelize, prefix),
    systemSettings: defineSystemSettings(sequelize, prefix),
  });
}

/** Models of the program's own tables, on the connection of the own database. */
function defineOwnModels(sequelize: Sequelize) {
  return Object.freeze({ state: defineHcdState(sequelize) });
}

/** Both kinds on one connection, for a store that keeps everything in one database. */
export function defineModels(sequelize: Sequelize, prefix: string) {
  return Object.freeze({ ...defineContentModels(sequelize, prefix), ...defineOwnModels(sequelize) });
}
