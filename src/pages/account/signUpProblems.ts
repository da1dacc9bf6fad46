import type { PasswordProblem } from '../../domain/passwordProblem.js';
import { PASSWORD_LENGTH } from '../../domain/passwordProblem.js';
import type { SignUpProblem, SignUpResult } from '../../oauth/signUp.js';
import type { SignUpView } from '../../html/signUpPage.js';
import type { Locale } from '../../texts/textsFor.js';
import { textsFor } from '../../texts/textsFor.js';
import { waitMinutes } from '../../html/waitMinutes.js';

type Problems = NonNullable<SignUpView['problems']>;

/** Why an account was not made, beside the field where it can be mended. */
export function signUpProblems(
  locale: Locale,
  result: Exclude<SignUpResult, { kind: 'signed_up' }>,
): Problems {
  if (result.kind === 'throttled') {
    return { form: textsFor(locale).signIn.tooMany(waitMinutes(result.retryAfterSeconds)) };
  }
  return result.problems.reduce<Problems>(
    (problems, problem) => ({ ...problems, ...textOf(locale, problem) }),
    {},
  );
}

function textOf(locale: Locale, problem: SignUpProblem): Problems {
  const texts = textsFor(locale).signUp;
  switch (problem) {
    case 'email_invalid':
      return { email: texts.emailInvalid };
    default:
      return { password: passwordProblemText(locale, problem) };
  }
}

/** Why a password may not be chosen. */
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
