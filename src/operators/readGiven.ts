import { ServiceError, validationFailed } from '../errors.js';
import type { Given, OperatorAction } from './OperatorAction.js';

/** Checks the given values. @throws ServiceError `validation_failed` with all problems */
export function readGiven({ parameters }: OperatorAction, given: Given): Given {
  const problems = Object.keys(given)
    .filter((name) => !parameters.some((parameter) => parameter.name === name))
    .map((field) => ({ code: 'invalid_parameter', message: 'is not known', field }));
  for (const { name: field, required = false, values } of parameters) {
    const value = given[field];
    if (required && (value ?? '') === '') problems.push({ code: 'required', message: 'is missing', field });
    if (value !== undefined && values !== undefined && !values.includes(value))
      problems.push({ code: 'invalid_value', message: `must be one of ${values.join(', ')}`, field });
    if (value !== undefined && !/^[\x20-\x7e]{0,256}$/.test(value))
      problems.push({
        code: 'invalid_format',
        message: 'must be printable ASCII of at most 256 characters',
        field,
      });
  }
  if (problems.length > 0) throw validationFailed(problems);
  return given;
}

/** @throws ServiceError `not_found` */
export function foundApp<T>(row: T | undefined, appId: string | undefined): T {
  if (row === undefined) throw new ServiceError('not_found', `There is no app ${appId ?? ''}.`);
  return row;
}
