import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../http/cookies.js';
import type { AccountServices } from '../accounts/AccountServices.js';

const LIFETIME_SECONDS = 365 * 24 * 60 * 60;

type DeviceServices = Pick<AccountServices, 'config' | 'secrets'>;

/**
 * Marks the browser as one in which the account was signed in to. It opens nothing: it gives wrong passwords
 * a budget of their own.
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

/** What the browser shows for a mark; worth nothing until `knownDevice` has judged it. */
export function deviceMark(
  { config }: DeviceServices,
  request: Pick<Request, 'headers'>,
): string | undefined {
  return readCookie(request, cookieName(config));
}

/** The device that the mark names, when it is one of this account. */
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
