/** Notifications as text: titles of push messages, and the fallback for clients that do not know a type. */
import type { NotificationFallback, NotificationType } from '@murmuration/contracts/entities'

type Titles = Readonly<Record<NotificationType, (name: string) => string>>

const en: Titles = {
  mention: (name) => `You were mentioned by ${name}`,
  status: (name) => `${name} just posted`,
  reblog: (name) => `${name} boosted your post`,
  follow: (name) => `${name} is now following you`,
  follow_request: (name) => `Pending follower: ${name}`,
  favourite: (name) => `${name} favorited your post`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post`,
  quote: (name) => `${name} quoted your post`,
  quoted_update: (name) => `${name} edited a post you have quoted`,
  severed_relationships: () => 'You have lost connections due to a moderation decision',
  moderation_warning: () => 'You have received a moderation warning',
  annual_report: () => 'Your year in review is ready',
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} submitted a report`,
  added_to_collection: (name) => `${name} added you to a collection`,
  collection_update: (name) => `${name} changed a collection you are in`,
}

const de: Titles = {
  mention: (name) => `${name} hat dich erwähnt`,
  status: (name) => `${name} hat gerade etwas veröffentlicht`,
  reblog: (name) => `${name} hat deinen Beitrag geteilt`,
  follow: (name) => `${name} folgt dir jetzt`,
  follow_request: (name) => `${name} möchte dir folgen`,
  favourite: (name) => `${name} hat deinen Beitrag favorisiert`,
  poll: (name) => `Eine Umfrage von ${name} ist beendet`,
  update: (name) => `${name} hat einen Beitrag bearbeitet`,
  quote: (name) => `${name} hat deinen Beitrag zitiert`,
  quoted_update: (name) => `${name} hat einen Beitrag bearbeitet, den du zitiert hast`,
  severed_relationships: () => 'Du hast durch eine Moderationsentscheidung Verbindungen verloren',
  moderation_warning: () => 'Du hast eine Verwarnung der Moderation erhalten',
  annual_report: () => 'Dein Jahresrückblick ist fertig',
  'admin.sign_up': (name) => `${name} hat sich registriert`,
  'admin.report': (name) => `${name} hat eine Meldung eingereicht`,
  added_to_collection: (name) => `${name} hat dich in eine Sammlung aufgenommen`,
  collection_update: (name) => `${name} hat eine Sammlung geändert, in der du bist`,
}

const LANGUAGES: ReadonlyMap<string, Titles> = new Map([
  ['en', en],
  ['de', de],
])

/** One line that says what happened, in the language of a locale, else in English. `name` is the display name, else the username. */
export const titleOf = (type: NotificationType, name: string, locale = 'en'): string =>
  (LANGUAGES.get(locale.toLowerCase().split(/[-_]/)[0] ?? '') ?? en)[type](name)

/** Fallback text for clients that do not support the type. */
export const fallbackOf = (type: NotificationType, name: string): NotificationFallback => ({
  title: titleOf(type, name),
  summary: null,
  description: null,
})

/** The first text that says something, or the empty one; the later ones are only made when they are needed. */
export const firstSaying = (texts: readonly (() => string)[]): string => {
  for (const text of texts) {
    const made = text()
    if (made.trim() !== '') return made
  }
  return ''
}
