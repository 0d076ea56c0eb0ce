/** Operations with which staff manages IP blocks. */
import { z } from 'zod'
import { AdminIpBlock } from '../entities/index.js'
import { del, get, id, operation, post, put, text } from '../kit/index.js'
import { staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_blocks', 'ip_blocks')
const writes = staffWrites('manage_blocks', 'ip_blocks')
const fields = {
  /** IP address, or a range in CIDR notation. */
  ip: z.union([z.null(), text()]).optional(),
  severity: z.union([z.null(), text()]).optional(),
  comment: z.union([z.null(), text(2_000)]).optional(),
  /** Seconds from now until the block expires; empty means no expiry. */
  expires_in: z.union([z.null(), text()]).optional(),
}

export const listIpBlocks = operation('admin.ip-block.list', {
  http: get('/api/v1/admin/ip_blocks'),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(AdminIpBlock),
  about: 'IP blocks, newest first.',
})

export const showIpBlock = operation('admin.ip-block.show', {
  http: get('/api/v1/admin/ip_blocks/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminIpBlock,
  errors: ['not_found'],
  about: 'One IP block.',
})

export const createIpBlock = operation('admin.ip-block.create', {
  http: post('/api/v1/admin/ip_blocks'),
  viewer: writes,
  class: 'admin',
  input: z.object(fields),
  output: AdminIpBlock,
  errors: ['unprocessable'],
  about: 'Blocks an IP address or range. Each range has at most one block.',
})

export const updateIpBlock = operation('admin.ip-block.update', {
  http: put('/api/v1/admin/ip_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), ...fields }),
  output: AdminIpBlock,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes an IP block. Absent fields stay unchanged.',
})

export const removeIpBlock = operation('admin.ip-block.remove', {
  http: del('/api/v1/admin/ip_blocks/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes an IP block.',
})
