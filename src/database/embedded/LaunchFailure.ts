/** PostgreSQL cannot be started. The message tells the operator why and what to do. */
export class LaunchFailure extends Error {
  override readonly name = 'LaunchFailure';
}
