/** Reads staff roles. */
import { type Reader, sql } from '@murmuration/db'

export interface RoleRow {
  id: string
  name: string
  color: string
  position: number
  permissions: number
  highlighted: boolean
  collection_limit: number
  require_2fa: boolean
}

export const columns = sql`id, name, color, position, permissions, highlighted, collection_limit, require_2fa`

/** The role with this id, or null. The base role of all users has the id -99. */
export const roleById = (db: Reader, id: string): Promise<RoleRow | null> =>
  db.row(sql`select ${columns} from roles where id = ${id}`)

/** The staff role with this name, ignoring case, or null. */
export const roleByName = (db: Reader, name: string): Promise<RoleRow | null> =>
  db.row(sql`select ${columns} from roles where lower(name) = ${name.toLowerCase()} and id > 0`)

/** Whether at least one user has a role with the administrator permission. */
export const hasOwner = async (db: Reader): Promise<boolean> =>
  (
    await db.row<{ found: boolean }>(sql`select exists (
    select 1 from users u join roles r on r.id = u.role_id where r.permissions & 1 <> 0) as found`)
  )?.found ?? false

/** Whether the role of a user requires a second factor. */
export const roleRequiresFactor = async (db: Reader, userId: string): Promise<boolean> =>
  (
    await db.row<{ demanded: boolean }>(sql`select r.require_2fa as demanded
      from users u join roles r on r.id = u.role_id where u.id = ${userId}`)
  )?.demanded ?? false
