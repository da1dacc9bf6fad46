import { useQueryState } from './useQueryState.ts';

interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

/**
 * Where a keyset list stands: its cursor is in the address, those of the pages before it in the history's
 * state. Whoever comes by a link has no pages before: back is the first one then.
 */
export function usePages(name = 'after') {
  const [get, set] = useQueryState();
  const after = get(name);
  return {
    after: after ?? null,
    pager: (info: PageInfo | undefined) => ({
      hasNext: info?.hasNextPage === true,
      hasPrevious: after !== undefined,
      onNext: () => {
        const pages = after === undefined ? [] : [...pagesBefore(name), after];
        set({ [name]: info?.endCursor ?? undefined }, { state: { [name]: pages } });
      },
      onPrevious: () => {
        const pages = pagesBefore(name);
        set({ [name]: pages.at(-1) }, { state: { [name]: pages.slice(0, -1) } });
      },
    }),
  };
}

function pagesBefore(name: string): string[] {
  const pages: unknown = (history.state as Record<string, unknown> | null)?.[name];
  return Array.isArray(pages) ? pages.map(String) : [];
}
