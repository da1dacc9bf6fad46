import type { PurposeText } from '../domain/purposes.js';
import { purposeTexts } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { Scope } from '../domain/scopes.js';
import { account } from './en/account.js';
import { mail } from './en/mail.js';
import { recovery } from './en/recovery.js';

const scopes: Record<Scope, string> = {
  offline_access: 'Stay signed in until you sign out or access is taken away',
  'apps:read': 'See how the app is set up',
  'apps:write': 'Change how the app is set up',
  'connections:read': 'See connection sessions',
  'connections:write': 'Start and cancel connection sessions',
  'consent:read': 'See what customers agreed to',
  'consent:write': 'Record and withdraw consent of customers',
  'customers:read': 'See customers',
  'customers:write': 'Create, change and erase customers',
  'ontologies:read': 'See how catalog entries are structured',
  'ontologies:write': 'Rebuild how catalog entries are searched',
  'entries:read': 'See catalog entries',
  'entries:write': 'Create and change catalog entries',
  'events:read': 'See the status of events',
  'events:write': 'Send events and claims',
  'profile:read': 'See profiles of customers, as far as they agreed',
  'profiles:read': 'See profiles of many customers at once, as far as they agreed',
  'claims:read': 'See the single claims that profiles are made of',
  'intents:read': 'See what customers seem to intend',
  'webhooks:read': 'See webhook endpoints',
  'webhooks:write': 'Set up webhook endpoints',
  'workflows:read': 'See the status of work in the background',
  'tokens:introspect': 'Ask whether a token is valid',
  'tokens:revoke': 'Make tokens invalid',
};

