import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../http/cookies.js';
import type { AccountServices } from '../accounts/AccountServices.js';

const LIFETIME_SECONDS = 365 * 24 * 60 * 60;

type DeviceServices = Pick<AccountServices, 'config' | 'secrets'>;

/**
 * Sets a cookie that marks the browser as one that signed in to the account. The mark grants no access. It
 * gives the browser a separate limit of wrong passwords.
 */
export function rememberDevice(
  { config, secrets }: DeviceServices,
  response: Response,
  accountId: string,
): void {
  const id = randomBytes(16).toString('base64url');
  setCookie(config.baseUrl, response, cookieName(config), `${id}.${markOf(secrets, accountId, id)}`, {
    path: '/',
    maxAgeSeconds: LIFETIME_SECONDS,
  });
}

/** The mark that the browser sent. It is unverified until `knownDevice` checks it. */
export function deviceMark(
  { config }: DeviceServices,
  request: Pick<Request, 'headers'>,
): string | undefined {
  return readCookie(request, cookieName(config));
}

/** The device id in the mark if the mark belongs to this account. */
export function knownDevice(
  { secrets }: Pick<DeviceServices, 'secrets'>,
  accountId: string | undefined,
  mark: string | undefined,
): string | undefined {
  const [id = '', mac = ''] = mark?.split('.') ?? [];
  if (accountId === undefined || id === '') return undefined;
  return secrets.verifyMac('device', `${accountId} ${id}`, mac) ? id : undefined;
}

function markOf(secrets: DeviceServices['secrets'], accountId: string, id: string): string {
  return secrets.mac('device', `${accountId} ${id}`);
}

function cookieName({ baseUrl }: DeviceServices['config']): string {
  return baseUrl.startsWith('https:') ? '__Host-device' : 'device';
}
