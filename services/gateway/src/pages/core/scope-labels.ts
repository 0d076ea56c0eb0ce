/** Descriptions of OAuth scopes for the consent page and the list of apps. */
import { type Message, msg } from '@murmuration/messages'
import { t } from './language.js'

/** Descriptions of the broad OAuth scopes. A granular scope is described by its verb and noun. */
const MEANING: Readonly<Record<string, Message>> = {
  profile: msg('see your profile, and nothing else'),
  'read:me': msg('see your profile, and nothing else'),
  read: msg('read everything in your account'),
  write: msg('change everything in your account'),
  follow: msg('see and change whom you follow, mute and block'),
  push: msg('send you push notifications'),
  'admin:read': msg('read what moderators see'),
  'admin:write': msg('act as a moderator'),
}

/** Names for the objects of the granular OAuth scopes. */
const NOUNS: Readonly<Record<string, Message>> = {
  accounts: msg('accounts'),
  blocks: msg('blocks'),
  bookmarks: msg('bookmarks'),
  collections: msg('collections'),
  conversations: msg('conversations'),
  favourites: msg('favourites'),
  filters: msg('filters'),
  follows: msg('follows'),
  lists: msg('lists'),
  media: msg('media'),
  mutes: msg('mutes'),
  notifications: msg('notifications'),
  reports: msg('reports'),
  search: msg('search'),
  statuses: msg('statuses'),
}

/** Description of an OAuth scope in the language of the page, such as `read statuses of yours`. */
export const meaningOf = (scope: string): string => {
  const meaning = MEANING[scope]
  if (meaning !== undefined) return t(meaning)
  const [verb = '', of = ''] = scope.replace(/^admin:/, '').split(':')
  const label = NOUNS[of]
  const noun = label === undefined ? of.replaceAll('_', ' ') : t(label)
  if (scope.startsWith('admin:'))
    return verb === 'write' ? t('change {noun} of the server', { noun }) : t('read {noun} of the server', { noun })
  return verb === 'write' ? t('change {noun} of yours', { noun }) : t('read {noun} of yours', { noun })
}
