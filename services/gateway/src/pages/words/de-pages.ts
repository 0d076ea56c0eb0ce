/** What everybody may see, in German: the first page, profiles, statuses, collections, and what the server says about itself. */

export const dePages = {
  // counts
  post: 'Beitrag',
  posts: 'Beiträge',
  following: 'folgt',
  follower: 'Follower',
  followers: 'Follower',
  person: 'Person',
  people: 'Personen',
  vote: 'Stimme',
  votes: 'Stimmen',
  reply: 'Antwort',
  replies: 'Antworten',
  boost: 'Mal geteilt',
  boosts: 'Mal geteilt',
  favourite: 'Favorit',
  filter: 'Filter',
  filters: 'Filter',
  row: 'Zeile',
  rows: 'Zeilen',
  use: 'Verwendung',
  uses: 'Verwendungen',
  'backup code': 'Ersatzcode',
  'backup codes': 'Ersatzcodes',
  'account you followed': 'Konto, dem du folgtest',
  'accounts you followed': 'Konten, denen du folgtest',
  // the server about itself
  'About %s': 'Über %s',
  'A social network server at %s.': 'Ein Server im sozialen Netz: %s.',
  Rules: 'Regeln',
  Contact: 'Kontakt',
  'Source code': 'Quelltext',
  'This server runs Murmuration': 'Dieser Server läuft mit Murmuration',
  ', free software under the': ', freier Software unter der',
  'GNU Affero General Public License': 'GNU Affero General Public License',
  'Its source code:': 'Der Quelltext:',
  'The source code is available on request.': 'Der Quelltext ist auf Anfrage erhältlich.',
  'active in the last month · Murmuration': 'im letzten Monat aktiv · Murmuration',
  'Last changed on': 'Zuletzt geändert am',
  'In force since': 'In Kraft seit',
  'In force from': 'In Kraft ab',
  'New terms take effect on': 'Neue Bedingungen gelten ab',
  'Terms of service': 'Nutzungsbedingungen',
  // the first page
  'Anyone can create an account on this server.': 'Auf diesem Server kann sich jeder registrieren.',
  'You can request an account on this server. Moderators review every request.':
    'Auf diesem Server kannst du ein Konto beantragen. Die Moderation prüft jeden Antrag.',
  'You are signed in as': 'Du bist angemeldet als',
  'About this server': 'Über diesen Server',
  'Latest posts': 'Neueste Beiträge',
  // arriving from other servers
  'Open this in your app': 'Öffne das in deiner App',
  'Search for this in your app, then follow or reply from there:':
    'Such danach in deiner App und folge oder antworte von dort:',
  'Open the original page': 'Originalseite öffnen',
  'Share this from your app': 'Teile das aus deiner App',
  'Copy this into a new post in your app:': 'Kopiere das in einen neuen Beitrag in deiner App:',
  'Text to share': 'Text zum Teilen',
  // profiles
  verified: 'bestätigt',
  automated: 'automatisch',
  'approves followers': 'prüft Follower',
  'in memoriam': 'in Erinnerung',
  since: 'seit',
  'Moved to': 'Umgezogen zu',
  'on %s': 'auf %s',
  Posts: 'Beiträge',
  'Older posts': 'Ältere Beiträge',
  Pinned: 'Angeheftet',
  'No public posts here yet.': 'Hier gibt es noch keine öffentlichen Beiträge.',
  // statuses
  'Post by %s': 'Beitrag von %s',
  'a post': 'ein Beitrag',
  '· closed': '· beendet',
  '· until': '· bis',
  'The quoted post': 'Der zitierte Beitrag',
  'Sensitive media': 'Heikle Medien',
  edited: 'bearbeitet am',
  boosted: 'hat geteilt',
  Video: 'Video',
  Sound: 'Ton',
  'File on another server': 'Datei auf einem anderen Server',
  UTC: 'UTC',
  // hashtags and collections
  by: 'von',
  'by %s': 'von %s',
  'Public posts tagged %s': 'Öffentliche Beiträge mit %s',
  'No public posts with this hashtag yet.': 'Noch keine öffentlichen Beiträge mit diesem Hashtag.',
  'No public posts under this hashtag yet.': 'Noch keine öffentlichen Beiträge unter diesem Hashtag.',
  'picked by %s': 'ausgewählt von %s',
  'Picked by': 'Ausgewählt von',
  '· may hold sensitive content': '· kann heikle Inhalte enthalten',
  'Nobody is in this collection yet.': 'In dieser Sammlung ist noch niemand.',
  // when something is wrong
  Request: 'Anfrage',
  // signing in with another provider
  'Not signed in': 'Nicht angemeldet',
  'You are not signed in': 'Du bist nicht angemeldet',
  'Try again': 'Noch einmal versuchen',
  'Somebody here has the address': 'Jemand hier hat die Adresse',
  ', which': ', die',
  'tells of you. If that is you, prove it once with the password you have here; afterwards':
    'von dir nennt. Wenn du das bist, zeig es einmal mit deinem Passwort von hier; danach meldet',
  'signs you in.': 'dich an.',
  'Password of your account here': 'Passwort deines Kontos hier',
  'Join them': 'Verbinden',
  'confirmed who you are. Choose the name that others see; it cannot be changed later.':
    'hat bestätigt, wer du bist. Wähle den Namen, den andere sehen; er lässt sich später nicht ändern.',
  'Letters, digits and underscores. Your handle ends in @':
    'Buchstaben, Ziffern und Unterstriche. Dein Profilname endet auf @',
  ', your e-mail address is': ', deine E-Mail-Adresse ist',
  'Make my account': 'Mein Konto anlegen',
  'Is this your account?': 'Ist das dein Konto?',
  Welcome: 'Willkommen',
  'From now on this provider signs you in too.': 'Von jetzt an meldet dich auch dieser Anbieter an.',
  // passkeys
  'This browser knows no passkeys, or this address is not safe enough for them.':
    'Dieser Browser kennt keine Passkeys, oder diese Adresse ist dafür nicht sicher genug.',
  'The key did not answer. Try again.': 'Der Schlüssel hat nicht geantwortet. Versuch es noch einmal.',
  // signing up
  'People of': 'Leute von',
  'sign in elsewhere; there is nothing to sign up for here.':
    'melden sich anderswo an; hier gibt es nichts zu registrieren.',
  name: 'Name',
  '. Open the link to confirm your e-mail address. It is valid for two days.':
    '. Öffne den Link, um deine E-Mail-Adresse zu bestätigen. Er gilt zwei Tage.',
  'Your e-mail address is not confirmed yet. Open the link in the e-mail that we sent to you.':
    'Deine E-Mail-Adresse ist noch nicht bestätigt. Öffne den Link in der E-Mail, die wir dir gesendet haben.',
  'Your request is pending review by the moderators of this server.':
    'Die Moderation dieses Servers prüft deinen Antrag noch.',
  'Your account is disabled. Contact the moderators of this server.':
    'Dein Konto ist gesperrt. Wende dich an die Moderation dieses Servers.',
  'Your account is suspended. Contact the moderators of this server.':
    'Dein Konto ist ausgeschlossen. Wende dich an die Moderation dieses Servers.',
  'Your account requires two-factor authentication. Add a second factor in the settings first.':
    'Dein Konto braucht einen zweiten Faktor. Richte erst einen in den Einstellungen ein.',
  'Your account has been deleted.': 'Dein Konto wurde gelöscht.',
  'Unknown browser': 'Unbekannter Browser',
} as const
