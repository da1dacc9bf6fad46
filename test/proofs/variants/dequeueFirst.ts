import { replacing } from './replacing.js';

/** A loader of modules under which the deletion of an account leaves the queue before it is done. */
export const load = replacing(
  '/accounts/eraseAccount.js',
  'const accountId = await begin(services, erasureId);',
  `const accountId = await begin(services, erasureId);
   await services.database.transaction(null, (tx) => dequeue(tx, 'account', erasureId));`,
);
