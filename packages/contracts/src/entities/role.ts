/** Roles of local people: the short form on profiles and the full form for the person and for staff. */
import { z } from 'zod'

/** Role ids are digits, except for the base role of everyone, `-99`. */
const RoleId = z.string().regex(/^(\d{1,19}|-99)$/)

/** A highlighted role as it stands on a profile. */
export const AccountRole = z
  .strictObject({ id: RoleId, name: z.string(), color: z.string() })
  .meta({ id: 'AccountRole', description: 'A role shown on a profile.' })
export type AccountRole = z.infer<typeof AccountRole>

/** A role with what it permits; `permissions` is the decimal form of the bits in permissions.ts. */
export const Role = z
  .strictObject({
    ...AccountRole.shape,
    permissions: z.string().regex(/^\d+$/),
    highlighted: z.boolean(),
    collection_limit: z.int().nonnegative(),
  })
  .meta({ id: 'Role', description: 'A role and its permissions.' })
export type Role = z.infer<typeof Role>
