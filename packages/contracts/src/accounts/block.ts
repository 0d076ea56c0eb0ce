/** Operations and events about blocks of accounts. */
import { z } from 'zod'
import { Account, Relationship } from '../entities/index.js'
import { event, get, id, operation, pageFields, pageOf, post, user } from '../kit/index.js'
import { RelationshipChange } from './relationship.js'

const target = z.object({ id: id() })
const blocks = 'write|write:blocks|follow'

export const createBlock = operation('accounts.block.create', {
  http: post('/api/v1/accounts/:id/block'),
  viewer: user(blocks),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Blocks an account. Follows in both directions end.',
})

export const removeBlock = operation('accounts.block.remove', {
  http: post('/api/v1/accounts/:id/unblock'),
  viewer: user(blocks),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Removes a block. Follows that it ended are not restored.',
})

export const listBlocks = operation('accounts.block.list', {
  http: get('/api/v1/blocks'),
  viewer: user('read|read:blocks|follow'),
  input: z.object(pageFields(40)),
  output: pageOf(Account, 'accounts'),
  about: 'Blocked accounts, newest first.',
})

export const blockCreated = event('accounts.block.created', {
  data: RelationshipChange,
  about: 'An account blocks another. Follows in both directions ended.',
})

export const blockRemoved = event('accounts.block.removed', { data: RelationshipChange, about: 'A block ended.' })
