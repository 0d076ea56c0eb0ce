/** German words of the pages below `/admin` about the server itself: settings, rules, announcements. */

export const deServer = {
  years: 'Jahre',
  days: 'Tage',
  characters: 'Zeichen',
  // settings
  'Nothing was saved. See the marked fields.': 'Nichts wurde gespeichert. Sieh dir die markierten Felder an.',
  'The settings were saved.': 'Die Einstellungen wurden gespeichert.',
  'Server name': 'Name des Servers',
  'Shown at the top of each page, in apps and in e-mails.': 'Steht oben auf jeder Seite, in Apps und in E-Mails.',
  'Server description': 'Beschreibung des Servers',
  'A short text that tells this server from others. Shown in apps, in lists of servers and to search engines.':
    'Ein kurzer Text, der diesen Server von anderen unterscheidet. Er steht in Apps, Serverlisten und Suchmaschinen.',
  'About page': 'Seite über den Server',
  'The long description on the about page, in Markdown.':
    'Die lange Beschreibung auf der Seite über den Server, in Markdown.',
  'In Markdown; %{domain} becomes the domain of this server. Without a text, a standard policy is shown.':
    'In Markdown; %{domain} wird zur Domain dieses Servers. Ohne Text steht dort eine Standarderklärung.',
  'Contact account': 'Kontaktkonto',
  'The account that answers questions about this server. It is shown on the about page.':
    'Das Konto, das Fragen zu diesem Server beantwortet. Es steht auf der Seite über den Server.',
  'Contact e-mail address': 'E-Mail-Adresse für Kontakt',
  'Public. For questions of visitors, other servers and authorities.':
    'Öffentlich. Für Fragen von Besuchern, anderen Servern und Behörden.',
  'Address of the status page': 'Adresse der Statusseite',
  'A page that shows whether this server works. Apps link to it when requests fail.':
    'Eine Seite, die zeigt, ob dieser Server funktioniert. Apps verweisen darauf, wenn Anfragen scheitern.',
  'Languages of the server': 'Sprachen des Servers',
  'Language codes, the main one first, such as en, de. Apps and lists of servers show them.':
    'Sprachcodes, der wichtigste zuerst, etwa de, en. Apps und Serverlisten zeigen sie.',
  Registrations: 'Registrierung',
  'Who can sign up': 'Wer sich registrieren kann',
  'With approval, a moderator decides about each sign-up. Invitations work in each mode.':
    'Mit Freigabe entscheidet die Moderation über jede Registrierung. Einladungen gelten immer.',
  'Anyone, with approval': 'Alle, mit Freigabe',
  'Message while registrations are closed': 'Hinweis, solange die Registrierung geschlossen ist',
  'Shown instead of the sign-up form.': 'Steht anstelle des Formulars zur Registrierung.',
  'Require a reason for joining': 'Begründung verlangen',
  'Counts while sign-ups need approval. Otherwise the reason is optional.':
    'Gilt, solange Registrierungen eine Freigabe brauchen. Sonst ist die Begründung freiwillig.',
  'Minimum age': 'Mindestalter',
  'The sign-up form then asks for the date of birth. The date is not stored. Empty: no limit.':
    'Das Formular fragt dann nach dem Geburtsdatum. Es wird nicht gespeichert. Leer: keine Grenze.',
  'Accounts suggested to newcomers': 'Vorschläge für neue Konten',
  'Handles separated by commas, such as alice, bob@example.org. They come first in the suggestions.':
    'Adressen, durch Kommas getrennt, etwa alice, bob@example.org. Sie stehen in den Vorschlägen vorn.',
  Discovery: 'Entdecken',
  'Show trends': 'Trends zeigen',
  'Hashtags, posts and links that are popular now. Staff approves what may trend.':
    'Hashtags, Beiträge und Links, die gerade beliebt sind. Das Team gibt frei, was in die Trends darf.',
  'Trends without review': 'Trends ohne Prüfung',
  'Shows trends before staff approved them. Only what staff rejected stays out.':
    'Zeigt Trends, bevor das Team sie freigibt. Nur Abgelehntes bleibt draußen.',
  'Show the profile directory': 'Profilverzeichnis zeigen',
  'Lists accounts that agreed to be found.': 'Führt Konten auf, die gefunden werden möchten.',
  'Offer a summary of the year': 'Jahresrückblick anbieten',
  'In December, account holders may have their year summed up.':
    'Im Dezember können sich alle ihr Jahr zusammenfassen lassen.',
  'Public access': 'Öffentlicher Zugriff',
  'Signed-in accounts': 'Angemeldete Konten',
  'Only staff with access to feeds': 'Nur das Team mit Zugriff auf Feeds',
  'Live feed of this server': 'Livefeed dieses Servers',
  'Access to all new public posts of this server.': 'Zugriff auf alle neuen öffentlichen Beiträge dieses Servers.',
  'Live feed of other servers': 'Livefeed anderer Server',
  'Access to all new public posts of other servers that are known here.':
    'Zugriff auf alle hier bekannten neuen öffentlichen Beiträge anderer Server.',
  'Hashtags and links of this server': 'Hashtags und Links dieses Servers',
  'Access to posts of this server by hashtag or by link.':
    'Zugriff auf Beiträge dieses Servers nach Hashtag oder nach Link.',
  'Hashtags and links of other servers': 'Hashtags und Links anderer Server',
  'Access to posts of other servers by hashtag or by link.':
    'Zugriff auf Beiträge anderer Server nach Hashtag oder nach Link.',
  'Show blocked servers': 'Gesperrte Server zeigen',
  'The audience of the list of limited and suspended servers on the about page.':
    'Wer die Liste eingeschränkter und gesperrter Server auf der Seite über den Server sieht.',
  'Show why servers are blocked': 'Gründe für Sperren zeigen',
  'The audience of the public comments in that list.': 'Wer die öffentlichen Kommentare in dieser Liste sieht.',
  'Publish counts of activity': 'Zahlen zur Nutzung veröffentlichen',
  'Weekly counts of posts, active accounts and sign-ups, for statistics of the network.':
    'Wöchentliche Zahlen zu Beiträgen, aktiven Konten und Registrierungen, für Statistiken über das Netzwerk.',
  'Publish known servers': 'Bekannte Server veröffentlichen',
  'The domains of all servers that this server has met.': 'Die Domains aller Server, die dieser Server kennt.',
  'Posts and media': 'Beiträge und Medien',
  'Longest post': 'Längster Beitrag',
  'Longer posts of other servers are still shown in full.':
    'Längere Beiträge anderer Server werden trotzdem ganz gezeigt.',
  'Keep media of other servers': 'Medien anderer Server behalten',
  'Older copies are deleted, and fetched again when they are viewed. Empty: they are kept permanently.':
    'Ältere Kopien werden gelöscht und beim Ansehen neu geholt. Leer: Sie bleiben dauerhaft.',
  // rules
  'Rules are shown on the about page and before sign-up. Reports can name the rule that was broken.':
    'Die Regeln stehen auf der Seite über den Server und vor der Registrierung. Meldungen können die verletzte Regel nennen.',
  'Add a rule': 'Regel hinzufügen',
  'Edit a rule': 'Regel bearbeiten',
  'Remove the rule': 'Regel entfernen',
  'Reports that name it keep it.': 'Meldungen, die sie nennen, behalten sie.',
  'Optional. Shown below the rule.': 'Freiwillig. Steht unter der Regel.',
  Explanation: 'Erklärung',
  Translations: 'Übersetzungen',
  'Add a translation': 'Übersetzung hinzufügen',
  'Readers see the translation in their language, or else the rule itself. Empty the text to remove a translation.':
    'Wer eine Übersetzung in der eigenen Sprache hat, sieht sie, sonst die Regel selbst. Leere den Text, um eine Übersetzung zu entfernen.',
  'Move up: %s': 'Nach oben: %s',
  'Move down: %s': 'Nach unten: %s',
  'The rule was moved.': 'Die Regel wurde verschoben.',
  // announcements
  'Edit an announcement': 'Ankündigung bearbeiten',
  'Remove the announcement': 'Ankündigung entfernen',
  'Its reactions are removed too. Withdraw it instead to publish it again later.':
    'Ihre Reaktionen werden auch entfernt. Zieh sie stattdessen zurück, um sie später wieder zu veröffentlichen.',
  'Links, hashtags, mentions and custom emoji work as in posts.':
    'Links, Hashtags, Erwähnungen und Emojis des Servers gehen wie in Beiträgen.',
  'Time of the event': 'Zeit des Ereignisses',
  'Optional. The announcement disappears when the event ends. Times are in UTC.':
    'Freiwillig. Die Ankündigung verschwindet, wenn das Ereignis endet. Zeiten sind in UTC.',
  Starts: 'Beginn',
  'Show only the days': 'Nur die Tage zeigen',
  'Publish at (UTC)': 'Veröffentlichen um (UTC)',
  'Empty: at once. Everyone on this server then sees it in their apps.':
    'Leer: sofort. Alle auf diesem Server sehen sie dann in ihren Apps.',
  'Empty: it stays unpublished.': 'Leer: Sie bleibt unveröffentlicht.',
  Event: 'Ereignis',
  'The announcement is scheduled.': 'Die Ankündigung ist geplant.',
}
