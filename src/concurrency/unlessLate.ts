/**
 * Waits for work, but no longer than so many milliseconds. The work itself goes on.
 *
 * @param lateError makes the error of work that is late
 */
export async function unlessLate<T>(work: Promise<T>, ms: number, lateError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
