import { coerceInputValue, isInputType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { OntologyResolver } from '../../resolvers/OntologyResolver.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import type { PutOntologyInput } from '../../schema/inputs/OntologyInput.js';
import { readShape, restSpelling } from '../access/inputShape.js';
import { isJsonObject } from '../domain/jsonValue.js';
import { validationFailed } from '../errors.js';
import type { ErrorDetail } from '../errors.js';

export interface GivenOntology {
  id: string;
  input: PutOntologyInput;
  /** Its place in the file, such as `[1]`; empty where it is all of the file. */
  place: string;
}

/**
 * Reads the ontologies of an operator's file, with the field names and bounds of the REST API.
 *
 * @throws ServiceError 422 with every problem
 */
export async function ontologiesFrom(document: unknown): Promise<GivenOntology[]> {
  const type = buildServiceSchema([OntologyResolver]).getType('PutOntologyInput');
  if (!isInputType(type)) throw new Error('The schema has no PutOntologyInput.');
  const problems: ErrorDetail[] = [];
  const listed = Array.isArray(document) ? document : [document];
  const read = [];
  for (const [index, item] of listed.entries())
    read.push(await ontologyFrom(type, item, Array.isArray(document) ? `[${index}]` : '', problems));
  if (problems.length > 0) throw validationFailed(problems);
  return read;
}

async function ontologyFrom(
  type: GraphQLInputType,
  item: unknown,
  place: string,
  problems: ErrorDetail[],
): Promise<GivenOntology> {
  const { id, ...body } = isJsonObject(item) ? item : {};
  const shape = await readShape(type, isJsonObject(item) ? body : item, restSpelling);
  const missing =
    !isJsonObject(item) || typeof id === 'string'
      ? []
      : [{ code: 'required', message: 'is required', field: 'id' }];
  const found = [...missing, ...shape.problems];
  problems.push(...found.map((problem) => atPlace(place, problem)));
  const input = found.length === 0 ? (coerceInputValue(shape.value, type) as PutOntologyInput) : undefined;
  return { id: String(id), input: input as PutOntologyInput, place };
}

/** A problem of an ontology as one of the file. */
export function atPlace(place: string, { field = '', ...problem }: ErrorDetail): ErrorDetail {
  // The id is a parameter of PUT /v1/ontologies/{ontology_id}, and a member in the file.
  const member = field === 'ontology_id' ? 'id' : field;
  const path = [place, member].filter((part) => part !== '').join('.');
  return { ...problem, ...(path === '' ? {} : { field: path }) };
}
