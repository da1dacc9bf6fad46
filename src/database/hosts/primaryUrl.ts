import { HostList } from './HostList.js';
import { Primary } from './Primary.js';

/**
 * The URL of the primary, for one connection or a few; the URL itself where it names one host and asks for no
 * check.
 *
 * @throws NoPrimary
 */
export async function primaryUrl(url: string): Promise<string> {
  const hosts = new HostList(url);
  return hosts.mustFindPrimary ? new Primary(hosts.urls).find() : url;
}
