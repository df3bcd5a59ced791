/** The trace of the request that raised the event of a delivery, which the delivery continues. */
import { columnsOf, nullable } from './table.js';

// The text of the header traceparent; NULL where the event was raised without tracing.
export const { up, down } = columnsOf('webhook_deliveries', [nullable('traceparent', 'varchar(55)')]);
