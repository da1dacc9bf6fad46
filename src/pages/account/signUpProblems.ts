import type { PasswordProblem } from '../../domain/passwordProblem.js';
import { PASSWORD_LENGTH } from '../../domain/passwordProblem.js';
import type { SignUpProblem, SignUpResult } from '../../accounts/signUp.js';
import type { PageVisit } from '../../html/PageVisit.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';
import type { SignUpView } from './signUpPage.js';

type Problems = NonNullable<SignUpView['problems']>;

/** The reasons why an account was not created, by form field. */
export function signUpProblems(
  visit: PageVisit,
  result: Exclude<SignUpResult, { kind: 'signed_up' }>,
): Problems {
  if (result.kind === 'throttled')
    return { form: visit.texts.signIn.tooMany(visit.comeAgainIn(result.retryAfterSeconds)) };
  return Object.assign({}, ...result.problems.map((problem) => textOf(visit.locale, problem))) as Problems;
}

function textOf(locale: Locale, problem: SignUpProblem): Problems {
  if (problem === 'email_invalid') return { email: textsFor(locale).signUp.emailInvalid };
  return { password: passwordProblemText(locale, problem) };
}

/** The text of a password problem. */
export function passwordProblemText(locale: Locale, problem: PasswordProblem): string {
  const texts = textsFor(locale).signUp;
  switch (problem) {
    case 'password_short':
      return texts.passwordShort(PASSWORD_LENGTH.least);
    case 'password_long':
      return texts.passwordLong(PASSWORD_LENGTH.most);
    case 'password_known':
      return texts.passwordKnown;
  }
}
