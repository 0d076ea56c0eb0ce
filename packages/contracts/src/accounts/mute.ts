/** Operations and events about mutes of accounts. */
import { z } from 'zod'
import { MutedAccount, Relationship } from '../entities/index.js'
import { event, flagOr, get, id, intOrText, operation, pageFields, pageOf, post, user } from '../kit/index.js'
import { RelationshipChange } from './relationship.js'

const target = z.object({ id: id() })
const mutes = 'write|write:mutes|follow'

export const createMute = operation('accounts.mute.create', {
  http: post('/api/v1/accounts/:id/mute'),
  viewer: user(mutes),
  input: z.object({
    id: id(),
    notifications: flagOr(true),
    /** Duration of the mute in seconds; 0 or empty means no limit. */
    duration: z.union([z.null(), z.literal('').transform(() => null), intOrText()]).optional(),
  }),
  output: Relationship,
  errors: ['not_found', 'unprocessable'],
  about: 'Mutes an account, for a time or permanently.',
})

export const removeMute = operation('accounts.mute.remove', {
  http: post('/api/v1/accounts/:id/unmute'),
  viewer: user(mutes),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Removes a mute.',
})

export const listMutes = operation('accounts.mute.list', {
  http: get('/api/v1/mutes'),
  viewer: user('read|read:mutes|follow'),
  input: z.object(pageFields(40)),
  output: pageOf(MutedAccount, 'accounts'),
  about: 'Muted accounts, newest first.',
})

export const muteCreated = event('accounts.mute.created', {
  data: RelationshipChange.extend({ notifications: z.boolean() }),
  about: 'An account mutes another.',
})

export const muteRemoved = event('accounts.mute.removed', {
  data: RelationshipChange,
  about: 'A mute ended or expired.',
})
