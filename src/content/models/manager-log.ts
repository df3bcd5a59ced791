/** The CMS's log of what editors did. */
import { dateText, id, named, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const managerLog = defineModel('manager_log', {
  id: id(),
  ...withDefaults({
    occurred: dateText(),
    /** As the CMS's processors name it, such as `publish_resource`. */
    action: text(100),
    classKey: named('classKey', text(100)),
    /** Usually an id, as text. */
    item: text(255),
  }),
});

export type ManagerLogRow = RowOf<typeof managerLog>;
