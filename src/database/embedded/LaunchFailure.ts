/**
 * PostgreSQL cannot be started; the message says why and what to do, for the person who typed the command.
 */
export class LaunchFailure extends Error {
  override readonly name = 'LaunchFailure';
}
