/** Accounts as staff filters, moderates and deletes them. Only admin calls these operations. */
import { z } from 'zod'
import { AdminAccount } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

/** An account as a moderator sees it, with the facts that decisions need. */
export const AdminRecord = z.object({
  id: z.string(),
  /** Position of the role of a local person; null for accounts of other servers, which are below every position. */
  position: z.int().nullable(),
  /** Suspended by this server, its staff or a domain block, rather than by the account's own server. */
  suspended_locally: z.boolean(),
  /** Marks of the decisions that limit and suspend the account; null where none does. */
  stamps: z.object({ silenced: z.string().nullable(), suspended: z.string().nullable() }),
  /** The account as the API shows it to moderators; also of people who are suspended or did not confirm. */
  account: AdminAccount,
})
export type AdminRecord = z.infer<typeof AdminRecord>

export const accountAdminRecords = operation('accounts.account.admin-records', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: z.array(z.string()).max(400) }),
  output: z.object({ records: z.array(AdminRecord) }),
  about: 'Accounts by id with what moderators see and decide by; unknown ids are left out.',
})

/** Accounts as staff filters and deletes them; asked by admin alone. */
export const AccountOrigin = z.enum(['local', 'remote'])
export const AccountStatus = z.enum(['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'])

/** All given conditions hold together. Absent ones restrict nothing. */
export const ModeratedFilter = z.object({
  origin: AccountOrigin.optional(),
  status: AccountStatus.optional(),
  /** Only holders of a role that may manage reports. */
  staff: z.boolean().optional(),
  /** Only accounts that can sign in: neither disabled nor suspended. */
  usable: z.literal(true).optional(),
  /** Role ids; `-99` means accounts without a role of their own. */
  role_ids: z.array(z.string()).max(100).optional(),
  /** Account id or user id of who invited. */
  invited_by: z.string().optional(),
  /** Exact domain of accounts of another server. */
  domain: z.string().optional(),
  /** Beginnings, in any case. */
  username: z.string().optional(),
  display_name: z.string().optional(),
  email: z.string().optional(),
  /** Address or CIDR range that contains an address of the login. */
  ip: z.string().optional(),
  ids: z.array(z.string()).max(1_000).optional(),
})
export type ModeratedFilter = z.infer<typeof ModeratedFilter>

export const moderatedAccountList = operation('accounts.moderated-account.list', {
  viewer: internal(),
  large: true,
  input: z.object({
    filter: ModeratedFilter,
    page: z.object({
      limit: z.int().min(0).max(200),
      max_id: z.string().optional(),
      since_id: z.string().optional(),
      min_id: z.string().optional(),
    }),
  }),
  output: z.object({ records: z.array(AdminRecord) }),
  about: 'Accounts that match all conditions, newest first.',
})

export const moderatedAccountSelect = operation('accounts.moderated-account.select', {
  viewer: internal(),
  input: z.object({ filter: ModeratedFilter, limit: z.int().min(1).max(20_000) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of accounts that match all conditions, newest first.',
})

export const moderatedAccountDelete = operation('accounts.moderated-account.delete', {
  viewer: internal(),
  class: 'write',
  input: z.object({ id: z.string() }),
  output: z.object({ /** False when the account is not suspended, or gone. */ changed: z.boolean() }),
  about: 'Deletes a suspended account for good.',
})

export const countModeratedFollows = operation('accounts.moderated-account.count-follows', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({ followers: z.int(), following: z.int() }),
  about: 'Follows of an account that are known here, each counted up to 10,000.',
})
