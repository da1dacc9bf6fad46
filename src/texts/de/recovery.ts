import type { Texts } from '../en.js';

export const recovery: Texts['recovery'] = {
  forgot: 'Passwort vergessen?',
  forgotTitle: 'Neues Passwort setzen',
  forgotLead: 'Wir schicken Ihnen einen Link dazu. Ihre Verbindungen bleiben, wie sie sind.',
  forgotSubmit: 'Link schicken',
  forgotSentTitle: 'Sehen Sie in Ihre E-Mails',
  forgotSent: (email) =>
    `Wenn es ein Konto zu ${email} gibt, ist eine E-Mail mit einem Link unterwegs. Er gilt einmal, eine Stunde lang.`,
  forgotNothing:
    'Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse und fragen Sie in einigen Minuten erneut.',
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Neues Passwort wählen',
  resetLead: (email) => `Für das Konto ${email}. Alle Browser, die dort angemeldet sind, werden abgemeldet.`,
  newPassword: 'Neues Passwort',
  resetSubmit: 'Passwort setzen',
  resetPasskey: 'Stattdessen einen Passkey anlegen',
  spentTitle: 'Dieser Link gilt nicht mehr',
  spent: 'Er wurde schon verwendet, durch einen neueren ersetzt oder ist zu alt. Fordern Sie einen neuen an.',
  foreignTitle: 'Dieser Link gilt für ein anderes Konto',
  foreign:
    'Sie sind bei einem anderen angemeldet. Melden Sie sich ab und dann bei dem Konto an, um das es in der E-Mail geht.',
  verifyTitle: 'E-Mail-Adresse bestätigen',
  verifyLead: (email) =>
    `Wir haben eine E-Mail an ${email} geschickt. Geben Sie die sechs Ziffern daraus ein, oder öffnen Sie ihren Link in diesem Browser.`,
  verifyWhy: 'Bis dahin können Sie nachsehen und widerrufen, aber nichts zustimmen.',
  verifyLinkLead: (email) => `Bestätigen Sie, dass ${email} Ihre Adresse ist.`,
  verifySubmit: 'Bestätigen',
  code: 'Code aus der E-Mail',
  codeHint: (email) => `Sechs Ziffern, geschickt an ${email}. Sie brauchen ihn nur dieses eine Mal.`,
  codeWrong:
    'Das ist nicht der Code aus der letzten E-Mail. Prüfen Sie ihn, oder lassen Sie sich einen neuen schicken.',
  codeMissing: 'Geben Sie den Code aus der E-Mail ein, um zuzustimmen.',
  codeTooMany: (minutes) =>
    `Das war zu oft falsch. Bitte warten Sie ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} und versuchen Sie es dann wieder.`,
  sendAgain: 'Neue E-Mail schicken',
  sentAgain: (email) => `Eine neue E-Mail an ${email} ist unterwegs. Der vorige Code gilt nicht mehr.`,
  verified: 'Ihre E-Mail-Adresse ist bestätigt.',
  unverified: 'Ihre E-Mail-Adresse ist noch nicht bestätigt: Sie können widerrufen, aber nicht zustimmen.',
  confirmNow: 'Jetzt bestätigen',
  mailbox:
    'Es ist kein Mailserver eingerichtet. Was verschickt worden wäre, steht im Postfach dieses Entwicklungsdienstes.',
  mailboxOpen: 'Postfach öffnen',
};
