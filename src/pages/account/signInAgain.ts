/**
 * "My account" after a sign-in that a change needed first. The sign-in and the page say that nothing was
 * changed yet.
 */
export const SIGNED_IN_AGAIN = '/account?again=1';
