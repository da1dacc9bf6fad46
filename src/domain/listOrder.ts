/** By creation. */
export type ListOrder = 'newest_first' | 'oldest_first';

/** `external_id` sorts by the bytes of the partner's identifier. */
export type CustomerOrder = ListOrder | 'external_id';

/** An order in SQL: the direction, and the comparison for items after a position. */
export interface SqlOrder {
  direction: 'ASC' | 'DESC';
  beyond: '>' | '<';
}

export function sqlOrder(order: CustomerOrder | undefined): SqlOrder {
  const isDescending = order === undefined || order === 'newest_first';
  return isDescending ? { direction: 'DESC', beyond: '<' } : { direction: 'ASC', beyond: '>' };
}
