/** Operations with which staff manages username blocks, at paths below `STAFF_PREFIX` (`admin/staff.ts`). */
import { z } from 'zod'
import { del, flag, flagOr, get, id, operation, post, put, text } from '../kit/index.js'
import { UsernameRule } from './access-block.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_blocks')
const writes = staffWrites('manage_blocks')

export const listUsernameBlocks = operation('admin.username-block.list', {
  http: get(`${STAFF_PREFIX}/username_blocks`),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(UsernameRule),
  about: 'Username blocks, newest first.',
})

export const showUsernameBlock = operation('admin.username-block.show', {
  http: get(`${STAFF_PREFIX}/username_blocks/:id`),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: UsernameRule,
  errors: ['not_found'],
  about: 'One username block.',
})

export const createUsernameBlock = operation('admin.username-block.create', {
  http: post(`${STAFF_PREFIX}/username_blocks`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    username: z.union([z.null(), text(2_000)]).optional(),
    /** True: only this username matches. False: every username that contains it matches. */
    exact: flagOr(false),
    allow_with_approval: flagOr(false),
  }),
  output: UsernameRule,
  errors: ['unprocessable'],
  about: 'Blocks a username, or every name that contains it. Each name has at most one block.',
})

export const updateUsernameBlock = operation('admin.username-block.update', {
  http: put(`${STAFF_PREFIX}/username_blocks/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    username: z.union([z.null(), text(2_000)]).optional(),
    exact: flag(),
    allow_with_approval: flag(),
  }),
  output: UsernameRule,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a username block. Absent fields stay unchanged.',
})

export const removeUsernameBlock = operation('admin.username-block.remove', {
  http: del(`${STAFF_PREFIX}/username_blocks/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a username block.',
})
