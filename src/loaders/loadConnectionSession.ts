import { readConnectionSession } from '../commands/readConnectionSession.js';
import type { ConnectionSession } from '../domain/connectionSession.js';
import { presentSession } from '../domain/connectionSession.js';
import type { ReadScope } from './ReadScope.js';

export async function loadConnectionSession(
  { services, appId }: ReadScope,
  id: string,
): Promise<ConnectionSession | undefined> {
  const session = await readConnectionSession(services, appId, id);
  return session && presentSession(session, services.clock());
}
