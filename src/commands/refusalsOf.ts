import { ServiceError } from '../errors.js';

/**
 * The result or the refusal of each of several commands. @throws what went wrong with any of them otherwise
 */
export async function refusalsOf<T>(running: readonly Promise<T>[]): Promise<(T | ServiceError)[]> {
  const settled = await Promise.allSettled(running);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof ServiceError) return one.reason;
    throw one.reason;
  });
}
