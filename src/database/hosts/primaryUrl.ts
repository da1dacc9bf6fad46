import { HostList } from './HostList.js';
import { Primary } from './Primary.js';

/**
 * The primary's URL, for a few connections; the URL itself if it has one host and asks for no check.
 *
 * @throws NoPrimary
 */
export async function primaryUrl(url: string): Promise<string> {
  const hosts = new HostList(url);
  return hosts.mustFindPrimary ? new Primary(hosts.urls).find() : url;
}
