import { ResponseBodyError } from 'openid-client';

/** The OAuth error that a call ends with; the empty text when it succeeds. */
export async function errorCodeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    if (error instanceof ResponseBodyError) return error.error;
    throw error;
  }
}
