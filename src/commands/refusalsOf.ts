import { ServiceError } from '../errors.js';

/** Waits for several commands. @returns the result or refusal of each @throws the first other error */
export async function refusalsOf<T>(running: readonly Promise<T>[]): Promise<(T | ServiceError)[]> {
  const settled = await Promise.allSettled(running);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof ServiceError) return one.reason;
    throw one.reason;
  });
}
