/** Resources. Times are Unix seconds with 0 for unset, flags 0 or 1. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteContentRow {
  id: number;
  type: string;
  pagetitle: string;
  longtitle: string;
  description: string;
  alias: string | null;
  link_attributes: string;
  published: number;
  pub_date: number;
  unpub_date: number;
  parent: number;
  isfolder: number;
  introtext: string | null;
  content: string | null;
  richtext: number;
  template: number;
  menuindex: number;
  searchable: number;
  cacheable: number;
  createdby: number;
  createdon: number;
  editedby: number;
  editedon: number;
  deleted: number;
  deletedon: number;
  deletedby: number;
  publishedon: number;
  publishedby: number;
  menutitle: string;
  content_dispo: number;
  hidemenu: number;
  class_key: string;
  context_key: string;
  content_type: number;
  uri: string | null;
  uri_override: number;
  hide_children_in_tree: number;
  show_in_tree: number;
  properties: string | null;
  alias_visible: number;
}

export function defineSiteContent(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteContentRow, Partial<SiteContentRow>>> {
  return sequelize.define<Model<SiteContentRow, Partial<SiteContentRow>>>(
    'site_content',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      type: { type: DataTypes.STRING(20), allowNull: false, defaultValue: 'document' },
      pagetitle: { type: DataTypes.STRING(191), allowNull: false, defaultValue: '' },
      longtitle: { type: DataTypes.STRING(191), allowNull: false, defaultValue: '' },
      description: { type: DataTypes.TEXT, allowNull: false },
      alias: { type: DataTypes.STRING(191), allowNull: true, defaultValue: '' },
      link_attributes: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      published: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      pub_date: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      unpub_date: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      parent: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      isfolder: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      introtext: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      content: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      richtext: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 1 },
      template: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      menuindex: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      searchable: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 1 },
      cacheable: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 1 },
      createdby: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      createdon: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      editedby: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      editedon: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      deleted: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      deletedon: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      deletedby: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      publishedon: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      publishedby: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      menutitle: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      content_dispo: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      hidemenu: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      class_key: { type: DataTypes.STRING(100), allowNull: false, defaultValue: 'MODX\\Revolution\\modDocument' },
      context_key: { type: DataTypes.STRING(100), allowNull: false, defaultValue: 'web' },
      content_type: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 1 },
      uri: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      uri_override: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      hide_children_in_tree: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      show_in_tree: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 1 },
      properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      alias_visible: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 1 },
    },
    { tableName: `${prefix}site_content`, timestamps: false },
  );
}
