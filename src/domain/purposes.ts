/** A purpose in the words that the deciding person reads. */
export interface PurposeText {
  name: string;
  allows: string;
  excludes: string;
}

/**
 * Consent purposes in REST spelling: their meaning for partners and their words on the pages. The order is
 * stored: a purpose's place is its bit in a mask and its index in `epochs`. New purposes are appended; masks
 * hold 31. `{partner}` stands for the partner's name.
 */
const VOCABULARY = {
  account_linking: {
    means: "Linking the person's account with the partner's customer.",
    en: {
      name: 'Link your accounts',
      allows:
        '{partner} may recognise that your account there and your account here belong to the same person.',
      excludes: 'It may not learn anything else about you by this alone.',
    },
    de: {
      name: 'Ihre Konten verknüpfen',
      allows: '{partner} darf erkennen, dass Ihr Konto dort und Ihr Konto hier derselben Person gehören.',
      excludes: 'Allein dadurch darf sonst nichts über Sie bekannt werden.',
    },
  },
  personalization: {
    means: 'Adapting what the person is shown.',
    en: {
      name: 'Personalise what you see',
      allows: '{partner} may use what is known about you to choose content and offers that suit you.',
      excludes: 'It may not use this to measure advertising or pass it on to others.',
    },
    de: {
      name: 'Inhalte auf Sie abstimmen',
      allows:
        '{partner} darf, was über Sie bekannt ist, nutzen, um passende Inhalte und Angebote auszuwählen.',
      excludes: 'Es darf nicht zur Werbemessung genutzt und nicht an andere weitergegeben werden.',
    },
  },
  analytics: {
    means: 'Statistics about how products are used.',
    en: {
      name: 'Understand how its service is used',
      allows: '{partner} may evaluate how you use its service, to improve it.',
      excludes: 'It may not use the results to address you personally.',
    },
    de: {
      name: 'Verstehen, wie der Dienst genutzt wird',
      allows: '{partner} darf auswerten, wie Sie den Dienst nutzen, um ihn zu verbessern.',
      excludes: 'Die Ergebnisse dürfen nicht genutzt werden, um Sie persönlich anzusprechen.',
    },
  },
  support: {
    means: 'Helping the person when something goes wrong.',
    en: {
      name: 'Help you when you ask for support',
      allows:
        'The people at {partner} who answer your questions may see your details, so that you need not repeat them.',
      excludes: 'They may not use them for anything but helping you.',
    },
    de: {
      name: 'Ihnen helfen, wenn Sie sich melden',
      allows:
        'Wer bei {partner} Ihre Fragen beantwortet, darf Ihre Angaben sehen, damit Sie nichts wiederholen müssen.',
      excludes: 'Für etwas anderes als Ihre Anfrage dürfen sie nicht verwendet werden.',
    },
  },
  event_enrichment: {
    means: 'Adding what is known to events of the person.',
    en: {
      name: 'Add details to what you do',
      allows:
        '{partner} may complete records of your actions, for example with the product or place they were about.',
      excludes: 'It may not record actions that you did not take on its service.',
    },
    de: {
      name: 'Ihre Aktionen um Einzelheiten ergänzen',
      allows: '{partner} darf Aufzeichnungen Ihrer Aktionen ergänzen, etwa um das Produkt oder den Ort.',
      excludes: 'Aktionen, die nicht dort stattfanden, dürfen nicht aufgezeichnet werden.',
    },
  },
  profile_resolution: {
    means: 'Joining claims of several sources into one profile.',
    en: {
      name: 'Build one profile of you',
      allows:
        '{partner} may bring together what different sources say about you and settle which of it is right.',
      excludes: 'It may not add sources that you did not agree to.',
    },
    de: {
      name: 'Ein Profil von Ihnen zusammenführen',
      allows:
        '{partner} darf zusammenführen, was verschiedene Quellen über Sie sagen, und klären, was davon stimmt.',
      excludes: 'Quellen, denen Sie nicht zugestimmt haben, dürfen nicht hinzukommen.',
    },
  },
  measurement: {
    means: 'Measuring whether measures had an effect.',
    en: {
      name: 'Measure results',
      allows: '{partner} may count whether its offers and campaigns led to something.',
      excludes: 'It may not show you other content because of it.',
    },
    de: {
      name: 'Ergebnisse messen',
      allows: '{partner} darf zählen, ob Angebote und Aktionen etwas bewirkt haben.',
      excludes: 'Deswegen dürfen Ihnen keine anderen Inhalte gezeigt werden.',
    },
  },
} satisfies Record<string, { means: string } & Record<'en' | 'de', PurposeText>>;

export type Purpose = keyof typeof VOCABULARY;

export const PURPOSES = Object.keys(VOCABULARY) as readonly Purpose[];

/** A purpose's meaning for partners, in the documentation of GraphQL and REST. */
export function purposeMeaning(purpose: Purpose): string {
  return VOCABULARY[purpose].means;
}

export const ALL_PURPOSES_MASK = (1 << PURPOSES.length) - 1;

/** Each purpose's place, from 0: its bit in masks, and its epoch in lists of epochs. */
export const PLACE_OF = Object.fromEntries(PURPOSES.map((purpose, place) => [purpose, place])) as Readonly<
  Record<Purpose, number>
>;

/** @throws Error when no purpose has the place */
export function purposeAt(index: number): Purpose {
  const purpose = PURPOSES[index];
  if (purpose === undefined) throw new Error('A row names a purpose that the vocabulary does not have.');
  return purpose;
}

export function maskOf(purposes: readonly Purpose[]): number {
  return purposes.reduce((mask, purpose) => mask | (1 << PLACE_OF[purpose]), 0);
}

export function purposesOf(mask: number): Purpose[] {
  return PURPOSES.filter((_, index) => (mask & (1 << index)) !== 0);
}

/** The mask of the purposes that an app may use. Null allows all, including those of later versions. */
export function allowedMask(purposes: readonly Purpose[] | null): number {
  return purposes === null ? 0x7fffffff : maskOf(purposes);
}

/** Each purpose's text in a language, with the partner's name. */
export function purposeTexts(language: 'en' | 'de', partner: string): Record<Purpose, PurposeText> {
  const textOf = (purpose: Purpose): PurposeText => {
    const { name, allows, excludes } = VOCABULARY[purpose][language];
    return { name, allows: allows.replace('{partner}', () => partner), excludes };
  };
  return Object.fromEntries(PURPOSES.map((purpose) => [purpose, textOf(purpose)])) as Record<
    Purpose,
    PurposeText
  >;
}

export function isPurpose(text: string): text is Purpose {
  return (PURPOSES as readonly string[]).includes(text);
}
