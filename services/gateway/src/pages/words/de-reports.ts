/** The pages about reports, notes and the consequence of actions in German. */

export const deReports = {
  // queues
  'All open': 'Alle offenen',
  'Assigned to me': 'Mir zugewiesen',
  Unassigned: 'Nicht zugewiesen',
  'Assigned to others': 'Anderen zugewiesen',
  'Oldest open report:': 'Älteste offene Meldung:',
  'Median age:': 'Mittleres Alter:',
  'On this server': 'Auf diesem Server',
  'On other servers': 'Auf anderen Servern',
  'Accounts of this server': 'Konten dieses Servers',
  Order: 'Reihenfolge',
  'Newest first': 'Neueste zuerst',
  'Oldest first': 'Älteste zuerst',
  // one report
  'Assign to': 'Zuweisen an',
  'Assign to this account': 'Diesem Konto zuweisen',
  'The report is assigned.': 'Die Meldung ist zugewiesen.',
  'Previous decisions': 'Frühere Entscheidungen',
  'Other reports': 'Andere Meldungen',
  'About this account': 'Über dieses Konto',
  'By the same reporter': 'Vom selben Konto',
  'Staff did nothing to this report or its account yet.':
    'Das Team hat an dieser Meldung und ihrem Konto noch nichts getan.',
  // notes
  'Notes on the report': 'Notizen zur Meldung',
  'Notes on the account': 'Notizen zum Konto',
  'Nobody wrote a note yet.': 'Noch keine Notizen.',
  'Delete the note': 'Notiz löschen',
  'New note, for staff only': 'Neue Notiz, nur für das Team',
  'Add the note': 'Notiz hinzufügen',
  'The note was deleted.': 'Die Notiz wurde gelöscht.',
  'The note was added.': 'Die Notiz wurde hinzugefügt.',
  // actions on posts
  'Media of these posts are hidden at first, and one click shows them.':
    'Medien dieser Beiträge sind zuerst verborgen, ein Klick zeigt sie.',
  'These posts are deleted with their media, also on servers that received them.':
    'Diese Beiträge werden mit ihren Medien gelöscht, auch auf Servern, die sie erhalten haben.',
  'Selected posts:': 'Ausgewählte Beiträge:',
  'Selected posts': 'Ausgewählte Beiträge',
  'Select post': 'Beitrag auswählen:',
  'No post was selected.': 'Kein Beitrag wurde ausgewählt.',
  'Update the preview': 'Vorschau aktualisieren',
  // consequence
  '%s lost': '%s gehen verloren',
  'Follows that end: %s': 'Folgebeziehungen, die enden: %s',
  '%s no longer visible': '%s nicht mehr sichtbar',
  '%s with hidden media': '%s mit verborgenen Medien',
  'All data are deleted after %s days.': 'Alle Daten werden nach %s Tagen gelöscht.',
  '%s resolved': '%s erledigt',
  'Previous decisions: %s': 'Frühere Entscheidungen: %s',
  'You can undo this in the audit log.': 'Du kannst das im Protokoll rückgängig machen.',
  'This cannot be undone.': 'Das lässt sich nicht rückgängig machen.',
  'The account gets no e-mail, because it is on another server.':
    'Das Konto bekommt keine E-Mail, weil es auf einem anderen Server ist.',
  'E-mail that will be sent': 'E-Mail, die gesendet wird',
  'E-mail that is not sent': 'E-Mail, die nicht gesendet wird',
  To: 'An',
  'Subject line': 'Betreff',
  'E-mail': 'E-Mail',
  'The link gets its signature when the e-mail is sent.': 'Der Link bekommt seine Signatur beim Senden.',
  'The numbers and the e-mail cannot be shown now.': 'Die Zahlen und die E-Mail lassen sich gerade nicht zeigen.',
} as const
