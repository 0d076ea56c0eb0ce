/** Operations about domain blocks of users, with the event and the job that ends relationships. */
import { z } from 'zod'
import { DomainBlockPreview } from '../entities/index.js'
import { del, event, get, job, operation, pageFields, pageOf, post, text, user } from '../kit/index.js'

const blocks = 'write|write:blocks|follow'

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

export const domainBlocked = event('accounts.domain-block.created', {
  data: z.object({ id: z.string(), domain: z.string() }),
  about: 'A user blocks a domain.',
})

export const endWithDomainJob = job('accounts.end-with-domain', {
  data: z.object({
    /** Account id of the local account that blocks the domain. */
    account: z.string(),
    domain: z.string(),
    /** Id of the domain block, which is the cause of the severance. */
    cause: z.string(),
  }),
  about: 'Ends the relationships of a user with accounts of a domain that the user blocks, in pages.',
  concurrency: 1,
})
