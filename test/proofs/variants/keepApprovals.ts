import type { LoadHook } from 'node:module';

/** A loader of modules (`node --import`) under which withdrawals and revokes leave older approvals alone. */
export const load: LoadHook = async (url, context, nextLoad) =>
  url.endsWith('/commands/endApprovals.js')
    ? { format: 'module', shortCircuit: true, source: 'export async function endApprovals() { return []; }' }
    : nextLoad(url, context);
