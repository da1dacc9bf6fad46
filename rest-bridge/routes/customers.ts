import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

export const customerRoutes: readonly Route[] = [
  {
    operation: 'createCustomer',
    method: 'POST',
    path: '/v1/customers',
    success: 'upsert',
    location: '/v1/customers/{customer.id}',
    summary: 'Create or update a customer by external id',
    document: `mutation createCustomer($idempotency_key: String!, $input: CreateCustomerInput!) {
      result: createCustomer(idempotencyKey: $idempotency_key, input: $input) {
        status customer { ...Customer } } }`,
  },
  {
    operation: 'listCustomers',
    method: 'GET',
    path: '/v1/customers',
    success: 200,
    summary: 'List customers',
    document: `query listCustomers($external_id: String, $external_id_prefix: String,
      $created_after: DateTime, $created_before: DateTime,
        $consent_purpose: ConsentPurpose, $order: CustomerOrder, $limit: Int, $cursor: String) {
      result: customers(externalId: $external_id, externalIdPrefix: $external_id_prefix,
        createdAfter: $created_after,
        createdBefore: $created_before, consentPurpose: $consent_purpose, order: $order, first: $limit,
          after: $cursor) {
        data: nodes { ...Customer } ${PAGINATION} } }`,
  },
  {
    operation: 'getCustomer',
    method: 'GET',
    path: '/v1/customers/:customer_id',
    success: 200,
    summary: 'Read a customer',
    document: `query getCustomer($customer_id: ID!) { result: customer(id: $customer_id) { ...Customer } }`,
  },
  {
    operation: 'updateCustomer',
    method: 'PATCH',
    path: '/v1/customers/:customer_id',
    success: 200,
    accepts: ['application/merge-patch+json'],
    summary: 'Change a customer by merge patch (RFC 7386)',
    document: `mutation updateCustomer($customer_id: ID!, $idempotency_key: String!,
      $input: UpdateCustomerInput!) {
      result: updateCustomer(id: $customer_id, idempotencyKey: $idempotency_key, input: $input) {
        ...Customer } }`,
  },
  {
    operation: 'deleteCustomer',
    method: 'DELETE',
    path: '/v1/customers/:customer_id',
    success: 204,
    summary: 'Erase a customer and all that hangs on it',
    document: `mutation deleteCustomer($customer_id: ID!, $idempotency_key: String!) {
      result: deleteCustomer(id: $customer_id, idempotencyKey: $idempotency_key) { id } }`,
  },
];
