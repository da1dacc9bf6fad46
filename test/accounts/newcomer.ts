/** What an account is made with beside its credentials. */
export const NEWCOMER = { locale: 'en', timeZone: null, returnTo: '/connections' } as const;
