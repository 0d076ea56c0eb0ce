/** What admin asks about accounts: everything a moderator sees, and what deciding takes. */
import { z } from 'zod'
import { AdminAccount } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

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
