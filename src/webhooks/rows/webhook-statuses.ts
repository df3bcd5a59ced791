/** The states of a delivery. Each begins a part of the index, so that a statement about several states names each of them. */

/** While it can still be claimed; the second one also when the lease has ended. */
export const openStatuses = ['pending', 'delivering'] as const;
/** Nobody claims it any more, unless it is queued anew. */
export const doneStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...openStatuses, ...doneStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Of a row of `hcd_webhook_deliveries`. */
export const isOpen = `\`status\` IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;
