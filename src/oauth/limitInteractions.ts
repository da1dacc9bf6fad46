import type { Request } from 'express';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { AccountServices } from '../accounts/AccountServices.js';
import { spendFirst } from '../accounts/Throttle.js';
import { addressBlock } from '../domain/addressBlock.js';
import { knownBrowser } from './knownDevice.js';
import { oauthReader } from './oauthReader.js';
import { Provider, errors } from './oidcProvider.js';

/** Limits of authorization requests that wait for a person, because each is a database row. */
export const AUTHORIZATION_RULES = {
  /** Per network. */
  network: { name: 'authorization', most: 500, windowSeconds: 15 * 60 },
  /** Per browser that signed in before, whatever others on its network do. */
  device: { name: 'authorization_device', most: 50, windowSeconds: 15 * 60 },
} as const;

/**
 * Counts authorization requests when they are stored to wait for a person. Those that are answered at once,
 * as with `prompt=none` or after an earlier approval, store nothing.
 */
export function limitInteractions(provider: Provider, services: AccountServices): void {
  const saveInteraction = provider.Interaction.prototype.save;
  provider.Interaction.prototype.save = async function save(ttl) {
    const { ctx } = Provider;
    if (ctx?.oidc.route === 'authorization') await count(services, ctx);
    return saveInteraction.call(this, ttl);
  };
}

async function count(services: AccountServices, ctx: KoaContextWithOIDC): Promise<void> {
  const request = ctx.req as Request;
  const browser = knownBrowser(services, request);
  const wait = await spendFirst({ ...services, database: oauthReader(services.database) }, [
    ...(browser === undefined ? [] : [{ rule: AUTHORIZATION_RULES.device, subject: browser }]),
    { rule: AUTHORIZATION_RULES.network, subject: addressBlock(request.ip ?? '') },
  ]);
  if (wait === 0) return;
  ctx.set('Retry-After', String(wait));
  throw tooMany(wait);
}

/** Shown here, not sent to the redirect URI: a partner's page would only begin again. */
function tooMany(wait: number): Error {
  const description = `Too many authorization requests. Try again in ${wait} s.`;
  const error = new errors.CustomOIDCProviderError('rate_limited', description);
  return Object.assign(error, { status: 429, statusCode: 429, allow_redirect: false });
}
