import { purposeTexts } from '../domain/purposes.js';
import { account } from './de/account.js';
import { mail } from './de/mail.js';
import { recovery } from './de/recovery.js';
import type { Texts } from './en.js';

export const de: Texts = {
  common: {
    serviceName: 'Partner Consent',
    footer: 'Sie entscheiden, wer was über Sie verwenden darf, und können das jederzeit ändern.',
    skipToContent: 'Zum Inhalt springen',
    errorPrefix: 'Fehler:',
    signOut: 'Abmelden',
    signedInAs: (email) => `Angemeldet als ${email}`,
    newTab: '(öffnet einen neuen Tab)',
    closeWindow: 'Sie können dieses Fenster schließen.',
  },
  purposes: (partner) => purposeTexts('de', partner),
  scopes: {
    offline_access: 'Angemeldet bleiben, bis Sie sich abmelden oder der Zugriff entzogen wird',
    'apps:read': 'Sehen, wie die App eingerichtet ist',
    'apps:write': 'Ändern, wie die App eingerichtet ist',
    'connections:read': 'Verbindungsvorgänge sehen',
    'connections:write': 'Verbindungsvorgänge starten und abbrechen',
    'consent:read': 'Sehen, worin Kundinnen und Kunden eingewilligt haben',
    'consent:write': 'Einwilligungen erfassen und widerrufen',
    'customers:read': 'Kundinnen und Kunden sehen',
    'customers:write': 'Kundinnen und Kunden anlegen, ändern und löschen',
    'ontologies:read': 'Sehen, wie Katalogeinträge aufgebaut sind',
    'ontologies:write': 'Die Suche in Katalogeinträgen neu aufbauen',
    'entries:read': 'Katalogeinträge sehen',
    'entries:write': 'Katalogeinträge anlegen und ändern',
    'events:read': 'Den Stand von Ereignissen sehen',
    'events:write': 'Ereignisse und Angaben senden',
    'profile:read': 'Profile sehen, soweit eingewilligt wurde',
    'profiles:read': 'Viele Profile auf einmal sehen, soweit eingewilligt wurde',
    'claims:read': 'Die einzelnen Angaben sehen, aus denen Profile bestehen',
    'intents:read': 'Sehen, was Kundinnen und Kunden vorzuhaben scheinen',
    'webhooks:read': 'Webhook-Empfänger sehen',
    'webhooks:write': 'Webhook-Empfänger einrichten',
    'workflows:read': 'Den Stand von Hintergrundarbeiten sehen',
    'tokens:introspect': 'Prüfen, ob ein Token gültig ist',
    'tokens:revoke': 'Token ungültig machen',
  },
  home: {
    title: 'Dienst für Einwilligungen und Profile von Partnern',
    lead: 'Partner verbinden hier Kundenkonten, und Menschen entscheiden, was wofür über sie verwendet werden darf.',
    ready: 'Der Dienst läuft.',
    notReady: 'Der Dienst startet gerade, oder seine Datenbank ist im Moment nicht erreichbar.',
    forPeople: 'Für Sie',
    forPartners: 'Für Partner und Kollegen',
    forPrograms: 'Für Programme',
    places: {
      connections: {
        label: 'Meine Verbindungen',
        text: 'Sehen, was welcher Partner darf, und es zurücknehmen.',
      },
      documentation: {
        label: 'Dokumentation',
        text: 'Erste Schritte, Begriffe, Rezepte und Referenz (Englisch).',
      },
      dashboard: { label: 'Dashboard', text: 'Kunden, Einwilligungen, Profile und Webhooks einer App.' },
      graphiql: { label: 'GraphiQL', text: 'Eine Abfrage mit dem eigenen Konto ausprobieren.' },
      openapi: { label: 'OpenAPI-Dokument', text: 'Die REST-Schnittstelle in einer Form für Werkzeuge.' },
    },
  },
  mail,
  recovery,
  account,
  errors: {
    notFoundTitle: 'Hier ist nichts',
    notFound:
      'Diese Adresse gehört nicht zu uns oder wird nicht mehr verwendet. Prüfen Sie sie, oder gehen Sie dorthin zurück, wo Sie herkamen.',
    formTitle: 'Bitte versuchen Sie es noch einmal',
    form: 'Das Formular war veraltet, oder Ihr Browser hat das schützende Cookie blockiert. Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es erneut; hilft das nicht, erlauben Sie Cookies für diese Seite.',
    brokenTitle: 'Bei uns ist etwas schiefgegangen',
    broken:
      'Das lag nicht an Ihnen. Bitte versuchen Sie es in einer Minute wieder. Wenn Sie es jemandem melden, nennen Sie diese Nummer:',
    back: 'Zurück',
  },
  signIn: {
    title: 'Anmelden',
    lead: 'Verwenden Sie Ihr Konto bei uns.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    failed:
      'Diese E-Mail-Adresse und dieses Passwort gehören nicht zusammen. Prüfen Sie beide; beim Passwort zählt Groß- und Kleinschreibung.',
    tooMany: (minutes) =>
      `Es gab zu viele Versuche. Bitte warten Sie ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} und versuchen Sie es dann wieder.`,
    or: 'oder',
    upstream: (label) => `Weiter mit ${label}`,
    upstreamFailed: (label) =>
      `Die Anmeldung mit ${label} hat nicht geklappt. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.`,
    noAccount: 'Noch kein Konto?',
    createAccount: 'Konto anlegen',
  },
  signUp: {
    title: 'Konto anlegen',
    lead: 'Damit entscheiden Sie hier, jetzt und später, wer was über Sie verwenden darf.',
    passwordHint:
      'Mindestens 12 Zeichen. Einige Wörter hintereinander sind leicht zu merken und schwer zu erraten.',
    submit: 'Konto anlegen',
    passkey: 'Mit Passkey registrieren',
    passkeyHint: 'Mit Fingerabdruck, Gesicht oder Gerätecode. Sie brauchen kein Passwort.',
    emailInvalid: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
    passwordShort: (least) => `Das Passwort braucht mindestens ${least} Zeichen.`,
    passwordLong: (most) => `Das Passwort darf höchstens ${most} Zeichen haben.`,
    passwordKnown:
      'Dieses Passwort steht auf Listen bekannter Passwörter. Wählen Sie eines, das nur Sie verwenden.',
    haveAccount: 'Sie haben schon ein Konto?',
    signIn: 'Anmelden',
  },
  authorize: {
    title: (app) => `${app} erlauben?`,
    lead: (app) => `${app} möchte mit diesen Rechten für Sie handeln:`,
    reach: (app) => `Die Rechte gelten nur für Daten der App ${app}.`,
    allow: 'Erlauben',
    deny: 'Nicht erlauben',
    identity: 'Erfahren, mit welchem Konto Sie sich angemeldet haben',
    email: 'Ihre E-Mail-Adresse sehen, und ob sie bestätigt ist',
    afterwards: (origin) => `Danach geht es weiter zu ${origin}.`,
    notMemberTitle: 'Sie haben keinen Zugang zu dieser App',
    notMember:
      'Sie sind angemeldet, aber Ihr Konto gehört nicht zu dieser App. Bitten Sie die Person, die sie betreibt, Sie aufzunehmen, oder melden Sie sich mit einem anderen Konto an.',
    otherAccount: 'Anderes Konto verwenden',
    signInLead: (app) => `Melden Sie sich an, um zu ${app} weiterzugehen.`,
    endedTitle: 'Diese Anmeldung ist vorbei',
    ended:
      'Sie ist schon abgeschlossen, hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Durch diese Seite wurde nichts weitergegeben. Gehen Sie zurück zu dem Programm, von dem Sie kommen, und beginnen Sie neu.',
    errorTitle: 'Diese Anfrage kann nicht abgeschlossen werden',
    error:
      'Das Programm, von dem Sie kommen, hat eine Anfrage gestellt, die wir nicht annehmen können. Es wurde nichts weitergegeben. Gehen Sie zurück und beginnen Sie neu; hilft das nicht, nennen Sie den Herstellern Folgendes.',
  },
  connect: {
    startTitle: (partner) => `Mit ${partner} verbinden`,
    startLead: (partner) =>
      `${partner} bittet Sie um Ihre Einwilligung. Entscheiden können Sie auf der nächsten Seite; durch das Öffnen dieser Seite wurde nichts weitergegeben.`,
    startSteps: 'So geht es weiter',
    startStep1: 'Sie melden sich an oder legen ein Konto an.',
    startStep2: (partner) =>
      `Sie sehen, worum ${partner} bittet, und kreuzen an, womit Sie einverstanden sind.`,
    startStep3: (partner) => `Sie kehren zu ${partner} zurück.`,
    startOnce: 'Dieser Link gilt einmal, in dem Browser, in dem Sie fortfahren.',
    continue: 'Weiter',
    signInLead: (partner) => `Melden Sie sich an, um zu entscheiden, was ${partner} darf.`,
    decideTitle: (partner) => `Was darf ${partner}?`,
    decideLead: (partner) =>
      `${partner} bittet um Folgendes. Kreuzen Sie an, womit Sie einverstanden sind. Was Sie auslassen, bleibt verboten.`,
    nothingOffered: (partner) =>
      `${partner} darf nicht mehr um das bitten, wofür dieser Link gedacht war. Es gibt hier nichts zu erlauben, und es wurde nichts weitergegeben. Sie können ablehnen und zu ${partner} zurückkehren.`,
    choose: 'Zwecke',
    details: 'Was das heißt',
    withdrawTerm: 'Sie können es sich anders überlegen:',
    withdraw: 'Alles lässt sich jederzeit unter „Meine Verbindungen“ widerrufen. Das gilt sofort.',
    terms: (partner) =>
      `Mit Ihrer Zustimmung darf ${partner} Daten über Sie für die angekreuzten Zwecke verwenden, bis Sie widerrufen. Eine Ablehnung hat hier keine Nachteile.`,
    documents: (partner) => `Woran sich ${partner} hält:`,
    termsOfService: 'Nutzungsbedingungen',
    privacyPolicy: 'Datenschutzerklärung',
    documentsElsewhere: (partner) =>
      `${partner} hat eigene Nutzungsbedingungen und eine eigene Datenschutzerklärung. Fragen Sie dort danach.`,
    approve: 'Angekreuztem zustimmen',
    decline: 'Alles ablehnen',
    chooseOne: 'Kreuzen Sie mindestens einen Zweck an, um zuzustimmen, oder lehnen Sie alles ab.',
    timeLeft: 'Verbleibende Zeit:',
    endsAt: 'Diese Seite gilt bis',
    approvedTitle: 'Sie haben zugestimmt',
    approved: (partner) =>
      `${partner} weiß Bescheid. Sobald Ihre Zustimmung dort festgehalten ist, ist dies erlaubt und sonst nichts:`,
    approvedUntil: (partner, moment) =>
      `Hält ${partner} sie nicht bis ${moment} fest, verfällt sie. Unter „Meine Verbindungen“ können Sie sie zurücknehmen.`,
    takenBackTitle: 'Sie haben Ihre Zustimmung zurückgenommen',
    takenBack: (partner) =>
      `${partner} hatte sie noch nicht festgehalten und kann es nicht mehr. Durch diesen Link wurde nichts erlaubt.`,
    declinedTitle: 'Sie haben abgelehnt',
    declined: (partner) =>
      `${partner} weiß jetzt, dass Sie nicht einverstanden sind. Es wurde nichts über Sie weitergegeben.`,
    completedTitle: 'Diese Verbindung ist abgeschlossen',
    completed: (partner) =>
      `Sie haben entschieden, und ${partner} hat es zur Kenntnis genommen. Hier bleibt nichts zu tun.`,
    expiredTitle: 'Die Zeit für diesen Link ist abgelaufen',
    expired: (partner) =>
      `Links gelten zu Ihrem Schutz nur kurz. Es wurde nichts weitergegeben. Gehen Sie zu ${partner} zurück und beginnen Sie neu: Sie erhalten einen neuen Link.`,
    canceledTitle: 'Diese Anfrage wurde zurückgezogen',
    canceled: (partner) =>
      `${partner} bittet nicht mehr um Ihre Einwilligung, oder sie wurde schon abgelehnt. Über diesen Link wurde nichts weitergegeben. Wenn Sie sich weiterhin verbinden möchten, gehen Sie zu ${partner} zurück und beginnen Sie neu.`,
    usedTitle: 'Dieser Link wurde schon verwendet',
    used: (partner) =>
      `Ein Link gilt einmal. Wenn Sie ihn selbst geöffnet haben, machen Sie in dem Browser weiter, in dem Sie das getan haben. Wenn Sie es nicht waren, gehen Sie zu ${partner} zurück und beginnen Sie neu, damit der alte Link endet.`,
    foreignTitle: 'Bitte machen Sie dort weiter, wo Sie begonnen haben',
    foreign:
      'Diese Seite gehört zu dem Browser, in dem der Link zuerst geöffnet wurde. Machen Sie dort weiter. Wenn das nicht geht, kehren Sie zu dem Partner zurück, der Sie hergeschickt hat, und beginnen Sie neu.',
    invalidTitle: 'Dieser Link funktioniert nicht',
    invalid:
      'Vielleicht ist er unvollständig: Manche Mailprogramme zerteilen lange Links. Kopieren Sie den ganzen Link, oder kehren Sie zu dem Partner zurück, der Sie hergeschickt hat, und beginnen Sie neu.',
    myConnections: 'Meine Verbindungen',
  },
  connections: {
    title: 'Meine Verbindungen',
    lead: 'Diese Partner haben Ihre Einwilligung. Sie können jeden Zweck widerrufen; das gilt sofort, und was dafür gesammelt wurde, wird gelöscht.',
    none: 'Kein Partner hat Ihre Einwilligung. Wenn einer darum bittet, finden Sie das danach hier.',
    linked: (moment) => `Verbunden am ${moment}`,
    since: (moment) => `seit ${moment}`,
    ended: (moment) => `widerrufen am ${moment}`,
    withdraw: 'Widerrufen',
    withdrawLabel: (purpose, partner) => `„${purpose}“ für ${partner} widerrufen`,
    withdrawAll: (partner) => `Alles für ${partner} widerrufen`,
    withdrawn: (purpose, partner) => `„${purpose}“ ist widerrufen. ${partner} kann es nicht mehr nutzen.`,
    withdrawnAll: (partner) => `Alles ist widerrufen. ${partner} kann über uns nichts mehr über Sie nutzen.`,
    states: { granted: 'Erlaubt', approved: 'Zugestimmt', withdrawn: 'Widerrufen' },
    receipts: 'Belege',
    recorded: (moment) => `festgehalten am ${moment}`,
    termsVersion: (version) => `Nutzungsbedingungen ${version}`,
    privacyVersion: (version) => `Datenschutzerklärung ${version}`,
    approvedUntil: (partner, moment) =>
      `Sie haben zugestimmt; ${partner} hat es noch nicht festgehalten. Die Zustimmung verfällt am ${moment}.`,
    takeBack: 'Zurücknehmen',
    takeBackLabel: (purpose, partner) => `„${purpose}“ gegenüber ${partner} zurücknehmen`,
  },
  appPages: {
    pickTitle: 'Welche App?',
    pickLead: (page) => `${page} arbeitet mit den Daten einer App. Wählen Sie eine, zu der Sie gehören.`,
    noApps: 'Ihr Konto gehört zu keiner App. Bitten Sie die Person, die sie betreibt, Sie aufzunehmen.',
    open: 'Öffnen',
    openLabel: (app) => `${app} öffnen`,
    openReading: 'Nur lesend öffnen',
    openReadingLabel: (app) => `Nur lesend öffnen: ${app}`,
    openAll: 'Mit allen meinen Rechten',
    openAllLabel: (app) => `Mit allen meinen Rechten: ${app}`,
    chooseRights: 'Einzelne Rechte wählen',
    openChosen: 'Mit diesen öffnen',
    otherApp: 'Andere App',
    absentTitle: (page) => `${page} ist noch nicht gebaut`,
    absent:
      'Die Teile gehören nicht zur normalen Installation. Bauen Sie sie einmal mit diesem Befehl und starten Sie dann den Dienst neu:',
    failedTitle: (page) => `Die Anmeldung bei ${page} hat nicht geklappt`,
    failed:
      'Die Anmeldung wurde nicht abgeschlossen, dauerte zu lange oder wurde zweimal geöffnet. Bitte beginnen Sie neu.',
    again: 'Neu beginnen',
    deniedTitle: 'Der Zugriff wurde nicht erlaubt',
    denied: (page) =>
      `Sie haben ${page} nicht erlaubt, für Sie zu handeln. Sie können jederzeit neu beginnen.`,
  },
  dashboard: {
    needsScript: 'Das Dashboard ist ein Programm, das in Ihrem Browser läuft: Es braucht JavaScript.',
  },
  graphiql: {
    title: 'GraphiQL',
    scopes: (count) => (count === 1 ? 'Ein Recht' : `${count} Rechte`),
    needsScript: 'GraphiQL ist ein Programm, das in Ihrem Browser läuft: Es braucht JavaScript.',
    examples: 'Beispiele',
    operation: 'GraphQL-Operation',
    variables: 'Variablen',
    result: 'Ergebnis',
    elapsed: 'Beantwortet in',
    cost: 'Kosten:',
    parts: 'Teil der Werkbank',
    docs: 'Doku',
    editor: 'Editor',
    answer: 'Antwort',
    copyCurl: 'Als curl kopieren',
    copied: 'Kopiert. Setzen Sie ACCESS_TOKEN, bevor Sie es ausführen.',
    unreachable: 'Der Dienst ist nicht zu erreichen. Versuchen Sie es gleich noch einmal.',
    begin: 'Rechts ausführen, oder links ein anderes der Beispiele wählen.',
    examplesHint: 'Eine Auswahl ersetzt die Operation und die Variablen im offenen Reiter.',
  },
};
