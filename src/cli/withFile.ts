import { ServiceError } from '../errors.js';

/**
 * Does what a command does with a file or folder that the operator named.
 *
 * @throws ServiceError `invalid_request` naming the file, when it is not there or is of another kind
 */
export async function withFile<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ServiceError('invalid_request', `${file}: ${(error as Error).message}`);
  }
}
