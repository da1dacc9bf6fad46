import type { ConsentPurpose } from '../../gql/graphql.ts';
import { can } from '../../session.ts';
import { startOfDay } from './startOfDay.ts';
import { useQueryState } from '../../ui/useQueryState.ts';
import { PURPOSES } from '../customer/purposes.ts';

interface Filters {
  isFiltered: boolean;
  variables: {
    prefix: string | null;
    purpose: ConsentPurpose | null;
    createdAfter: string | null;
    createdBefore: string | null;
  };
}

/**
 * What the list is narrowed by, from the page's address. Days are the person's own, and both are included.
 */
export function useCustomerFilters(): Filters {
  const [get] = useQueryState();
  const chosen = get('consent_purpose');
  const purpose = can('consent:read') ? (PURPOSES.find((one) => one === chosen) ?? null) : null;
  const variables = {
    prefix: get('external_id') ?? null,
    purpose,
    createdAfter: edgeOf(get('from'), 0, -1),
    createdBefore: edgeOf(get('until'), 1, 0),
  };
  return { isFiltered: Object.values(variables).some((value) => value !== null), variables };
}

function edgeOf(day: string | undefined, days: number, milliseconds: number): string | null {
  const [year, month, date] =
    /^(\d{4})-(\d{2})-(\d{2})$/
      .exec(day ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const edge = new Date(startOfDay(year, month, date + days) + milliseconds);
  return Number.isNaN(edge.getTime()) ? null : edge.toISOString();
}
