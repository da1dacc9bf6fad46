interface Page<T> {
  data?: T[];
  pagination?: { has_more?: boolean; next_cursor?: string };
}

interface Answer<T> {
  data?: Page<T>;
  error?: unknown;
}

/**
 * The items of a list, page by page, as far as they are asked for.
 *
 * @param read reads the page of a cursor: `(cursor) => client.GET('/v1/customers', { params: { query:
 *   cursor === undefined ? {} : { cursor } } })`
 * @throws PageError when a page is refused
 */
export async function* paginate<T>(
  read: (cursor: string | undefined) => Promise<Answer<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data: page, error } = await read(cursor);
    if (page === undefined) throw new PageError(error);
    yield* page.data ?? [];
    cursor = page.pagination?.has_more === true ? page.pagination.next_cursor : undefined;
  } while (cursor !== undefined);
}

/** A page that the service refused; `cause` is the body of its answer. */
export class PageError extends Error {
  constructor(cause: unknown) {
    const message = (cause as { error?: { message?: string } } | undefined)?.error?.message;
    super(message ?? 'A page of the list could not be read.', { cause });
    this.name = 'PageError';
  }
}
