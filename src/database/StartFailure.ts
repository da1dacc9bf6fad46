/** Why the service cannot start on its database, in a sentence that names the setting to change. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
