/** Why the service cannot start on its database, as a sentence with the setting to change. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
