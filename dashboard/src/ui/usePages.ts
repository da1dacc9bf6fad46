import { useQueryState } from './useQueryState.ts';

interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

/** Where a keyset list stands: its cursor is in the address, and going back is the browser's own. */
export function usePages(name = 'after') {
  const [get, set] = useQueryState();
  const after = get(name);
  return {
    after: after ?? null,
    pager: (info: PageInfo | undefined) => ({
      hasNext: info?.hasNextPage === true,
      hasPrevious: after !== undefined,
      onNext: () => set({ [name]: info?.endCursor ?? undefined }),
      onPrevious: () => history.back(),
    }),
  };
}
