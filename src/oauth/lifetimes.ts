/** Lifetimes of what the authorization server issues, in seconds (docs/contract.md#authentication). */
export const LIFETIMES = {
  accessToken: 15 * 60,
  refreshToken: 30 * 24 * 3600,
  code: 60,
  idToken: 15 * 60,
  /** The time to sign in and decide on the pages of one authorization request. */
  interaction: 30 * 60,
  /** The sign-in of a person in one browser. */
  session: 12 * 3600,
  /** The maximum time for which refresh token rotation can extend one approval. */
  grant: 365 * 24 * 3600,
} as const;
