import type { Provider as ProviderType } from 'oidc-provider';

/**
 * oidc-provider, without the greeting that it prints on Node 20: it names Node 22 and later as its runtimes,
 * while everything that is used of it here is tested on 20.19 too.
 */
const { warn } = console;
console.warn = (...message: unknown[]): void => {
  if (!String(message[0]).includes('Unsupported runtime')) warn(...message);
};

export const { Provider, errors, interactionPolicy } = await import('oidc-provider').finally(() => {
  console.warn = warn;
});

export type Provider = ProviderType;
