import type { NextFunction, Request, Response } from 'express';

/** `192.0.2.1:443`, or an address of IPv6 in brackets, as some proxies write addresses. */
const WITH_PORT = /(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?/gi;

/** Leaves of `X-Forwarded-For` the addresses alone: with a port none of them is known or trusted. */
export function forgetForwardedPorts({ headers }: Request, _response: Response, next: NextFunction): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.replace(WITH_PORT, '$1$2');
  next();
}
