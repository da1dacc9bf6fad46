import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

export const ontologyRoutes: readonly Route[] = [
  {
    operation: 'putOntology',
    method: 'PUT',
    path: '/v1/ontologies/:ontology_id',
    success: 'upsert',
    location: '/v1/ontologies/{ontology.id}',
    summary: 'Define an ontology (administrative key)',
    select: 'status ontology { ...Ontology }',
  },
  {
    operation: 'listOntologies',
    method: 'GET',
    path: '/v1/ontologies',
    summary: 'List ontologies',
    field: 'ontologies',
    select: pageOf('id name version'),
  },
  {
    operation: 'getOntology',
    method: 'GET',
    path: '/v1/ontologies/:ontology_id',
    summary: 'Read an ontology with its field map',
    field: 'ontology',
    select: '...Ontology',
  },
  {
    operation: 'rebuildOntology',
    method: 'POST',
    path: '/v1/ontologies/:ontology_id/rebuild',
    success: 202,
    location: '{status_url}',
    summary: 'Rebuild the filter index of an ontology',
    select: 'workflowId status acceptedAt statusUrl',
  },
];
