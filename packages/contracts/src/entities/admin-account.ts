/** Schemas of accounts as moderators see them. */
import { z } from 'zod'
import { Account } from './account.js'
import { Id, Timestamp } from './primitive.js'
import { Role } from './role.js'

/** IP address of a sign-in. */
export const AdminIp = z
  .strictObject({ ip: z.union([z.ipv4(), z.ipv6()]), used_at: Timestamp })
  .meta({ id: 'AdminIp', description: 'An address used to sign in, and when it was last used.' })
export type AdminIp = z.infer<typeof AdminIp>

/** An account as moderators see it. `email`, `locale`, `approved` and `role` are null for remote accounts. */
export const AdminAccount = z
  .strictObject({
    id: Id,
    username: z.string().min(1),
    domain: z.string().nullable(),
    created_at: Timestamp,
    email: z.string().nullable(),
    ip: AdminIp.shape.ip.nullable(),
    ips: z.array(AdminIp),
    locale: z.string().nullable(),
    invite_request: z.string().nullable(),
    role: Role.nullable(),
    confirmed: z.boolean(),
    approved: z.boolean().nullable(),
    disabled: z.boolean(),
    silenced: z.boolean(),
    sensitized: z.boolean(),
    suspended: z.boolean(),
    account: Account,
    created_by_application_id: Id.optional(),
    invited_by_account_id: Id.optional(),
  })
  .meta({ id: 'AdminAccount', description: 'An account with the data that moderators need.' })
export type AdminAccount = z.infer<typeof AdminAccount>
