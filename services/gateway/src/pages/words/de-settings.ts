/** The settings in German: the frame of all their pages, and the preferences. */

export const deSettings = {
  // the list
  Overview: 'Übersicht',
  Preferences: 'Vorlieben',
  'Languages, who sees what you write, and how you read.': 'Sprachen, wer sieht, was du schreibst, und wie du liest.',
  'E-mail and password': 'E-Mail und Passwort',
  'Change your e-mail address and your password.': 'Ändere deine E-Mail-Adresse und dein Passwort.',
  'Codes from an app, passkeys and security keys, so that a password alone is not enough.':
    'Codes aus einer App, Passkeys und Sicherheitsschlüssel, damit ein Passwort allein nicht reicht.',
  'Other logins': 'Andere Anmeldungen',
  'Providers that sign you in here.': 'Anbieter, mit denen du dich hier anmeldest.',
  Sessions: 'Sitzungen',
  'Browsers you are signed in with, and recent sign-ins.':
    'Browser, mit denen du angemeldet bist, und letzte Anmeldungen.',
  Apps: 'Apps',
  'Apps that can access your account, and their permissions.':
    'Apps, die auf dein Konto zugreifen dürfen, und ihre Rechte.',
  'E-mails': 'E-Mails',
  'Choose which e-mail notifications you receive.': 'Wähle, welche E-Mails du bekommst.',
  'Invite people': 'Leute einladen',
  'Invite links with which others can sign up.': 'Links, mit denen sich andere hier registrieren können.',
  'Import and export': 'Import und Export',
  'Export your data, or import data from another server.':
    'Exportiere deine Daten oder importiere Daten von einem anderen Server.',
  'Move account': 'Konto umziehen',
  'Move to or from another server, with your followers.':
    'Zieh mit deinen Followern auf einen anderen Server oder von einem hierher.',
  'Delete account': 'Konto löschen',
  'Delete your account permanently.': 'Lösche dein Konto endgültig.',
  'Saved.': 'Gespeichert.',
  // preferences
  You: 'Du',
  'Language of e-mails': 'Sprache der E-Mails',
  Writing: 'Schreiben',
  'Posting privacy': 'Beitragssichtbarkeit',
  'Followers only if my account is locked, otherwise public':
    'Nur Follower, wenn mein Konto geschützt ist, sonst öffentlich',
  Anyone: 'Alle',
  'Quiet public (not in public timelines)': 'Öffentlich, aber nicht in öffentlichen Timelines',
  'Followers only': 'Nur Follower',
  'Mentioned people only': 'Nur erwähnte Profile',
  'Who can quote': 'Wer ihn zitieren darf',
  'Just me': 'Nur ich',
  'Posting language': 'Beitragssprache',
  'Same as the language of e-mails': 'Wie die Sprache der E-Mails',
  'Always mark media as sensitive': 'Medien immer als heikel kennzeichnen',
  'Display the app from which you posted': 'App anzeigen, mit der du geschrieben hast',
  'Apps can override these settings for each post.': 'Apps können diese Einstellungen bei jedem Beitrag ändern.',
  Reading: 'Lesen',
  'Media display': 'Medienanzeige',
  'Hide media marked as sensitive': 'Medien verbergen, die als heikel gekennzeichnet sind',
  'Always show media': 'Medien immer anzeigen',
  'Always hide media': 'Medien immer verbergen',
  'Always expand posts marked with content warnings': 'Beiträge mit Inhaltswarnung immer ausklappen',
  'Auto-play animated GIFs': 'Animierte GIFs automatisch abspielen',
  'Group boosts in timelines': 'Geteilte Beiträge in Timelines zusammenfassen',
  'Filter languages': 'Sprachen filtern',
  'Only posts in the selected languages appear in public timelines. Select none to show all languages. Your home timeline is not affected.':
    'In öffentlichen Timelines erscheinen nur Beiträge in den ausgewählten Sprachen. Ohne Auswahl erscheinen alle. Deine Startseite bleibt, wie sie ist.',
  'Choose languages': 'Sprachen auswählen',
  'Choose one of the listed values.': 'Wähle aus dem, was das Formular anbietet.',
} as const
