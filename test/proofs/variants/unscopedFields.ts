import { replacing } from './replacing.js';

/** A field asks for no scope that the token lacks. */
export const load = replacing(
  '/access/FieldAccess.js',
  'const missing = missingScopes(access.scopes, caller.scopes);',
  'const missing = [];',
);
