/** Renders notifications as text: titles of push messages, and the fallback for clients that do not know a type. */
import type { NotificationFallback, NotificationType } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { type Message, msg, translate } from '@murmuration/messages'
import { excerpt } from '@murmuration/text'

/**
 * Titles of push messages. Two titles have the same English text as an e-mail subject but another translation. The
 * argument `place` gives these titles catalogue keys of their own.
 */
const TITLES: Readonly<Record<NotificationType, Message>> = {
  mention: msg('You were mentioned by {name}'),
  status: msg('{name} just posted'),
  reblog: msg('{name} boosted your post'),
  follow: msg('{place, select, other {{name} is now following you}}'),
  follow_request: msg('Pending follower: {name}'),
  favourite: msg('{name} favorited your post'),
  poll: msg('A poll by {name} has ended'),
  update: msg('{name} edited a post'),
  quote: msg('{name} quoted your post'),
  quoted_update: msg('{name} edited a post you have quoted'),
  severed_relationships: msg('You have lost connections due to a moderation decision'),
  moderation_warning: msg('You have received a moderation warning'),
  annual_report: msg('Your year in review is ready'),
  'admin.sign_up': msg('{name} signed up'),
  'admin.report': msg('{place, select, other {{name} submitted a report}}'),
  added_to_collection: msg('{name} added you to a collection'),
  collection_update: msg('{name} changed a collection you are in'),
}

/** Start of a name. Names of remote accounts can have thousands of characters. */
export const shortName = (name: string): string => excerpt(name, limits.delivery.nameCharacters)

/** The title of a notification in the language of `locale`, else in English. `name`: display name of the sender, else username. */
export const titleOf = (type: NotificationType, name: string, locale = 'en'): string =>
  translate(locale, TITLES[type], { name: shortName(name), place: 'push' })

/** English fallback text for clients that do not support the type of the notification. */
export const fallbackOf = (type: NotificationType, name: string): NotificationFallback => ({
  title: titleOf(type, name),
  summary: null,
  description: null,
})

/** Returns the first text that is not blank, or the empty string. Functions for texts after that one are not called. */
export const firstNonBlank = (texts: readonly (() => string)[]): string => {
  for (const text of texts) {
    const made = text()
    if (made.trim() !== '') return made
  }
  return ''
}
