import type { Purpose } from '../../domain/purposes.js';
import { purposeTexts } from '../../domain/purposes.js';
import type { Texts } from '../en.js';
import { formatMoment } from '../formatMoment.js';
import { signInFor } from '../signInFor.js';

export const mail: Texts['mail'] = {
  footer: (baseUrl) =>
    `--\nPartner Consent, ${baseUrl}\nSie entscheiden, wer was über Sie verwenden darf, und können das jederzeit ändern: ${baseUrl}/connections`,

  resetPassword: (link) => ({
    subject: 'Neues Passwort setzen',
    lines: [
      'Jemand möchte für Ihr Konto ein neues Passwort setzen. Wenn Sie das sind, öffnen Sie innerhalb einer Stunde diesen Link:',
      link,
      'Er gilt einmal. Wenn Sie es nicht sind, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
    ],
  }),

  write(letter, baseUrl) {
    const told = (at: string): string => formatMoment('de', at, letter.timeZone);
    switch (letter.kind) {
      case 'verify_address':
        return {
          subject: `${letter.data.code} bestätigt Ihre E-Mail-Adresse`,
          lines: [
            'Geben Sie diesen Code dort ein, wo Sie danach gefragt wurden, um Ihre E-Mail-Adresse zu bestätigen:',
            letter.data.code,
            'Oder öffnen Sie diesen Link in dem Browser, in dem Sie angemeldet sind:',
            `${baseUrl}/verify-address?token=${letter.data.token}`,
            'Beides gilt einmal, 24 Stunden lang. Wenn Sie bei uns kein Konto angelegt haben, tun Sie nichts: Ohne diesen Code kann niemand in Ihrem Namen zustimmen.',
          ],
        };
      case 'change_address':
        return {
          subject: `${letter.data.code} bestätigt Ihre neue E-Mail-Adresse`,
          lines: [
            'Geben Sie diesen Code dort ein, wo Sie danach gefragt wurden, damit Ihr Konto von nun an diese Adresse hat:',
            letter.data.code,
            'Oder öffnen Sie diesen Link in dem Browser, in dem Sie angemeldet sind:',
            `${baseUrl}/verify-address?token=${letter.data.token}`,
            'Beides gilt einmal, 24 Stunden lang. Wenn Sie das nicht wollten, tun Sie nichts.',
          ],
        };
      case 'address_changed':
        return {
          subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
          lines: [
            'Ihr Konto hat eine neue E-Mail-Adresse; diese hier gehört nicht mehr dazu.',
            'Wenn Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto. Wenden Sie sich sofort an die Betreiber dieses Dienstes.',
          ],
        };
      case 'address_in_use':
        return {
          subject: 'Sie haben schon ein Konto',
          lines: [
            'Jemand wollte diese Adresse für ein anderes Konto verwenden. Es wurde nichts geändert: Sie bleibt bei Ihrem.',
            `Wenn Sie das waren, melden Sie sich hier an: ${signInFor(baseUrl, letter.data.returnTo)}`,
            `Wenn Sie Ihr Passwort vergessen haben, setzen Sie ein neues: ${baseUrl}/forgot-password`,
          ],
        };
      case 'password_changed':
        return {
          subject: 'Ihr Passwort wurde geändert',
          lines: [
            'Das Passwort Ihres Kontos wurde geändert, und alle anderen Browser wurden abgemeldet.',
            `Wenn Sie das nicht waren, setzen Sie sofort ein neues: ${baseUrl}/forgot-password`,
          ],
        };
      case 'passkey_added':
        return {
          subject: 'Ihr Konto hat einen neuen Passkey',
          lines: [
            `Mit dem Passkey „${letter.data.label}“ kann man sich von nun an bei Ihrem Konto anmelden.`,
            `Wenn Sie das nicht waren, setzen Sie ein neues Passwort und entfernen Sie den Passkey: ${baseUrl}/account`,
          ],
        };
      case 'approved':
        return {
          subject: `Sie haben ${letter.data.partner} zugestimmt`,
          lines: [
            `Am ${told(letter.data.at)} haben Sie ${letter.data.partner} erlaubt:`,
            listOf(letter.data.purposes, letter.data.partner),
            `${letter.data.partner} kann das bis ${told(letter.data.until)} festhalten.`,
            `Zurücknehmen können Sie es jetzt und später hier: ${baseUrl}/connections`,
            `Diese Nachrichten können Sie abstellen: ${baseUrl}/account`,
          ],
        };
      case 'withdrawn':
        return {
          subject: `Sie haben ${letter.data.partner} etwas entzogen`,
          lines: [
            `Am ${told(letter.data.at)} haben Sie gegenüber ${letter.data.partner} widerrufen:`,
            listOf(letter.data.purposes, letter.data.partner),
            `${letter.data.partner} kann es nicht mehr nutzen, und was dafür gesammelt wurde, wird gelöscht.`,
            `Um es wieder zu erlauben, bitten Sie ${letter.data.partner} um einen neuen Link und stimmen Sie dort zu. Was Sie jetzt erlauben, steht hier: ${baseUrl}/connections`,
          ],
        };
      case 'account_deleted':
        return {
          subject: 'Ihr Konto wird gelöscht',
          lines: [
            'Sie haben Ihr Konto gelöscht. Alles, was Sie erlaubt hatten, ist widerrufen; was dafür gesammelt wurde, wird gelöscht.',
            `Wie weit das ist: ${baseUrl}/erasures/${letter.data.erasure}`,
          ],
        };
      case 'reset_password':
        throw new Error('A link to set a new password is written with its token.');
    }
  },
};

function listOf(purposes: readonly Purpose[], partner: string): string {
  return purposes.map((purpose) => `  - ${purposeTexts('de', partner)[purpose].name}`).join('\n');
}
