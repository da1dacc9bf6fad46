/** Orders by creation. */
export const LIST_ORDERS = ['newest_first', 'oldest_first'] as const;

/** `external_id` sorts by the bytes of the partner's identifier. */
export const CUSTOMER_ORDERS = [...LIST_ORDERS, 'external_id'] as const;

export type ListOrder = (typeof LIST_ORDERS)[number];
export type CustomerOrder = (typeof CUSTOMER_ORDERS)[number];

/**
 * How SQL says an order: the direction of the sort, and the comparison that holds of whatever comes after a
 * place.
 */
export interface SqlOrder {
  direction: 'ASC' | 'DESC';
  beyond: '>' | '<';
}

export function sqlOrder(order: CustomerOrder | undefined): SqlOrder {
  const isDescending = order === undefined || order === 'newest_first';
  return isDescending ? { direction: 'DESC', beyond: '<' } : { direction: 'ASC', beyond: '>' };
}
