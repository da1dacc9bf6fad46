/** Orders by creation. */
export type ListOrder = 'newest_first' | 'oldest_first';

/** `external_id` sorts by the bytes of the partner's identifier. */
export type CustomerOrder = ListOrder | 'external_id';

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
