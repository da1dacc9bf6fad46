import { coerceInputValue, isInputType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { OntologyResolver } from '../../resolvers/OntologyResolver.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import type { PutOntologyInput } from '../../schema/inputs/OntologyInput.js';
import { readShape, restSpelling } from '../access/inputShape.js';
import { isJsonObject } from '../domain/jsonValue.js';
import { validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';

/**
 * Reads the ontologies of an operator's file, with the field names and bounds of the REST API.
 *
 * @throws ServiceError 422 with every problem
 */
export async function ontologiesFrom(document: unknown): Promise<{ id: string; input: PutOntologyInput }[]> {
  const type = buildServiceSchema([OntologyResolver]).getType('PutOntologyInput');
  if (!isInputType(type)) throw new Error('The schema has no PutOntologyInput.');
  const problems: ErrorDetail[] = [];
  const listed = Array.isArray(document) ? document : [document];
  const read = [];
  for (const [index, item] of listed.entries()) read.push(await ontologyFrom(type, item, index, problems));
  if (problems.length > 0) throw validationFailed(problems);
  return read;
}

async function ontologyFrom(
  type: GraphQLInputType,
  item: unknown,
  index: number,
  problems: ErrorDetail[],
): Promise<{ id: string; input: PutOntologyInput }> {
  const { id, ...body } = isJsonObject(item) ? item : {};
  const shape = await readShape(type, isJsonObject(item) ? body : item, restSpelling);
  const missing = typeof id === 'string' ? [] : [{ code: 'required', message: 'is required', field: 'id' }];
  const found = [...missing, ...shape.problems];
  for (const problem of found) problems.push({ ...problem, field: `[${index}].${problem.field ?? ''}` });
  const input = found.length === 0 ? (coerceInputValue(shape.value, type) as PutOntologyInput) : undefined;
  return { id: String(id), input: input as PutOntologyInput };
}
