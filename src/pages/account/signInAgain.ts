/**
 * "My account" after a sign-in that a change needed first. The sign-in and the page say that nothing was
 * changed yet.
 */
export const SIGNED_IN_AGAIN = '/account?again=1';

/** Pages that say that a change was not made. All others show the form again that was not sent. */
const TELLING = ['/account', '/connections'];

/** The path to return to when nobody was signed in any more as a form was sent. */
export function afterLostForm(path: string): string {
  return TELLING.includes(path) ? `${path}?again=lost` : path;
}

/** Whether the page is one that says that a change was not made. */
export function saysNotMade(path: string): boolean {
  return path === SIGNED_IN_AGAIN || TELLING.some((page) => path === afterLostForm(page));
}

/** The page that asks whether to delete the account. It opens only after a recent sign-in. */
export const DELETION = '/account/delete';

/** Whether the page is one that a person who is signed in is sent to only by way of a new sign-in. */
export function needsSignInAgain(path: string): boolean {
  return path === SIGNED_IN_AGAIN || path === DELETION;
}
