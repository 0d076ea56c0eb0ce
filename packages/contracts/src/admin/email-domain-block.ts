/** Operations with which staff manages e-mail domain blocks. */
import { z } from 'zod'
import { AdminEmailDomainBlock } from '../entities/index.js'
import { del, flagOr, get, id, operation, post, text } from '../kit/index.js'
import { staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_blocks', 'email_domain_blocks')
const writes = staffWrites('manage_blocks', 'email_domain_blocks')

export const listEmailDomainBlocks = operation('admin.email-domain-block.list', {
  http: get('/api/v1/admin/email_domain_blocks'),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(AdminEmailDomainBlock),
  about: 'E-mail domain blocks, newest first.',
})

export const showEmailDomainBlock = operation('admin.email-domain-block.show', {
  http: get('/api/v1/admin/email_domain_blocks/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminEmailDomainBlock,
  errors: ['not_found'],
  about: 'One e-mail domain block with the sign-ups that it affected in the last seven days.',
})

export const createEmailDomainBlock = operation('admin.email-domain-block.create', {
  http: post('/api/v1/admin/email_domain_blocks'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    domain: z.union([z.null(), text(2_000)]).optional(),
    /** True: sign-ups with this e-mail domain need approval by staff instead of being refused. */
    allow_with_approval: flagOr(false),
  }),
  output: AdminEmailDomainBlock,
  errors: ['unprocessable'],
  about: 'Blocks sign-ups with addresses of a domain, of its subdomains, and of domains whose mail host it is.',
})

export const removeEmailDomainBlock = operation('admin.email-domain-block.remove', {
  http: del('/api/v1/admin/email_domain_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes an e-mail domain block.',
})
