/** Creates a record of any registered object. */
import { createRow } from '../records/write-record.js';
import { createResource } from '../resources/create-resource.js';
import type { RecordChanges } from './mutation.js';
import { isResource, readWritten } from './read-written.js';
import { runMutation } from './run-mutation.js';
import type { Write } from './write.js';
import type { AnsweredWrite } from './write-request.js';

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
