export { createPartnerClient } from './createPartnerClient.js';
export type { PartnerClientOptions } from './createPartnerClient.js';
export type { ClientPaths } from './ClientPaths.js';
export { PageError, paginate } from './paginate.js';
export { TokenError } from './tokenSource.js';
export type { Credentials } from './tokenSource.js';
export type { components, operations, paths } from './schema.js';
