/** German words of the pages below `/admin` about terms, emoji, relays, invitations and hashtags. */

export const deContent = {
  All: 'Alle',
  Preview: 'Vorschau',
  // terms
  'New terms of service': 'Neue Nutzungsbedingungen',
  'New version': 'Neue Fassung',
  'Published terms cannot be changed. A new version holds from its own day on, and account holders get an e-mail about it.':
    'Veröffentlichte Bedingungen lassen sich nicht ändern. Eine neue Fassung gilt ab ihrem Tag, und alle mit einem Konto bekommen dazu eine E-Mail.',
  'In force from': 'In Kraft ab',
  'In force': 'Gilt',
  Announced: 'Angekündigt',
  'Earlier version': 'Frühere Fassung',
  'Use as a draft': 'Als Entwurf verwenden',
  'This server has no terms of service yet.': 'Dieser Server hat noch keine Nutzungsbedingungen.',
  'In Markdown; %{domain} becomes the domain of this server.': 'In Markdown; %{domain} wird zur Domain dieses Servers.',
  'Terms that are announced for the same day are replaced.':
    'Bedingungen, die für denselben Tag angekündigt sind, werden ersetzt.',
  'After publication all account holders get an e-mail with the day.':
    'Nach dem Veröffentlichen bekommen alle mit einem Konto eine E-Mail mit dem Tag.',
  'The terms of service were published.': 'Die Nutzungsbedingungen wurden veröffentlicht.',
  // custom emoji
  'Custom emoji': 'Emojis des Servers',
  Emoji: 'Emoji',
  emoji: 'Emojis',
  'Add an emoji': 'Emoji hinzufügen',
  Shortcode: 'Kürzel',
  'Shortcode contains': 'Kürzel enthält',
  'At least two letters, digits or underscores. Written between colons in posts.':
    'Mindestens zwei Buchstaben, Ziffern oder Unterstriche. In Beiträgen steht es zwischen Doppelpunkten.',
  'PNG, GIF, WebP or JPEG of at most 256 KB.': 'PNG, GIF, WebP oder JPEG mit höchstens 256 KB.',
  'Optional. Pickers group emoji by it.': 'Freiwillig. Auswahllisten ordnen Emojis danach.',
  'Replace the picture if the shortcode exists': 'Das Bild ersetzen, wenn es das Kürzel schon gibt',
  'Choose a picture.': 'Wähle ein Bild.',
  'There is an emoji with this shortcode already.': 'Es gibt schon ein Emoji mit diesem Kürzel.',
  'Not in pickers': 'Nicht in Auswahllisten',
  'Show in pickers': 'In Auswahllisten zeigen',
  'Emoji that are not in pickers still work when their shortcode is typed.':
    'Emojis, die nicht in Auswahllisten stehen, gehen weiter, wenn ihr Kürzel getippt wird.',
  'Nobody can use the emoji. New posts show its shortcode.':
    'Niemand kann das Emoji verwenden. Neue Beiträge zeigen sein Kürzel.',
  'Edit %s': '%s bearbeiten',
  'Remove the emoji': 'Emoji entfernen',
  'Posts that use it show its shortcode. To add it again, the picture is needed.':
    'Beiträge, die es verwenden, zeigen sein Kürzel. Um es wieder hinzuzufügen, braucht es das Bild.',
  'The emoji was added.': 'Das Emoji wurde hinzugefügt.',
  'The emoji was changed.': 'Das Emoji wurde geändert.',
  'The emoji was removed.': 'Das Emoji wurde entfernt.',
  'This server has no custom emoji yet.': 'Dieser Server hat noch keine eigenen Emojis.',
  'No emoji matches.': 'Kein Emoji passt.',
  // relays
  Relays: 'Relays',
  'A relay passes public posts on between the servers that take part. Posts of other servers arrive without anyone following their authors.':
    'Ein Relay gibt öffentliche Beiträge zwischen den Servern weiter, die teilnehmen. So kommen Beiträge anderer Server an, ohne dass hier jemand folgt.',
  'Waiting for the relay': 'Wartet auf das Relay',
  'Rejected by the relay': 'Vom Relay abgelehnt',
  'Takes posts as they are': 'Nimmt Beiträge, wie sie sind',
  'Takes boosts of posts': 'Nimmt geteilte Beiträge',
  'This server takes part in no relay.': 'Dieser Server nimmt an keinem Relay teil.',
  'Add a relay': 'Relay hinzufügen',
  'Address of the inbox or the actor': 'Adresse des Posteingangs oder des Akteurs',
  'The operators of a relay publish it. All public posts of this server are sent there.':
    'Die Betreiber des Relays veröffentlichen sie. Alle öffentlichen Beiträge dieses Servers werden dorthin gesendet.',
  'The relay was asked to take part.': 'Das Relay wurde um Teilnahme gebeten.',
  'The relay was disabled.': 'Das Relay wurde abgeschaltet.',
  'The relay was removed.': 'Das Relay wurde entfernt.',
  // invitations
  Invitations: 'Einladungen',
  Invitation: 'Einladung',
  'There is no account with this name.': 'Es gibt kein Konto mit diesem Namen.',
  Usable: 'Verwendbar',
  Ended: 'Beendet',
  Uses: 'Verwendungen',
  'Deactivate the invitation %s': 'Die Einladung %s deaktivieren',
  Deactivate: 'Deaktivieren',
  'The invitation was deactivated. It stays listed.': 'Die Einladung wurde deaktiviert. Sie bleibt in der Liste.',
  'No invitation matches.': 'Keine Einladung passt.',
  // hashtags
  'Name begins with': 'Name beginnt mit',
  'Not usable': 'Nicht verwendbar',
  'Not listed': 'Nicht gelistet',
  'No hashtag was used yet.': 'Noch kein Hashtag wurde verwendet.',
  'No hashtag matches.': 'Kein Hashtag passt.',
  Spelling: 'Schreibweise',
  'Only capital letters and accents can change.': 'Nur Großbuchstaben und Akzente lassen sich ändern.',
  'May be used in posts': 'Darf in Beiträgen verwendet werden',
  'Otherwise new posts with it are refused.': 'Sonst werden neue Beiträge damit abgelehnt.',
  'Listed in search and suggestions': 'In Suche und Vorschlägen gelistet',
  'After saving, the hashtag counts as reviewed.': 'Nach dem Speichern gilt der Hashtag als geprüft.',
  Use: 'Verwendung',
  'Posts with the hashtag': 'Beiträge mit dem Hashtag',
  'The hashtag was changed.': 'Der Hashtag wurde geändert.',
}
