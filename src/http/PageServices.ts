import type { OauthServices } from '../oauth/OauthServices.js';

/** What the pages need of the house: the same as the authorization server, whose accounts they sign in. */
export type PageServices = OauthServices;
