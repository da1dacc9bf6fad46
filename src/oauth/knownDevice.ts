import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { hostCookieName, readCookie, setCookie } from '../http/cookies.js';
import type { AccountServices } from '../accounts/AccountServices.js';

const LIFETIME_SECONDS = 365 * 24 * 60 * 60;

type DeviceServices = Pick<AccountServices, 'config' | 'secrets'>;

/** An account and the password that it has: a mark ends with the password, so that no lost one survives. */
export interface MarkedAccount {
  accountId: string;
  passwordHash: string | null;
}

/**
 * Sets a cookie that marks the browser as one that signed in to the account. The mark grants no access. It
 * gives the browser a separate limit of wrong passwords. A browser keeps the mark that it has.
 */
export function rememberDevice(
  services: DeviceServices,
  request: Pick<Request, 'headers'>,
  response: Response,
  account: MarkedAccount,
): void {
  const { config, secrets } = services;
  const kept = knownDevice(services, account, deviceMark(services, request));
  const id = kept ?? randomBytes(16).toString('base64url');
  setCookie(
    config.baseUrl,
    response,
    cookieName(config),
    [id, secrets.mac(USE, markedText(account, id)), secrets.mac(BROWSER, id)].join('.'),
    {
      path: '/',
      maxAgeSeconds: LIFETIME_SECONDS,
    },
  );
}

/** The mark that the browser sent. It is unverified until `knownDevice` checks it. */
export function deviceMark(
  { config }: DeviceServices,
  request: Pick<Request, 'headers'>,
): string | undefined {
  return readCookie(request, cookieName(config));
}

/** The device id in the mark if the mark belongs to this account and its password. */
export function knownDevice(
  { secrets }: Pick<DeviceServices, 'secrets'>,
  account: MarkedAccount | undefined,
  mark: string | undefined,
): string | undefined {
  const [id = '', mac = ''] = mark?.split('.') ?? [];
  if (account === undefined || id === '') return undefined;
  return secrets.verifyMac(USE, markedText(account, id), mac) ? id : undefined;
}

/**
 * The device id in the mark that the browser sent if this service made it, for any account. Marks of before
 * this was told apart have none until the next sign-in.
 */
export function knownBrowser(
  services: DeviceServices,
  request: Pick<Request, 'headers'>,
): string | undefined {
  const [id = '', , mac = ''] = deviceMark(services, request)?.split('.') ?? [];
  return services.secrets.verifyMac(BROWSER, id, mac) ? id : undefined;
}

const USE = 'device';
const BROWSER = 'browser';

function markedText({ accountId, passwordHash }: MarkedAccount, id: string): string {
  return `${accountId} ${id} ${passwordHash ?? ''}`;
}

function cookieName({ baseUrl }: DeviceServices['config']): string {
  return hostCookieName(baseUrl, 'device');
}
