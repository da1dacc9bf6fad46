/**
 * "My account" after a sign-in that a change needed first. The sign-in and the page say that nothing was
 * changed yet.
 */
export const SIGNED_IN_AGAIN = '/account?again=1';

/** The page that asks whether to delete the account. It opens only after a recent sign-in. */
export const DELETION = '/account/delete';

/** Whether the page is one that a person who is signed in is sent to only by way of a new sign-in. */
export function needsSignInAgain(path: string): boolean {
  return path === SIGNED_IN_AGAIN || path === DELETION;
}
