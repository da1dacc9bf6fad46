import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

export const ontologyRoutes: readonly Route[] = [
  {
    operation: 'putOntology',
    method: 'PUT',
    path: '/v1/ontologies/:ontology_id',
    success: 'upsert',
    location: '/v1/ontologies/{ontology.id}',
    summary: 'Define an ontology (administrative key)',
    document: `mutation putOntology($ontology_id: ID!, $idempotency_key: String!, $input: PutOntologyInput!) {
      result: putOntology(id: $ontology_id, idempotencyKey: $idempotency_key, input: $input) {
        status ontology { ...Ontology } } }`,
  },
  {
    operation: 'listOntologies',
    method: 'GET',
    path: '/v1/ontologies',
    success: 200,
    summary: 'List ontologies',
    document: `query listOntologies($limit: Int, $cursor: String) {
      result: ontologies(first: $limit, after: $cursor) { data: nodes { id name version } ${PAGINATION} } }`,
  },
  {
    operation: 'getOntology',
    method: 'GET',
    path: '/v1/ontologies/:ontology_id',
    success: 200,
    summary: 'Read an ontology with its field map',
    document: `query getOntology($ontology_id: ID!) { result: ontology(id: $ontology_id) { ...Ontology } }`,
  },
  {
    operation: 'rebuildOntology',
    method: 'POST',
    path: '/v1/ontologies/:ontology_id/rebuild',
    success: 202,
    location: '{status_url}',
    summary: 'Rebuild the filter index of an ontology',
    document: `mutation rebuildOntology($ontology_id: ID!, $idempotency_key: String!) {
      result: rebuildOntology(id: $ontology_id, idempotencyKey: $idempotency_key) {
        workflow_id: workflowId status accepted_at: acceptedAt status_url: statusUrl } }`,
  },
];
