/** The settings in German: the frame of all their pages, and the preferences. */

export const deSettings = {
  // the list
  Overview: 'Übersicht',
  Preferences: 'Vorlieben',
  'Languages, who sees what you write, and how you read.': 'Sprachen, wer sieht, was du schreibst, und wie du liest.',
  'E-mail and password': 'E-Mail und Passwort',
  'The address that messages go to, and the password you sign in with.':
    'Die Adresse, an die Nachrichten gehen, und das Passwort, mit dem du dich anmeldest.',
  'Codes from an app, passkeys and security keys, so that a password alone is not enough.':
    'Codes aus einer App, Passkeys und Sicherheitsschlüssel, damit ein Passwort allein nicht reicht.',
  'Other logins': 'Andere Anmeldungen',
  'Providers that sign you in here.': 'Anbieter, mit denen du dich hier anmeldest.',
  Sessions: 'Sitzungen',
  'Where you are signed in, and when and from where somebody tried.':
    'Wo du angemeldet bist, und wann und von wo es jemand versucht hat.',
  Apps: 'Apps',
  'Apps that may act for you, and what they may do.': 'Apps, die für dich handeln dürfen, und was sie dürfen.',
  'E-mails': 'E-Mails',
  'What you are written about, and how often.': 'Worüber dir geschrieben wird und wie oft.',
  'Invite people': 'Leute einladen',
  'Links by which others can sign up here.': 'Links, mit denen sich andere hier registrieren können.',
  'Import and export': 'Import und Export',
  'Take your data with you, or bring it here.': 'Nimm deine Daten mit oder bring sie hierher.',
  'Move account': 'Konto umziehen',
  'Go to another server with your followers, or come here from one.':
    'Geh mit deinen Followern auf einen anderen Server oder komm von einem hierher.',
  'Delete account': 'Konto löschen',
  'Leave for good; this cannot be undone.': 'Für immer gehen; das lässt sich nicht rückgängig machen.',
  'Saved.': 'Gespeichert.',
  // preferences
  You: 'Du',
  'Language of the messages to you': 'Sprache der Nachrichten an dich',
  Writing: 'Schreiben',
  'Who sees a new post': 'Wer einen neuen Beitrag sieht',
  'Followers only while my account is locked, otherwise everybody':
    'Nur Follower, solange mein Konto geschützt ist, sonst alle',
  Everybody: 'Alle',
  'Everybody, but not in public timelines': 'Alle, aber nicht in öffentlichen Timelines',
  'Followers only': 'Nur Follower',
  'Only people I mention': 'Nur Leute, die ich erwähne',
  'Who may quote it': 'Wer ihn zitieren darf',
  'Nobody but me': 'Niemand außer mir',
  'Its language': 'Seine Sprache',
  'That of the messages to me': 'Die der Nachrichten an mich',
  'Mark my media as sensitive': 'Meine Medien als heikel kennzeichnen',
  'Show with which app I posted': 'Zeigen, mit welcher App ich geschrieben habe',
  'Apps may ask again for each post.': 'Apps können bei jedem Beitrag noch einmal fragen.',
  Reading: 'Lesen',
  'Pictures and videos': 'Bilder und Videos',
  'Hide media that are marked as sensitive': 'Medien verbergen, die als heikel gekennzeichnet sind',
  'Show all media': 'Alle Medien zeigen',
  'Hide all media': 'Alle Medien verbergen',
  'Open posts with a content warning at once': 'Beiträge mit Inhaltswarnung gleich öffnen',
  'Play animated pictures by themselves': 'Bewegte Bilder von selbst abspielen',
  'Show a post once when several people boost it': 'Einen Beitrag nur einmal zeigen, wenn ihn mehrere teilen',
  'Languages you read': 'Sprachen, die du liest',
  'Public timelines show posts in these languages only; without any, posts in all languages. Your home timeline stays as it is.':
    'Öffentliche Timelines zeigen nur Beiträge in diesen Sprachen; ohne Auswahl Beiträge in allen Sprachen. Deine Startseite bleibt, wie sie ist.',
  'Choose languages': 'Sprachen auswählen',
  'Choose from what the form offers.': 'Wähle aus dem, was das Formular anbietet.',
} as const
