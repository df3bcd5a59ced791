/** Page documents with their drafts, copies of every published document, and changed section types. */
import { column, count, nullable, required, stepOf, time } from './table.js';

const who = 'varchar(190)';

export const { up, down } = stepOf([
  {
    name: 'pages',
    columns: [
      required('resource_id', count),
      // JSON; NULL when there never was a draft.
      nullable('draft', 'longtext'),
      column('revision', count, 0),
      // Highest number under which the page was published; never goes back.
      column('last_published', count, 0),
      column('is_published', 'tinyint(1)', 0),
      column('published_draft', count, 0),
      nullable('published_on', time),
      nullable('publish_on', time),
      nullable('unpublish_on', time),
      // Its planned publication was refused, and is not tried again before something changes.
      nullable('failed_draft', count),
      // The last state in the change feed, with the site-wide number of that change.
      column('is_delivered', 'tinyint(1)', 0),
      column('site_revision', 'bigint(20)', 0),
      // Where it is or was last delivered; the contexts before that are as `,web,en,`.
      column('delivered_context', 'varchar(100)', ''),
      nullable('earlier_contexts', 'text'),
      required('created_on', time),
      required('edited_on', time),
      required('edited_by', who),
    ],
    primaryKey: ['resource_id'],
    indexes: [
      { name: 'changes', columns: ['site_revision'] },
      { name: 'published', columns: ['is_published', 'resource_id'] },
      { name: 'to_publish', columns: ['publish_on'] },
      { name: 'to_unpublish', columns: ['unpublish_on'] },
    ],
  },
  {
    name: 'page_revisions',
    columns: [
      required('resource_id', count),
      required('revision', count),
      required('document', 'longtext'),
      required('published_on', time),
      required('published_by', who),
      // The earlier number whose document this is again; NULL when it came from the draft.
      nullable('restored_from', count),
    ],
    primaryKey: ['resource_id', 'revision'],
  },
  {
    name: 'section_types',
    columns: [
      required('key', 'varchar(101)'),
      // JSON; NULL hides a shipped type of this key.
      nullable('definition', 'longtext'),
      required('changed_on', time),
      required('changed_by', who),
    ],
    primaryKey: ['key'],
  },
]);
