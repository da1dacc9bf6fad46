import { Resolver } from 'node:dns/promises';

/** Finds every address of a host name. Tests inject a lying name server. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * A resolver that asks name servers directly. `dns.lookup` runs on the process's four worker threads: a few
 * receivers with hanging name servers would delay every other receiver, and password hashing too.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
