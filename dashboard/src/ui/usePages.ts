import { useQueryState } from './useQueryState.ts';

interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

/** Stands for the first page among cursors. */
const FIRST = '';

/**
 * Where a keyset list stands: its cursor is in the address, those of the pages before it in the history's
 * state. Whoever comes by a link has no pages before: back is the first one then, and the number of the page
 * is not known.
 */
export function usePages(name = 'after') {
  const [get, set] = useQueryState();
  const after = get(name);
  const before = after === undefined ? [] : pagesBefore(name);
  const isCounted = after === undefined || before[0] === FIRST;
  return {
    after: after ?? null,
    pager: (info: PageInfo | undefined) => ({
      page: isCounted ? before.length + 1 : undefined,
      hasNext: info?.hasNextPage === true,
      hasPrevious: after !== undefined,
      onNext: () => {
        // Pressed again before the next page is shown.
        if (info?.endCursor === after) return;
        const pages = [...before, after ?? FIRST];
        set({ [name]: info?.endCursor ?? undefined }, { state: { [name]: pages } });
      },
      onPrevious: () => {
        set({ [name]: before.at(-1) }, { state: { [name]: before.slice(0, -1) } });
      },
    }),
  };
}

function pagesBefore(name: string): string[] {
  const pages: unknown = (history.state as Record<string, unknown> | null)?.[name];
  return Array.isArray(pages) ? pages.map(String) : [];
}
