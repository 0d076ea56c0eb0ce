/**
 * Schemas of roles of local accounts: the short form on profiles, and the full form for the account holder and staff.
 */
import { z } from 'zod'

/** Id of a role: digits, or `-99` for the default role of all accounts. */
const RoleId = z.string().regex(/^(\d{1,19}|-99)$/)

/** A highlighted role as shown on a profile. */
export const AccountRole = z
  .strictObject({ id: RoleId, name: z.string(), color: z.string() })
  .meta({ id: 'AccountRole', description: 'A role shown on a profile.' })
export type AccountRole = z.infer<typeof AccountRole>

/** A role with its permissions; `permissions` is the decimal value of the bits in permissions.ts. */
export const Role = z
  .strictObject({
    ...AccountRole.shape,
    permissions: z.string().regex(/^\d+$/),
    highlighted: z.boolean(),
    collection_limit: z.int().nonnegative(),
  })
  .meta({ id: 'Role', description: 'A role and its permissions.' })
export type Role = z.infer<typeof Role>
