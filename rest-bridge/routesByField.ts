import { groupBy } from '../src/domain/groupBy.js';
import { fieldOf } from './Route.js';
import type { Route } from './Route.js';

/** Finds the REST routes of a root field such as `Query.customer`. */
export function routesByField(routes: readonly Route[]): (field: string) => string[] {
  const byField = groupBy(routes, (route) => {
    const { type, name } = fieldOf(route);
    return `${type === 'query' ? 'Query' : 'Mutation'}.${name}`;
  });
  return (field) =>
    (byField.get(field) ?? []).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
}
