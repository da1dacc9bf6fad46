import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

export const customerRoutes: readonly Route[] = [
  {
    operation: 'createCustomer',
    method: 'POST',
    path: '/v1/customers',
    success: 'upsert',
    location: '/v1/customers/{customer.id}',
    summary: 'Create or update a customer by external id',
    select: 'status customer { ...Customer }',
  },
  {
    operation: 'listCustomers',
    method: 'GET',
    path: '/v1/customers',
    summary: 'List customers',
    field: 'customers',
    select: pageOf('...Customer'),
  },
  {
    operation: 'getCustomer',
    method: 'GET',
    path: '/v1/customers/:customer_id',
    summary: 'Read a customer',
    field: 'customer',
    select: '...Customer',
  },
  {
    operation: 'updateCustomer',
    method: 'PATCH',
    path: '/v1/customers/:customer_id',
    accepts: ['application/merge-patch+json'],
    summary: 'Change a customer by merge patch (RFC 7386)',
    select: '...Customer',
  },
  {
    operation: 'deleteCustomer',
    method: 'DELETE',
    path: '/v1/customers/:customer_id',
    success: 204,
    summary: 'Erase a customer and all that hangs on it',
    select: 'id',
  },
];
