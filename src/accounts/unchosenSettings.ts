/** The settings of an account whose person has chosen none. */
export const UNCHOSEN_SETTINGS = {
  locale: 'en',
  locale_chosen: false,
  time_zone: null,
  approval_notices: true,
} as const;
