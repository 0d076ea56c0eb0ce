/** Descriptions of OAuth scopes for users. */

import { say, sayOf } from './language.js'

/** The wide scopes; the narrow ones say it themselves. */
const MEANING: Readonly<Record<string, string>> = {
  profile: 'see your profile, and nothing else',
  'read:me': 'see your profile, and nothing else',
  read: 'read everything in your account',
  write: 'change everything in your account',
  follow: 'see and change whom you follow, mute and block',
  push: 'send you push notifications',
  'admin:read': 'read what moderators see',
  'admin:write': 'act as a moderator',
}

export const meaningOf = (scope: string): string => {
  const [verb = '', noun = ''] = scope.replace(/^admin:/, '').split(':')
  const whose = scope.startsWith('admin:') ? 'of the server' : 'of yours'
  const meaning = MEANING[scope]
  if (meaning !== undefined) return say(meaning)
  return sayOf(`${verb === 'write' ? 'change' : 'read'} %s ${whose}`, say(noun.replaceAll('_', ' ')))
}
