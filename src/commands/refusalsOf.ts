import { ServiceError } from '../errors.js';

/**
 * What each of several commands gave, or why it was refused. @throws what went wrong with any of them
 * otherwise
 */
export async function refusalsOf<T>(running: readonly Promise<T>[]): Promise<(T | ServiceError)[]> {
  const settled = await Promise.allSettled(running);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof ServiceError) return one.reason;
    throw one.reason;
  });
}
