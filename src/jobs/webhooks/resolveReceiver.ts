import { Resolver } from 'node:dns/promises';

/** Finds every address of a host name. Injected in tests, to play a name server that lies. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * A resolver that asks name servers directly. Not `dns.lookup`: that runs on the process's four worker
 * threads, so a few receivers whose name servers hang would hold up every other receiver, and password
 * hashing too.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
