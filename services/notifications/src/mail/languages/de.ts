/** Mails in German. */
import type { MailWords } from './words.js'

const notYou =
  'Wenn du das nicht warst, ändere jetzt dein Passwort und sieh dir deine Anmeldungen an: Jemand anderes kennt es vielleicht.'
const nothingToDo = 'Wenn du das nicht angefordert hast, brauchst du nichts zu tun; es ändert sich nichts.'
const begin = 'Öffne eine beliebige Mastodon-App, gib die Adresse dieses Servers ein und melde dich an.'

export const de: MailWords = {
  greeting: (handle) => `Hallo ${handle},`,
  copyLink: 'Wenn die Schaltfläche nicht funktioniert, kopiere diese Adresse in deinen Browser:',
  aboutLogin: (site) => `Du bekommst diese Nachricht wegen deines Kontos auf ${site}.`,
  aboutNews: (site) =>
    `Du bekommst diese Nachricht, weil du dich per E-Mail über Mitteilungen auf ${site} informieren lässt.`,
  unsubscribe: 'Keine E-Mails mehr über Mitteilungen',
  letters: {
    confirmation: ({ site }) => ({
      subject: `Bestätige deine Adresse für ${site}`,
      paragraphs: [
        `Du hast auf ${site} ein Konto mit dieser E-Mail-Adresse erstellt. Bitte bestätige die Adresse, um das Konto zu aktivieren. Der Link gilt zwei Tage.`,
        'Wenn du das nicht warst, brauchst du nichts zu tun; das Konto wird gelöscht.',
      ],
      button: 'Adresse bestätigen',
    }),
    'change-confirmation': ({ site }) => ({
      subject: `Bestätige deine neue Adresse für ${site}`,
      paragraphs: [
        'Du möchtest diese Adresse für dein Konto verwenden. Bitte bestätige, dass sie dir gehört. Der Link gilt zwei Tage.',
        nothingToDo,
      ],
      button: 'Adresse bestätigen',
    }),
    'email-changed': ({ site, facts }) => ({
      subject: `Deine Adresse auf ${site} wird geändert`,
      paragraphs: [
        `Die Adresse deines Kontos wird auf ${facts.email ?? ''} geändert. Das gilt, sobald die neue Adresse bestätigt ist.`,
        notYou,
      ],
    }),
    'password-changed': ({ site }) => ({
      subject: `Dein Passwort auf ${site} wurde geändert`,
      paragraphs: [
        'Dein Passwort wurde geändert. Du wurdest überall sonst abgemeldet, und Apps müssen neu autorisiert werden.',
        'Wenn du das nicht warst, fordere jetzt ein neues Passwort an.',
      ],
    }),
    'password-reset': ({ site }) => ({
      subject: `Ein neues Passwort für ${site}`,
      paragraphs: [
        'Du hast ein neues Passwort für dein Konto angefordert. Der Link gilt sechs Stunden und nur einmal.',
        nothingToDo,
      ],
      button: 'Neues Passwort wählen',
    }),
    welcome: ({ site, handle }) => ({
      subject: `Willkommen auf ${site}`,
      paragraphs: [`Deine Adresse ist bestätigt, und dein Konto ${handle} ist bereit.`, begin],
      button: 'Los geht’s',
    }),
    approved: ({ site, handle }) => ({
      subject: `Dein Konto auf ${site} wurde freigegeben`,
      paragraphs: [`Die Betreiber von ${site} haben deine Anfrage angenommen. Dein Konto ${handle} ist bereit.`, begin],
      button: 'Los geht’s',
    }),
    rejected: ({ site }) => ({
      subject: `Deine Anfrage an ${site}`,
      paragraphs: [
        `Die Betreiber von ${site} haben deine Anfrage nicht angenommen. Was du geschickt hast, wurde gelöscht.`,
      ],
    }),
    'sign-up-waiting': ({ site, facts }) => ({
      subject: `@${facts.username ?? ''} möchte auf ${site} mitmachen`,
      paragraphs: [
        `@${facts.username ?? ''} hat sich registriert und wartet auf Freigabe.`,
        facts.reason ? `Der Grund: ${facts.reason}` : 'Ein Grund wurde nicht genannt.',
      ],
    }),
    'sign-in': ({ site, facts }) => ({
      subject: `Neue Anmeldung auf ${site}`,
      paragraphs: [
        'Jemand hat sich von einer neuen IP-Adresse oder mit einem neuen Browser in deinem Konto angemeldet.',
        `Adresse: ${facts.ip ?? ''}. Browser: ${facts.browser || 'unbekannt'}. Zeit: ${facts.at ?? ''}.`,
        notYou,
      ],
    }),
    'second-factor-enabled': ({ site }) => ({
      subject: `Zwei-Faktor-Authentifizierung auf ${site} ist aktiviert`,
      paragraphs: ['Von jetzt an brauchst du zum Anmelden dein Passwort und einen zweiten Faktor.', notYou],
    }),
    'second-factor-disabled': ({ site }) => ({
      subject: `Zwei-Faktor-Authentifizierung auf ${site} ist deaktiviert`,
      paragraphs: ['Von jetzt an genügt zum Anmelden dein Passwort.', notYou],
    }),
    'recovery-code-used': ({ site }) => ({
      subject: `Ein Ersatzcode wurde auf ${site} benutzt`,
      paragraphs: [
        'Jemand hat sich mit einem deiner Ersatzcodes in deinem Konto angemeldet. Er gilt nicht mehr.',
        notYou,
      ],
    }),
    'recovery-codes-renewed': ({ site }) => ({
      subject: `Neue Ersatzcodes auf ${site}`,
      paragraphs: ['Es wurden neue Ersatzcodes erzeugt. Die bisherigen gelten nicht mehr.', notYou],
    }),
    'security-key-added': ({ site, facts }) => ({
      subject: `Ein Passkey wurde auf ${site} hinzugefügt`,
      paragraphs: [
        `Mit dem Passkey oder Sicherheitsschlüssel „${facts.name ?? ''}“ kann man sich jetzt in deinem Konto anmelden.`,
        notYou,
      ],
    }),
    'security-key-removed': ({ site, facts }) => ({
      subject: `Ein Passkey wurde auf ${site} entfernt`,
      paragraphs: [
        `Der Passkey oder Sicherheitsschlüssel „${facts.name ?? ''}“ kann nicht mehr benutzt werden.`,
        notYou,
      ],
    }),
    'account-removed': ({ site, handle }) => ({
      subject: `Dein Konto auf ${site} wurde gelöscht`,
      paragraphs: [
        `Dein Konto ${handle} wurde gelöscht. Was du geschrieben hast, wird hier und auf den Servern gelöscht, die unserer Bitte folgen.`,
        'Dein Benutzername bleibt vergeben.',
      ],
    }),
  },
  archive: ({ site }) => ({
    subject: `Dein Archiv von ${site} ist fertig`,
    paragraphs: ['Das Archiv deines Kontos, das du angefordert hast, kann sieben Tage lang heruntergeladen werden.'],
    button: 'Zum Archiv',
  }),
  unpublished: ({ site, facts }) => ({
    subject: `Dein geplanter Beitrag auf ${site} wurde nicht veröffentlicht`,
    paragraphs: [
      `Dein Beitrag, der für ${facts.at ?? ''} geplant war, konnte nicht veröffentlicht werden.`,
      facts.reason === 'quote'
        ? 'Den zitierten Beitrag gibt es nicht mehr, oder sein Profil erlaubt dir nicht mehr, ihn zu zitieren.'
        : 'Der Server hat ihn abgelehnt. Deine App zeigt den Grund beim Beitrag.',
      'Er steht weiterhin in der Liste deiner geplanten Beiträge. Dort kannst du ihn neu planen oder löschen.',
    ],
  }),
  terms: ({ site, facts }) => ({
    subject: `Neue Nutzungsbedingungen von ${site}`,
    paragraphs: [
      `${site} hat neue Nutzungsbedingungen. Sie gelten ab dem ${facts.day}; wer ${site} danach weiter benutzt, stimmt ihnen zu.`,
      'Du kannst sie jetzt schon lesen. Wenn du nicht einverstanden bist, kannst du vorher in den Einstellungen deine Daten mitnehmen und dein Konto löschen.',
    ],
    button: 'Bedingungen lesen',
  }),
  trends: ({ site, facts }) => ({
    subject: `Neue Trends auf ${site} warten auf eine Entscheidung`,
    paragraphs: [
      'Darüber wird mehr als sonst gesprochen; als Trend erscheint es, sobald du es erlaubst:',
      `Hashtags: ${facts.tags}. Links: ${facts.links}. Beiträge: ${facts.statuses}.`,
    ],
    button: 'Trends prüfen',
  }),
  strikes: {
    none: ({ site, handle }) => ({
      subject: `Eine Verwarnung für ${handle}`,
      paragraphs: [`Die Moderation von ${site} verwarnt dich. An deinem Konto wurde nichts geändert.`],
    }),
    disable: ({ site, handle }) => ({
      subject: `${handle} wurde gesperrt`,
      paragraphs: [`Die Moderation von ${site} hat deine Anmeldung gesperrt. Dein Profil bleibt, wie es ist.`],
    }),
    mark_statuses_as_sensitive: ({ site, handle }) => ({
      subject: `Beiträge von ${handle} gelten als heikel`,
      paragraphs: [`Die Moderation von ${site} hat einige deiner Beiträge als heikel markiert.`],
    }),
    delete_statuses: ({ site, handle }) => ({
      subject: `Beiträge von ${handle} wurden gelöscht`,
      paragraphs: [
        `Die Moderation von ${site} hat einige deiner Beiträge gelöscht. Sie können nicht wiederhergestellt werden.`,
      ],
    }),
    sensitive: ({ site, handle }) => ({
      subject: `Medien von ${handle} gelten als heikel`,
      paragraphs: [
        `Die Moderation von ${site} zeigt alle Medien, die du teilst, von jetzt an mit einer Inhaltswarnung.`,
      ],
    }),
    silence: ({ site, handle }) => ({
      subject: `${handle} wurde eingeschränkt`,
      paragraphs: [
        `Die Moderation von ${site} hat dein Konto eingeschränkt. Nur wer dir schon folgt, sieht, was du schreibst.`,
      ],
    }),
    suspend: ({ site, handle }) => ({
      subject: `${handle} wurde ausgeschlossen`,
      paragraphs: [
        `Die Moderation von ${site} hat dein Konto ausgeschlossen. Dein Profil ist nicht mehr zu sehen; alles darin wird nach dreißig Tagen gelöscht.`,
      ],
    }),
  },
  strikeReason: 'Die Moderation schreibt',
  strikeLink: 'Entscheidung ansehen oder Einspruch einlegen',
  appeal: ({ site, facts }) => ({
    subject: `@${facts.username ?? ''} legt auf ${site} Einspruch gegen eine Entscheidung ein`,
    paragraphs: [
      `@${facts.username ?? ''} legt Einspruch gegen eine Entscheidung der Moderation ein. Wenn du ihm stattgibst, wird die Entscheidung rückgängig gemacht.`,
    ],
    button: 'Einspruch prüfen',
  }),
  appealText: 'Der Text des Einspruchs',
  appealDecided: {
    approved: ({ site, handle, facts }) => ({
      subject: `Deinem Einspruch auf ${site} wurde stattgegeben`,
      paragraphs: [
        `Die Moderation von ${site} hat deinem Einspruch stattgegeben. Die Entscheidung über ${handle} gilt nicht mehr.`,
        ...(facts.undone === 'no' ? ['Gelöschte Beiträge können nicht wiederhergestellt werden.'] : []),
      ],
    }),
    rejected: ({ site, handle }) => ({
      subject: `Dein Einspruch auf ${site} wurde abgelehnt`,
      paragraphs: [
        `Die Moderation von ${site} hat deinen Einspruch abgelehnt. Die Entscheidung über ${handle} bleibt bestehen.`,
      ],
    }),
  },
  news: {
    mention: (name) => `${name} hat dich erwähnt`,
    follow: (name) => `${name} folgt dir`,
    follow_request: (name) => `${name} möchte dir folgen`,
    reblog: (name) => `${name} hat deinen Beitrag geteilt`,
    favourite: (name) => `${name} hat deinen Beitrag favorisiert`,
    quote: (name) => `${name} hat deinen Beitrag zitiert`,
    'admin.report': (name) => `${name} hat etwas gemeldet`,
  },
  severalNews: (count, site) => `${count} Mitteilungen auf ${site}`,
  showNews: 'Ansehen',
}