export const en = {
  common: {
    serviceName: 'Partner Consent',
    footer: 'You decide who may use what about you, and you can change your mind at any time.',
    skipToContent: 'Skip to the content',
    errorPrefix: 'Error:',
    signOut: 'Sign out',
    signedInAs: (email: string): string => `Signed in as ${email}`,
    newTab: '(opens in a new tab)',
    closeWindow: 'You can close this window.',
  },
  purposes: (partner: string): Record<Purpose, PurposeText> => purposeTexts('en', partner),
  scopes,
  home: {
    title: 'Partner Consent and Profile Service',
    lead: 'Partners connect customer accounts here, and people decide what may be used about them and for what.',
    ready: 'The service is up.',
    notReady: 'The service is starting, or its database cannot be reached right now.',
    forPeople: 'For you',
    forPartners: 'For partners and colleagues',
    forPrograms: 'For programs',
    places: {
      connections: {
        label: 'My connections',
        text: 'See what each partner may use, and withdraw any of it.',
      },
      documentation: {
        label: 'Documentation',
        text: 'First steps, concepts, recipes and the whole reference.',
      },
      dashboard: {
        label: 'Dashboard',
        text: 'Customers, consent, profiles, webhooks and settings of an app.',
      },
      graphiql: { label: 'GraphiQL', text: 'Try a query with your own account.' },
      openapi: { label: 'OpenAPI document', text: 'The REST interface in a form that tools read.' },
    },
  },
  mail,
  recovery,
  account,
  errors: {
    notFoundTitle: 'There is nothing here',
    notFound:
      'The address is not one of ours, or it is no longer in use. Check it, or go back to where you came from.',
    formTitle: 'Please try that once more',
    form: 'The form you sent was out of date, or your browser blocked the cookie that protects it. Nothing was changed. Go back, reload the page and send it again; if it keeps happening, allow cookies for this site.',
    brokenTitle: 'Something went wrong on our side',
    broken:
      'Nothing you did caused this. Please try again in a minute. If you tell someone about it, mention this number:',
    back: 'Go back',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Use the account you have with us.',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    failed:
      'That e-mail address and password do not belong together. Check both; capital letters count in the password.',
    tooMany: (minutes: number): string =>
      `There were too many attempts. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`,
    or: 'or',
    upstream: (label: string): string => `Continue with ${label}`,
    upstreamFailed: (label: string): string =>
      `Signing in with ${label} did not work. Please try again, or use your password.`,
    noAccount: 'No account yet?',
    createAccount: 'Create an account',
  },
  signUp: {
    title: 'Create an account',
    lead: 'With it you decide here, now and later, who may use what about you.',
    passwordHint: 'At least 12 characters. A few words in a row are easy to remember and hard to guess.',
    submit: 'Create account',
    passkey: 'Sign up with a passkey',
    passkeyHint: 'With your fingerprint, face or device code. No password is needed.',
    emailInvalid: 'This does not look like an e-mail address.',
    passwordShort: (least: number): string => `The password needs at least ${least} characters.`,
    passwordLong: (most: number): string => `The password can have at most ${most} characters.`,
    passwordKnown: 'This password is on lists of known passwords. Choose one that only you use.',
    haveAccount: 'You have an account already?',
    signIn: 'Sign in',
  },
  authorize: {
    title: (app: string): string => `Allow ${app}?`,
    lead: (app: string): string => `${app} wants to act for you with these rights:`,
    reach: (app: string): string => `The rights hold only for data of the app ${app}.`,
    allow: 'Allow',
    deny: 'Do not allow',
    identity: 'Know with which account you signed in',
    email: 'See your e-mail address, and whether it is confirmed',
    afterwards: (origin: string): string => `Afterwards you go on to ${origin}.`,
    notMemberTitle: 'You do not have access to this app',
    notMember:
      'Your account is signed in, but it is not a member of this app. Ask the person who runs the app to add you, or sign in with another account.',
    otherAccount: 'Use another account',
    signInLead: (app: string): string => `Sign in to go on to ${app}.`,
    endedTitle: 'This sign-in is over',
    ended:
      'It was completed already, took too long, or was begun in another browser. Nothing was shared by this page. Go back to the program that sent you here and start again.',
    errorTitle: 'This request cannot be completed',
    error:
      'The program that sent you here made a request that we cannot accept. Nothing was shared. Go back to it and start again; if that does not help, tell its makers the following.',
  },
  connect: {
    startTitle: (partner: string): string => `Connect with ${partner}`,
    startLead: (partner: string): string =>
      `${partner} sent you here to ask for your consent. You decide on the next page; opening this one has shared nothing.`,
    startSteps: 'What happens next',
    startStep1: 'You sign in, or create an account.',
    startStep2: (partner: string): string => `You see what ${partner} asks for, and tick what you agree to.`,
    startStep3: (partner: string): string => `You go back to ${partner}.`,
    startOnce: 'This link works once, in the browser you continue in.',
    continue: 'Continue',
    signInLead: (partner: string): string => `Sign in to decide what ${partner} may do.`,
    decideTitle: (partner: string): string => `What may ${partner} do?`,
    decideLead: (partner: string): string =>
      `${partner} asks for the following. Tick what you agree to. What you leave out stays forbidden.`,
    nothingOffered: (partner: string): string =>
      `${partner} may no longer ask for what this link was made for, so there is nothing to approve here. Nothing was shared. You can decline and go back to ${partner}.`,
    choose: 'Purposes',
    details: 'What this means',
    withdrawTerm: 'You can change your mind:',
    withdraw: 'withdraw any of it at any time under “My connections”. It takes effect at once.',
    terms: (partner: string): string =>
      `By approving you agree that ${partner} may use data about you for the purposes you ticked, until you withdraw. Declining has no disadvantage here.`,
    documents: (partner: string): string => `What ${partner} holds to:`,
    termsOfService: 'terms of service',
    privacyPolicy: 'privacy policy',
    documentsElsewhere: (partner: string): string =>
      `${partner} has its own terms of service and privacy policy. Ask for them there.`,
    approve: 'Approve what I ticked',
    decline: 'Decline everything',
    chooseOne: 'Tick at least one purpose to approve, or decline everything.',
    timeLeft: 'Time left to decide:',
    endsAt: 'This page is valid until',
    approvedTitle: 'You approved',
    approved: (partner: string): string =>
      `${partner} was told. Once it has recorded your approval, it may do this and nothing else:`,
    approvedUntil: (partner: string, moment: string): string =>
      `If ${partner} has not recorded it by ${moment}, your approval lapses. You can take it back under “My connections”.`,
    takenBackTitle: 'You took your approval back',
    takenBack: (partner: string): string =>
      `${partner} had not recorded it, and can no longer do so. Nothing was allowed by this link.`,
    declinedTitle: 'You declined',
    declined: (partner: string): string =>
      `${partner} was told that you do not agree. Nothing about you was shared.`,
    completedTitle: 'This connection is complete',
    completed: (partner: string): string =>
      `You decided, and ${partner} has taken note of it. There is nothing left to do here.`,
    expiredTitle: 'The time for this link is over',
    expired: (partner: string): string =>
      `Links are valid for a short time only, to protect you. Nothing was shared. Go back to ${partner} and start again: you will get a new link.`,
    canceledTitle: 'This request was withdrawn',
    canceled: (partner: string): string =>
      `${partner} no longer asks for your consent, or it was declined already. Nothing was shared by this link. If you still want to connect, go back to ${partner} and start again.`,
    usedTitle: 'This link was used already',
    used: (partner: string): string =>
      `A link works once. If you opened it yourself, go on in the browser you opened it in. If that was not you, go back to ${partner} and start again, so that the old link ends.`,
    foreignTitle: 'Please go on where you began',
    foreign:
      'This page belongs to the browser in which the link was opened first. Go on there. If you cannot, go back to the partner who sent you and start again.',
    invalidTitle: 'This link does not work',
    invalid:
      'It may be incomplete: some mail programs break long links. Copy the whole link, or go back to the partner who sent you and start again.',
    myConnections: 'My connections',
  },
  connections: {
    title: 'My connections',
    lead: 'These partners have your consent. You can withdraw each purpose; it takes effect at once and what was collected for it is erased.',
    none: 'No partner has your consent. When one asks for it, you will find it here afterwards.',
    linked: (moment: string): string => `Connected on ${moment}`,
    since: (moment: string): string => `since ${moment}`,
    ended: (moment: string): string => `withdrawn on ${moment}`,
    withdraw: 'Withdraw',
    withdrawLabel: (purpose: string, partner: string): string => `Withdraw “${purpose}” from ${partner}`,
    withdrawAll: (partner: string): string => `Withdraw everything from ${partner}`,
    withdrawn: (purpose: string, partner: string): string =>
      `“${purpose}” is withdrawn. ${partner} can no longer use it.`,
    withdrawnAll: (partner: string): string =>
      `Everything is withdrawn. ${partner} can no longer use anything about you through us.`,
    states: { granted: 'Allowed', approved: 'Approved', withdrawn: 'Withdrawn' },
    receipts: 'Receipts',
    recorded: (moment: string): string => `recorded ${moment}`,
    termsVersion: (version: string): string => `terms ${version}`,
    privacyVersion: (version: string): string => `privacy policy ${version}`,
    approvedUntil: (partner: string, moment: string): string =>
      `You approved; ${partner} has not recorded it yet. The approval lapses on ${moment}.`,
    takeBack: 'Take back',
    takeBackLabel: (purpose: string, partner: string): string => `Take back “${purpose}” from ${partner}`,
  },
  appPages: {
    pickTitle: 'Which app?',
    pickLead: (page: string): string =>
      `${page} works with the data of one app at a time. Choose one that you are a member of.`,
    noApps: 'Your account is not a member of any app. Ask the person who runs the app to add you.',
    open: 'Open',
    openLabel: (app: string): string => `Open ${app}`,
    openReading: 'Open read-only',
    openReadingLabel: (app: string): string => `Open read-only: ${app}`,
    openAll: 'With all my rights',
    openAllLabel: (app: string): string => `With all my rights: ${app}`,
    chooseRights: 'Choose single rights',
    openChosen: 'Open with these',
    otherApp: 'Another app',
    absentTitle: (page: string): string => `${page} is not built yet`,
    absent:
      'Its parts are kept out of the normal installation. Build it once with this command, then restart the service:',
    failedTitle: (page: string): string => `Signing in to ${page} did not work`,
    failed: 'The sign-in was not completed, took too long, or was opened twice. Please start again.',
    again: 'Start again',
    deniedTitle: 'Access was not allowed',
    denied: (page: string): string =>
      `You chose not to allow ${page} to act for you. You can start again at any time.`,
  },
  dashboard: {
    needsScript: 'The dashboard is a program that runs in your browser: it needs JavaScript.',
  },
  graphiql: {
    title: 'GraphiQL',
    scopes: (count: number): string => (count === 1 ? 'One right' : `${count} rights`),
    needsScript: 'GraphiQL is a program that runs in your browser: it needs JavaScript.',
    examples: 'Examples',
    operation: 'GraphQL operation',
    variables: 'Variables',
    result: 'Result',
    elapsed: 'Answered in',
    cost: 'cost:',
    parts: 'Part of the workbench',
    docs: 'Docs',
    editor: 'Editor',
    answer: 'Answer',
    copyCurl: 'Copy as curl',
    copied: 'Copied. Set ACCESS_TOKEN before you run it.',
    unreachable: 'The service cannot be reached. Try again in a moment.',
    begin: 'Run this with the button at the right, or pick another of the examples at the left.',
    examplesHint: 'Choosing one replaces the operation and the variables in the open tab.',
  },
};

/** What every language must say: the shape of the English texts. */
export type Texts = typeof en;
