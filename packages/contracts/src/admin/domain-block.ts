/** Blocks of other servers, as staff makes, changes and lifts them. */
import { z } from 'zod'
import { AdminDomainBlock } from '../entities/index.js'
import { del, flag, get, id, operation, pageFields, pageOf, post, put, text, user } from '../kit/index.js'
import { limits } from '../limits.js'

const { default: usual, max: most } = limits.pages.adminDomains
const may = { permission: 'manage_federation' }
const reads = user('admin:read|admin:read:domain_blocks', may)
const writes = user('admin:write|admin:write:domain_blocks', may)

/** What a block does; absent members stay as they are, and a new block begins with the usual ones. */
const measures = {
  severity: z.union([z.null(), text(50)]).optional(),
  reject_media: flag(),
  reject_reports: flag(),
  private_comment: z.union([z.null(), text(10_000)]).optional(),
  public_comment: z.union([z.null(), text(10_000)]).optional(),
  obfuscate: flag(),
}

export const domainBlockList = operation('admin.domain-block.list', {
  http: get('/api/v1/admin/domain_blocks'),
  viewer: reads,
  class: 'admin',
  input: z.object(pageFields(usual, most)),
  output: pageOf(AdminDomainBlock, 'C'),
  large: true,
  about: 'Blocked servers, newest block first.',
})

export const domainBlockShow = operation('admin.domain-block.show', {
  http: get('/api/v1/admin/domain_blocks/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminDomainBlock,
  errors: ['not_found'],
  about: 'One block of another server.',
})

export const domainBlockCreate = operation('admin.domain-block.create', {
  http: post('/api/v1/admin/domain_blocks'),
  viewer: writes,
  class: 'admin',
  input: z.object({ domain: z.union([z.null(), text(2_000)]).optional(), ...measures }),
  output: AdminDomainBlock,
  errors: ['unprocessable'],
  creates: true,
  about: 'Limits or blocks a server and everything below its domain.',
})

export const domainBlockUpdate = operation('admin.domain-block.update', {
  http: put('/api/v1/admin/domain_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), ...measures }),
  output: AdminDomainBlock,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes what a block does; what it did before is undone.',
})

export const domainBlockRemove = operation('admin.domain-block.remove', {
  http: del('/api/v1/admin/domain_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Lifts a block and undoes what it did.',
})
