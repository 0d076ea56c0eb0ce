/**
 * Operations with which staff manages canonical e-mail blocks. The database contains only hashes of the blocked
 * addresses.
 */
import { z } from 'zod'
import { AdminCanonicalEmailBlock } from '../entities/index.js'
import { del, get, id, operation, post, textOrNone } from '../kit/index.js'
import { staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_blocks', 'canonical_email_blocks')
const writes = staffWrites('manage_blocks', 'canonical_email_blocks')

export const listCanonicalEmailBlocks = operation('admin.canonical-email-block.list', {
  http: get('/api/v1/admin/canonical_email_blocks'),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(AdminCanonicalEmailBlock),
  about: 'Canonical e-mail blocks, newest first.',
})

export const showCanonicalEmailBlock = operation('admin.canonical-email-block.show', {
  http: get('/api/v1/admin/canonical_email_blocks/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminCanonicalEmailBlock,
  errors: ['not_found'],
  about: 'One canonical e-mail block.',
})

export const testCanonicalEmailBlock = operation('admin.canonical-email-block.test', {
  http: post('/api/v1/admin/canonical_email_blocks/test'),
  viewer: reads,
  class: 'admin',
  input: z.object({ email: textOrNone(2_000).optional() }),
  output: z.array(AdminCanonicalEmailBlock),
  errors: ['invalid'],
  about: 'Canonical e-mail blocks that match an address.',
})

export const createCanonicalEmailBlock = operation('admin.canonical-email-block.create', {
  http: post('/api/v1/admin/canonical_email_blocks'),
  viewer: writes,
  class: 'admin',
  input: z.object({ email: textOrNone(2_000).optional(), canonical_email_hash: textOrNone(100).optional() }),
  output: AdminCanonicalEmailBlock,
  errors: ['unprocessable'],
  about: 'Blocks an e-mail address in all of its spellings, by the address or its hash.',
})

export const removeCanonicalEmailBlock = operation('admin.canonical-email-block.remove', {
  http: del('/api/v1/admin/canonical_email_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a canonical e-mail block.',
})
