import type { Provider as ProviderType } from 'oidc-provider';

/**
 * Imports oidc-provider without its warning on Node 20. It supports Node 22 and later officially; the parts
 * used here are also tested on 20.19.
 */
const { warn } = console;
console.warn = (...message: unknown[]): void => {
  if (!String(message[0]).includes('Unsupported runtime')) warn(...message);
};

export const { Provider, errors, interactionPolicy } = await import('oidc-provider').finally(() => {
  console.warn = warn;
});

export type Provider = ProviderType;
