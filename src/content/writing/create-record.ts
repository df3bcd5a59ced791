/** Creates a record of any registered object. */

import type { RecordChanges } from '../live/mutation.js';
import { isResource, readWritten } from '../mutations/read-written.js';
import { runMutation } from '../mutations/run-mutation.js';
import type { Write } from '../mutations/write.js';
import type { AnsweredWrite } from '../mutations/write-request.js';
import { createRow } from '../records/write-record.js';
import { createResource } from '../resources/create-resource.js';

/** The result that `present` makes of the new record. */
export async function createRecord<T>(request: AnsweredWrite<T>, changes: RecordChanges): Promise<T> {
  const { writer, definition, seal } = request;
  return runMutation({
    store: writer.store,
    listeners: writer.listeners,
    seal,
    work: async (tx) => {
      const write: Write = { ...request, tx };
      const mutation = isResource(definition, writer)
        ? await createResource(write, changes)
        : await createRow(write, definition, changes);
      return {
        mutation,
        result: request.present(await readWritten(write, request, { mutation, values: changes.values })),
      };
    },
  });
}
