/** Operations and events about servers that may federate with this server in limited federation mode. */
import { z } from 'zod'
import { AdminDomainAllow } from '../entities/index.js'
import { del, event, get, id, internal, operation, pageFields, pageOf, post, text, user } from '../kit/index.js'
import { limits } from '../limits.js'

const { default: usual, max } = limits.pages.adminDomains
const may = { permission: 'manage_federation' }
const reads = user('admin:read|admin:read:domain_allows', may)
const writes = user('admin:write|admin:write:domain_allows', may)

export const listDomainAllows = operation('admin.domain-allow.list', {
  http: get('/api/v1/admin/domain_allows'),
  viewer: reads,
  class: 'admin',
  input: z.object(pageFields(usual, max)),
  output: pageOf(AdminDomainAllow, 'list'),
  about: 'Allowed servers, newest first.',
})

export const showDomainAllow = operation('admin.domain-allow.show', {
  http: get('/api/v1/admin/domain_allows/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminDomainAllow,
  errors: ['not_found'],
  about: 'One allowed server.',
})

export const createDomainAllow = operation('admin.domain-allow.create', {
  http: post('/api/v1/admin/domain_allows'),
  viewer: writes,
  class: 'admin',
  input: z.object({ domain: z.union([z.null(), text(2_000)]).optional() }),
  output: AdminDomainAllow,
  errors: ['unprocessable'],
  creates: true,
  about: 'Allows a server. A server that is allowed already is returned unchanged.',
})

export const removeDomainAllow = operation('admin.domain-allow.remove', {
  http: del('/api/v1/admin/domain_allows/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about:
    'Removes a server from the allowed ones. In limited federation mode its accounts are suspended and their content is deleted after a day.',
})

const MAX_ROWS = 500

export const findDomainAllows = operation('admin.domain-allow.find', {
  viewer: internal(),
  class: 'admin',
  input: z.object({ after: z.string().max(255).default('') }),
  output: z.object({ allows: z.array(AdminDomainAllow), next: z.string().nullable() }),
  about: 'Allowed servers by domain, in pages.',
})

export const createDomainAllowByOperator = operation('admin.domain-allow.place', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domains: z.array(z.string().max(2_000)).min(1).max(MAX_ROWS) }),
  output: z.object({
    results: z.array(z.object({ domain: z.string(), outcome: z.enum(['allowed', 'known', 'invalid']) })),
  }),
  errors: ['unprocessable'],
  about: 'Allows servers. Servers that are allowed already stay unchanged.',
})

export const removeDomainAllowByOperator = operation('admin.domain-allow.lift', {
  viewer: internal(),
  class: 'write',
  input: z.object({ domain: z.string().max(2_000) }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about:
    'Removes a server from the allowed ones. In limited federation mode its accounts are suspended and their content is deleted after a day.',
})

export const domainAllowRemoved = event('admin.domain-allow.lifted', {
  data: z.object({ domain: z.string() }),
  about: 'In limited federation mode, a server was removed from the allowed ones.',
})
