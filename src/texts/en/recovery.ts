/** Getting back in, and proving an address. */
export const recovery = {
  forgot: 'Forgot your password?',
  forgotTitle: 'Set a new password',
  forgotLead: 'We mail you a link to set a new one. Your connections stay as they are.',
  forgotSubmit: 'Send the link',
  forgotSentTitle: 'Look into your mail',
  forgotSent: (email: string): string =>
    `If there is an account for ${email}, a mail with a link is on its way. The link works once, for one hour.`,
  forgotNothing:
    'Nothing came? Look into the spam folder, or check the address and ask again in some minutes.',
  backToSignIn: 'Back to signing in',
  resetTitle: 'Choose a new password',
  resetLead: (email: string): string =>
    `For the account ${email}. Every browser that is signed in to it will be signed out.`,
  newPassword: 'New password',
  resetSubmit: 'Set the password',
  resetPasskey: 'Make a passkey instead',
  spentTitle: 'This link no longer works',
  spent: 'It was used already, replaced by a newer one, or is too old. Ask for another.',
  foreignTitle: 'This link is for another account',
  foreign:
    'You are signed in to a different one. Sign out, then sign in to the account that the mail is about.',
  verifyTitle: 'Confirm your e-mail address',
  verifyLead: (email: string): string =>
    `We sent a mail to ${email}. Enter the six digits that stand in it, or open its link in this browser.`,
  verifyWhy: 'Until then you can look and withdraw, but not approve anything.',
  verifyLinkLead: (email: string): string => `Confirm that ${email} is your address.`,
  verifySubmit: 'Confirm',
  code: 'Code from the mail',
  codeHint: (email: string): string => `Six digits, sent to ${email}. You need it only this once.`,
  codeWrong: 'This code is not the one from the latest mail. Check it, or have another sent.',
  codeMissing: 'Enter the code from the mail to approve.',
  codeTooMany: (minutes: number): string =>
    `That was wrong too often. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
  sendAgain: 'Send another mail',
  sentAgain: (email: string): string =>
    `Another mail is on its way to ${email}. The code before no longer works.`,
  verified: 'Your e-mail address is confirmed.',
  unverified: 'Your e-mail address is not confirmed yet: you can withdraw, but not approve.',
  confirmNow: 'Confirm it now',
  mailbox:
    'No mail server is set up. What would have been sent is in the mailbox of this development service.',
  mailboxOpen: 'Open the mailbox',
};
