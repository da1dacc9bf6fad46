/**
 * Where an answer differs from what a page shows: a member that is missing, another type, or another word.
 * Numbers, times and texts with an ellipsis stand for any of their kind; the answer may have more members
 * than the page shows.
 */
export function findDifference(shown: unknown, actual: unknown, path = '$'): string | undefined {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return `${path} is no list`;
    return shown.map((item, index) => findDifference(item, actual[index], `${path}[${index}]`)).find(Boolean);
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return `${path} is no object`;
    const members = actual as Record<string, unknown>;
    return Object.entries(shown)
      .map(([name, value]) => findDifference(value, members[name], `${path}.${name}`))
      .find(Boolean);
  }
  if (typeof shown !== typeof actual || (shown === null) !== (actual === null))
    return `${path} is ${String(actual)}`;
  if (typeof shown !== 'string' || shown.includes('…') || /^\d{4}-\d\d-\d\dT/.test(shown)) return undefined;
  return shown === actual ? undefined : `${path} is ${String(actual)} and not ${shown}`;
}
