import type { Mail } from '../Mail.js';
import type { Purpose } from '../../domain/purposes.js';
import { purposeTexts } from '../../domain/purposes.js';
import { formatMoment } from '../formatMoment.js';
import { signInFor } from '../signInFor.js';

interface Letter {
  subject: string;
  /** Paragraphs. */
  lines: string[];
}

export const mail = {
  footer: (baseUrl: string): string =>
    `--\nPartner Consent, ${baseUrl}\nYou decide who may use what about you, and you can change your mind at any time: ${baseUrl}/connections`,

  resetPassword: (link: string): Letter => ({
    subject: 'Set a new password',
    lines: [
      'Somebody asked to set a new password for your account. If it was you, open this link within one hour:',
      link,
      'It works once. If it was not you, do nothing: your password stays as it is.',
    ],
  }),

  write(letter: Mail, baseUrl: string): Letter {
    const told = (at: string): string => formatMoment('en', at, letter.timeZone);
    switch (letter.kind) {
      case 'verify_address':
        return {
          subject: `${letter.data.code} confirms your e-mail address`,
          lines: [
            'To confirm your e-mail address, enter this code where you were asked for it:',
            letter.data.code,
            'Or open this link in the browser in which you are signed in:',
            `${baseUrl}/verify-address?token=${letter.data.token}`,
            'Both work once, for 24 hours. If you did not create an account with us, do nothing: nobody can approve anything in your name without this code.',
          ],
        };
      case 'change_address':
        return {
          subject: `${letter.data.code} confirms your new e-mail address`,
          lines: [
            'To use this address for your account from now on, enter this code where you were asked for it:',
            letter.data.code,
            'Or open this link in the browser in which you are signed in:',
            `${baseUrl}/verify-address?token=${letter.data.token}`,
            'Both work once, for 24 hours. If you did not ask for this, do nothing.',
          ],
        };
      case 'address_changed':
        return {
          subject: 'The e-mail address of your account was changed',
          lines: [
            'Your account has a new e-mail address; this one no longer belongs to it.',
            'If this was not you, somebody else has access to your account. Answer to the people who run this service at once.',
          ],
        };
      case 'address_in_use':
        return {
          subject: 'You already have an account',
          lines: [
            'Somebody wanted to use this address for another account. Nothing was changed: the address stays with yours.',
            `If it was you, sign in here: ${signInFor(baseUrl, letter.data.returnTo)}`,
            `If you have forgotten your password, set a new one: ${baseUrl}/forgot-password`,
          ],
        };
      case 'password_changed':
        return {
          subject: 'Your password was changed',
          lines: [
            'The password of your account was changed, and every other browser was signed out.',
            `If this was not you, set a new one at once: ${baseUrl}/forgot-password`,
          ],
        };
      case 'passkey_added':
        return {
          subject: 'A passkey was added to your account',
          lines: [
            `The passkey “${letter.data.label}” can sign in to your account from now on.`,
            `If this was not you, set a new password and remove the passkey: ${baseUrl}/account`,
          ],
        };
      case 'approved':
        return {
          subject: `You approved what ${letter.data.partner} asked for`,
          lines: [
            `On ${told(letter.data.at)} you approved that ${letter.data.partner} may:`,
            listOf(letter.data.purposes, letter.data.partner),
            `${letter.data.partner} has until ${told(letter.data.until)} to record this.`,
            `To take it back, now or later: ${baseUrl}/connections`,
            `You can turn these mails off: ${baseUrl}/account`,
          ],
        };
      case 'withdrawn':
        return {
          subject: `You withdrew what ${letter.data.partner} was allowed`,
          lines: [
            `On ${told(letter.data.at)} you withdrew from ${letter.data.partner}:`,
            listOf(letter.data.purposes, letter.data.partner),
            `${letter.data.partner} can no longer use it, and what was collected for it is erased.`,
            `To allow it again, ask ${letter.data.partner} for a new link and approve there. What you allow now is listed here: ${baseUrl}/connections`,
          ],
        };
      case 'account_deleted':
        return {
          subject: 'Your account is being deleted',
          lines: [
            'You deleted your account. Everything that you allowed is withdrawn; what was collected for it is being erased.',
            `How far that is: ${baseUrl}/erasures/${letter.data.erasure}`,
          ],
        };
      case 'reset_password':
        throw new Error('A link to set a new password is written with its token.');
    }
  },
};

function listOf(purposes: readonly Purpose[], partner: string): string {
  return purposes.map((purpose) => `  - ${purposeTexts('en', partner)[purpose].name}`).join('\n');
}
