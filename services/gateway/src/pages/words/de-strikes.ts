/** Strikes, appeals and warning presets in German. */

export const deStrikes = {
  // decisions
  Warning: 'Verwarnung',
  'Posts marked as sensitive': 'Beiträge als heikel markiert',
  'Posts deleted': 'Beiträge gelöscht',
  'Media marked as sensitive': 'Medien als heikel markiert',
  'Account limited': 'Konto eingeschränkt',
  'Account suspended': 'Konto ausgeschlossen',
  Overruled: 'Aufgehoben',
  // for the account holder
  'Moderation decision': 'Entscheidung der Moderation',
  'Moderation decisions': 'Entscheidungen der Moderation',
  'Decisions of the moderators about your account, and your appeals.':
    'Entscheidungen der Moderation über dein Konto, und deine Einsprüche.',
  'The moderators made no decision about your account.': 'Die Moderation hat nichts über dein Konto entschieden.',
  'View the decision or appeal': 'Entscheidung ansehen oder Einspruch einlegen',
  'Decisions about your account are also in your': 'Entscheidungen über dein Konto stehen auch in deinen',
  'Your account was not changed.': 'An deinem Konto wurde nichts geändert.',
  'You cannot sign in or use apps. Your profile and posts stay visible.':
    'Du kannst dich nicht anmelden und keine Apps benutzen. Dein Profil und deine Beiträge bleiben sichtbar.',
  'Media in these posts is hidden at first.': 'Medien in diesen Beiträgen sind zunächst verborgen.',
  'These posts were deleted and cannot be restored.':
    'Diese Beiträge wurden gelöscht und können nicht wiederhergestellt werden.',
  'Media in all of your posts is hidden at first.': 'Medien in all deinen Beiträgen sind zunächst verborgen.',
  'Only people who already follow you see your posts.': 'Nur wer dir schon folgt, sieht deine Beiträge.',
  'Your profile and posts are hidden. Your data is deleted 30 days after the suspension.':
    'Dein Profil und deine Beiträge sind verborgen. Deine Daten werden 30 Tage nach dem Ausschluss gelöscht.',
  'Posts that this is about:': 'Beiträge, um die es geht:',
  'Number of posts:': 'Anzahl der Beiträge:',
  'Your appeal': 'Dein Einspruch',
  'Your appeal is waiting for a decision.': 'Über deinen Einspruch ist noch nicht entschieden.',
  'Your appeal was approved. This decision no longer stands.':
    'Deinem Einspruch wurde stattgegeben. Diese Entscheidung gilt nicht mehr.',
  'Your appeal was rejected. This decision stands.':
    'Dein Einspruch wurde abgelehnt. Diese Entscheidung bleibt bestehen.',
  'An appeal is no longer possible.': 'Ein Einspruch ist nicht mehr möglich.',
  'If you think that this decision is wrong, tell the moderators why. You can appeal once, until':
    'Wenn du diese Entscheidung für falsch hältst, schreibe der Moderation, warum. Du kannst einmal Einspruch einlegen, bis zum',
  'Your reasons': 'Deine Gründe',
  'Send the appeal': 'Einspruch absenden',
  'Your appeal was sent to the moderators.': 'Dein Einspruch wurde an die Moderation gesendet.',
  // for staff
  Appeal: 'Einspruch',
  Appeals: 'Einsprüche',
  'Appeal of %s': 'Einspruch von %s',
  'Appeal pending': 'Einspruch offen',
  'Appeal rejected': 'Einspruch abgelehnt',
  Approved: 'Stattgegeben',
  Rejected: 'Abgelehnt',
  Decide: 'Entscheiden',
  Decision: 'Entscheidung',
  Decisions: 'Entscheidungen',
  Decided: 'Entschieden',
  'Decided by': 'Entschieden von',
  'Decision of staff': 'Entscheidung des Teams',
  'Open the report': 'Meldung öffnen',
  'All decisions': 'Alle Entscheidungen',
  'Other decisions about the account': 'Andere Entscheidungen über das Konto',
  'There is no other decision about this account.': 'Über dieses Konto gibt es keine andere Entscheidung.',
  'Staff made no decision yet.': 'Das Team hat noch nichts entschieden.',
  'No appeal is waiting for a decision.': 'Über jeden Einspruch ist entschieden.',
  'No appeal was approved yet.': 'Noch keinem Einspruch wurde stattgegeben.',
  'No appeal was rejected yet.': 'Noch kein Einspruch wurde abgelehnt.',
  'If you approve:': 'Wenn du ihm stattgibst:',
  'If you reject:': 'Wenn du ihn ablehnst:',
  'The warning no longer stands. Nothing else changes.': 'Die Verwarnung gilt nicht mehr. Sonst ändert sich nichts.',
  'The posts are no longer marked as sensitive.': 'Die Beiträge gelten nicht mehr als heikel.',
  'The posts stay deleted, because they cannot be restored.':
    'Die Beiträge bleiben gelöscht, denn sie können nicht wiederhergestellt werden.',
  'The decision stands.': 'Die Entscheidung bleibt bestehen.',
  'A later decision of staff about the same account stays in force.':
    'Eine spätere Entscheidung des Teams über dasselbe Konto bleibt in Kraft.',
  'The account holder receives an e-mail in both cases.': 'In beiden Fällen erhält der Kontoinhaber eine E-Mail.',
  'Approve the appeal': 'Stattgeben',
  'Reject the appeal': 'Ablehnen',
  'The appeal is approved.': 'Dem Einspruch ist stattgegeben.',
  'The appeal is rejected.': 'Der Einspruch ist abgelehnt.',
  'Act on the posts': 'Maßnahmen gegen die Beiträge',
  'Media of posts that are marked as sensitive are hidden at first. You can undo this in the audit log.':
    'Medien von Beiträgen, die als heikel markiert sind, sind zunächst verborgen. Im Protokoll kannst du das rückgängig machen.',
  'Deleted posts cannot be restored.': 'Gelöschte Beiträge können nicht wiederhergestellt werden.',
  'The report is resolved, and the account holder can appeal.':
    'Die Meldung ist damit erledigt, und der Kontoinhaber kann Einspruch einlegen.',
  'Mark posts as sensitive': 'Beiträge als heikel markieren',
  'Delete posts for good': 'Beiträge endgültig löschen',
  'The posts are deleted.': 'Die Beiträge sind gelöscht.',
  'The posts are marked as sensitive.': 'Die Beiträge sind als heikel markiert.',
  // warning presets
  'Warning presets': 'Textvorlagen',
  'Texts that moderators choose when they act on an account. The account holder reads the preset, followed by the text that the moderator writes.':
    'Texte, die das Team bei Maßnahmen gegen ein Konto auswählt. Der Kontoinhaber liest die Vorlage und danach den Text der Moderation.',
  'Only staff sees the title.': 'Den Titel sieht nur das Team.',
  Preset: 'Vorlage',
  'No preset': 'Keine Vorlage',
  'New preset': 'Neue Vorlage',
  Delete: 'Löschen',
  'The preset was added.': 'Die Vorlage wurde hinzugefügt.',
  'The preset was saved.': 'Die Vorlage wurde gespeichert.',
  'The preset was deleted.': 'Die Vorlage wurde gelöscht.',
}
