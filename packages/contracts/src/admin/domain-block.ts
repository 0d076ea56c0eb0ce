/** Operations, events and jobs about domain blocks: creation, changes and removal by staff. */
import { z } from 'zod'
import { AdminDomainBlock } from '../entities/index.js'
import {
  del,
  event,
  flag,
  flagOr,
  get,
  id,
  internal,
  job,
  knownOr,
  list,
  operation,
  pageFields,
  pageOf,
  post,
  put,
  text,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

const { default: usual, max } = limits.pages.adminDomains
const may = { permission: 'manage_federation' }
const reads = user('admin:read|admin:read:domain_blocks', may)
const writes = user('admin:write|admin:write:domain_blocks', may)

/** Effects of a domain block. Absent members stay unchanged; a new block gets the defaults. */
const measures = {
  severity: z.union([z.null(), text(50)]).optional(),
  reject_media: flag(),
  reject_reports: flag(),
  private_comment: z.union([z.null(), text()]).optional(),
  public_comment: z.union([z.null(), text()]).optional(),
  obfuscate: flag(),
}

export const listDomainBlocks = operation('admin.domain-block.list', {
  http: get('/api/v1/admin/domain_blocks'),
  viewer: reads,
  class: 'admin',
  input: z.object(pageFields(usual, max)),
  output: pageOf(AdminDomainBlock, 'list'),
  large: true,
  about: 'Blocked servers, newest block first.',
})

export const showDomainBlock = operation('admin.domain-block.show', {
  http: get('/api/v1/admin/domain_blocks/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminDomainBlock,
  errors: ['not_found'],
  about: 'One domain block.',
})

export const createDomainBlock = operation('admin.domain-block.create', {
  http: post('/api/v1/admin/domain_blocks'),
  viewer: writes,
  class: 'admin',
  input: z.object({ domain: z.union([z.null(), text(2_000)]).optional(), ...measures }),
  output: AdminDomainBlock,
  errors: ['unprocessable'],
  creates: true,
  about: 'Limits or suspends a domain and its subdomains.',
})

export const updateDomainBlock = operation('admin.domain-block.update', {
  http: put('/api/v1/admin/domain_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), ...measures }),
  output: AdminDomainBlock,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes the effects of a domain block. Previous effects are undone.',
})

export const removeDomainBlock = operation('admin.domain-block.remove', {
  http: del('/api/v1/admin/domain_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a domain block and undoes its effects.',
})

/** A domain in the form in which staff entered it. */
const named = z.object({ domain: z.string().max(2_000) })
/** Maximum number of domains on one page of an imported or exported list. */
const MAX_ROWS = 500

export const findDomainBlocks = operation('admin.domain-block.find', {
  viewer: internal(),
  class: 'admin',
  input: z.object({ after: z.string().max(255).default(''), limit: z.int().min(1).max(MAX_ROWS).default(MAX_ROWS) }),
  output: z.object({ blocks: z.array(AdminDomainBlock), next: z.string().nullable() }),
  about: 'Domain blocks by domain, in pages.',
})

export const createDomainBlockByOperator = operation('admin.domain-block.place', {
  viewer: internal(),
  class: 'write',
  input: named.extend(measures),
  output: AdminDomainBlock,
  errors: ['unprocessable'],
  about: 'Limits or suspends a domain. An existing block of the same domain is changed.',
})

export const removeDomainBlockByOperator = operation('admin.domain-block.lift', {
  viewer: internal(),
  class: 'write',
  input: named,
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Removes the block of a domain.',
})

export const exportDomainBlocks = operation('admin.domain-block.export', {
  http: get(`${STAFF_PREFIX}/domain_blocks/export`),
  viewer: staffReads('manage_federation', 'domain_blocks'),
  class: 'admin',
  input: z.object({
    /** Last domain of the previous page of the list. */
    after: text(255).default(''),
  }),
  output: z.object({
    /** Rows of the list: values in the order of the columns, as text. */
    rows: z.array(z.array(z.string())),
    next: z.string().nullable(),
  }),
  about:
    'A page of the list of domain blocks in the columns that other servers import. The first page starts with the column names.',
})

/** Effects of a decision about a domain, planned or done. Counts of follows and of accounts end at 10,000. */
export const DomainTies = z.object({ accounts: z.int(), following: z.int(), followers: z.int() })
export type DomainTies = z.infer<typeof DomainTies>

export const ImportedBlock = z.object({
  /** The domain of the row, or the text of the row if it is not a domain. */
  domain: z.string(),
  severity: z.string(),
  /**
   * `blocked`: a domain block was created, or would be in a dry run. `known`: the domain or a parent domain has a
   * block. `invalid`: see `reason`.
   */
  outcome: z.enum(['blocked', 'known', 'invalid']),
  reason: z.string().nullable(),
  /** Existing block of the domain or a parent domain. It may come from an earlier row of the list. */
  existing: z.object({ domain: z.string(), severity: z.string() }).nullable(),
  /** Accounts and follows that the block affects; null if nothing would change. */
  ties: DomainTies.nullable(),
})
export type ImportedBlock = z.infer<typeof ImportedBlock>

export const importDomainBlocks = operation('admin.domain-block.import', {
  http: post(`${STAFF_PREFIX}/domain_blocks/import`),
  viewer: staffWrites('manage_federation', 'domain_blocks'),
  class: 'admin',
  input: z.object({
    /** Names of the columns of the list, `#domain` first. Absent if the rows contain only domains. */
    columns: z.union([z.null(), list(text(100), 50)]).optional(),
    rows: list(list(text(10_000), 50), MAX_ROWS).default([]),
    /** Origin of the list. The private comment of each new block contains it. */
    source: text(500).default(''),
    /** A dry run only reports what would change. */
    dry_run: flagOr(false),
    /** Id that the response to an earlier page returned. With it, all pages of the list form one bulk action. */
    batch_id: id().optional(),
  }),
  output: z.object({
    results: z.array(ImportedBlock),
    /** Id of the bulk action in the audit log; null if no domain was blocked. */
    batch_id: z.string().nullable(),
  }),
  errors: ['unprocessable'],
  about: 'Blocks a page of the domains of a list. Domains that have a block, or whose parent has one, stay unchanged.',
})

export const domainBlockChanged = event('admin.domain-block.changed', {
  data: z.object({
    domain: z.string(),
    severity: knownOr(z.enum(['noop', 'silence', 'suspend', 'none']), 'suspend'),
    reject_media: z.boolean(),
    stamp: z.string(),
  }),
  about: 'A domain block was created, changed or removed (`none`).',
})

export const enforceDomainBlock = job('admin.settle-domain', {
  data: z.object({
    domain: z.string(),
    /** Stamp of the domain block or allow that changed. */
    stamp: z.string(),
    /** True: the job also queues itself for each subdomain that has a block of its own. */
    below: z.boolean().default(true),
    /** True if the block was removed and the follows that it ended are requested again. */
    restores: z.boolean().optional(),
  }),
  timeoutMs: 60_000,
  about: 'Applies the current blocks and allows to the accounts of a domain.',
})
