/** Operations that return the relationships of the authenticated account, and that change them, except by follows. */
import { z } from 'zod'
import { Account, DomainBlockPreview, MutedAccount, Relationship } from '../entities/index.js'
import {
  del,
  flagOr,
  get,
  id,
  ids,
  intOrText,
  operation,
  optional,
  pageFields,
  pageOf,
  post,
  text,
  user,
} from '../kit/index.js'
import { limitOrAll } from './limit-or-all.js'

const target = z.object({ id: id() })

export const listRelationships = operation('accounts.relationship.list', {
  http: get('/api/v1/accounts/relationships'),
  viewer: user('read|read:follows'),
  input: z.object({ id: ids(500).default([]), with_suspended: flagOr(false) }),
  output: z.array(Relationship),
  about: 'Relationships of the signed-in user to the given accounts, in the order of the request.',
})

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

const domain = z.object({ domain: text(2_000) })

export const createDomainBlock = operation('accounts.domain-block.create', {
  http: post('/api/v1/domain_blocks'),
  viewer: user(blocks),
  input: domain,
  output: z.object({}),
  errors: ['unprocessable'],
  about: 'Blocks a domain for the signed-in user. Follows from and to it end.',
})
export const removeDomainBlock = operation('accounts.domain-block.remove', {
  http: del('/api/v1/domain_blocks'),
  viewer: user(blocks),
  input: domain,
  output: z.object({}),
  errors: ['unprocessable'],
  about: 'Removes a domain block of the signed-in user.',
})
export const listDomainBlocks = operation('accounts.domain-block.list', {
  http: get('/api/v1/domain_blocks'),
  viewer: user('read|read:blocks|follow'),
  input: z.object(pageFields(100)),
  output: pageOf(z.string(), 'accounts'),
  about: 'Domains that the signed-in user blocks, newest first.',
})
export const previewDomainBlock = operation('accounts.domain-block.preview', {
  http: get('/api/v1/domain_blocks/preview'),
  viewer: user(blocks),
  input: domain,
  output: DomainBlockPreview,
  errors: ['unprocessable'],
  about: 'Number of follows that blocking a domain would end.',
})

export const setNote = operation('accounts.note.set', {
  http: post('/api/v1/accounts/:id/note'),
  viewer: user('write|write:accounts'),
  input: z.object({ id: id(), comment: z.union([z.null(), text()]).optional() }),
  output: Relationship,
  errors: ['not_found', 'unprocessable'],
  about: 'Sets the private note of the signed-in user about an account. A blank comment removes it.',
})

export const createEndorsement = operation('accounts.endorsement.create', {
  http: [post('/api/v1/accounts/:id/endorse'), post('/api/v1/accounts/:id/pin')],
  viewer: user('write|write:accounts'),
  input: target,
  output: Relationship,
  errors: ['not_found', 'unprocessable'],
  about: 'Features a followed account on the profile of the signed-in user.',
})
export const removeEndorsement = operation('accounts.endorsement.remove', {
  http: [post('/api/v1/accounts/:id/unendorse'), post('/api/v1/accounts/:id/unpin')],
  viewer: user('write|write:accounts'),
  input: target,
  output: Relationship,
  errors: ['not_found'],
  about: 'Removes a featured account from the profile of the signed-in user.',
})
export const listEndorsements = operation('accounts.endorsement.list', {
  http: get('/api/v1/endorsements'),
  viewer: user('read|read:accounts'),
  large: true,
  input: z.object({ ...pageFields(40), limit: limitOrAll(40) }),
  output: pageOf(Account, 'accounts'),
  about: 'Accounts that the signed-in user features.',
})
export const listEndorsementsOf = operation('accounts.endorsement.list-of', {
  http: get('/api/v1/accounts/:id/endorsements'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'accounts'),
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'Accounts that an account features.',
})
