/** Operations with which staff lists, moderates and deletes accounts. Only the admin service calls them. */
import { z } from 'zod'
import { AdminAccount } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

/** An account with the data that moderation decisions need. */
export const AdminRecord = z.object({
  id: z.string(),
  /** Position of the role of a local account. Null for remote accounts, which every role may moderate. */
  position: z.int().nullable(),
  /** True if staff or a domain block of this server suspended the account. False if its own server suspended it. */
  suspended_locally: z.boolean(),
  /** Stamps of the decisions that limit and suspend the account; null without one. */
  stamps: z.object({ silenced: z.string().nullable(), suspended: z.string().nullable() }),
  /** The account as the admin API shows it, also when suspended or unconfirmed. */
  account: AdminAccount,
})
export type AdminRecord = z.infer<typeof AdminRecord>

export const accountAdminRecords = operation('accounts.account.admin-records', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: z.array(z.string()).max(400) }),
  output: z.object({ records: z.array(AdminRecord) }),
  about: 'Accounts by id, with the data that moderators see and decide by; unknown ids are left out.',
})

/** Origin of an account: this server (`local`) or another one (`remote`). */
export const AccountOrigin = z.enum(['local', 'remote'])
export const AccountStatus = z.enum(['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'])

/** Filter of the account list of staff. Its conditions are combined with AND. A condition that is absent matches every account. */
export const ModeratedFilter = z.object({
  origin: AccountOrigin.optional(),
  status: AccountStatus.optional(),
  /** True: only accounts whose role may manage reports. */
  staff: z.boolean().optional(),
  /** True: only local accounts that are neither disabled nor suspended. */
  usable: z.literal(true).optional(),
  /** Role ids; `-99` matches accounts without an assigned role. */
  role_ids: z.array(z.string()).max(100).optional(),
  /** Account id or user id of the inviter. */
  invited_by: z.string().optional(),
  /** Domain of remote accounts, which must match exactly. */
  domain: z.string().optional(),
  /** Prefix of the username, in upper or lower case. `display_name` and `email` are prefixes, too. */
  username: z.string().optional(),
  display_name: z.string().optional(),
  email: z.string().optional(),
  /** IP address or CIDR range. Matches logins that used an address in this range. */
  ip: z.string().optional(),
  ids: z.array(z.string()).max(1_000).optional(),
})
export type ModeratedFilter = z.infer<typeof ModeratedFilter>

export const listModeratedAccounts = operation('accounts.moderated-account.list', {
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

export const selectModeratedAccounts = operation('accounts.moderated-account.select', {
  viewer: internal(),
  input: z.object({ filter: ModeratedFilter, limit: z.int().min(1).max(20_000) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of accounts that match all conditions, newest first.',
})

export const deleteModeratedAccount = operation('accounts.moderated-account.delete', {
  viewer: internal(),
  class: 'write',
  input: z.object({ id: z.string() }),
  output: z.object({ /** False when the account is not suspended or does not exist. */ changed: z.boolean() }),
  about: 'Deletes a suspended account permanently.',
})

export const countModeratedFollows = operation('accounts.moderated-account.count-follows', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({ followers: z.int(), following: z.int() }),
  about: 'Number of followers and followed accounts that this server knows, each counted up to 10,000.',
})
