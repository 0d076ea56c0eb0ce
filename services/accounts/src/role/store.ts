/** Reads and writes staff roles. */

import { type Reader, sql, type Tx } from '@murmuration/db'
import { columns, type RoleRow } from '../core/role/store.js'

/** All roles, highest position first. */
export const allRoles = (db: Reader): Promise<RoleRow[]> =>
  db.rows(sql`select ${columns} from roles order by position desc, id`)

/** All roles. The rows are locked, so that concurrent changes of roles wait. */
export const lockRoles = (tx: Tx): Promise<RoleRow[]> =>
  tx.rows(sql`select ${columns} from roles order by id for update`)

export const insertRole = (tx: Tx, role: RoleRow): Promise<number> =>
  tx.run(sql`insert into roles (${columns}) values (${role.id}, ${role.name}, ${role.color}, ${role.position},
    ${role.permissions}, ${role.highlighted}, ${role.collection_limit}, ${role.require_2fa})`)

export const updateRole = (tx: Tx, role: RoleRow): Promise<number> =>
  tx.run(sql`update roles set name = ${role.name}, color = ${role.color}, position = ${role.position},
    permissions = ${role.permissions}, highlighted = ${role.highlighted}, collection_limit = ${role.collection_limit},
    require_2fa = ${role.require_2fa} where id = ${role.id}`)

export const deleteRole = (tx: Tx, id: string): Promise<number> => tx.run(sql`delete from roles where id = ${id}`)

/** Stores the holders of a role that is deleted next, so that it can be restored. */
export const keepHolders = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`insert into removed_role_holders (role_id, user_id)
    select role_id, id from users where role_id = ${id} on conflict do nothing`)

/** Assigns a restored role to its former holders that have no role, and deletes the stored list of holders. */
export const restoreHolders = async (tx: Tx, id: string): Promise<void> => {
  await tx.run(sql`update users u set role_id = ${id} from removed_role_holders h
    where h.role_id = ${id} and h.user_id = u.id and u.role_id is null`)
  await tx.run(sql`delete from removed_role_holders where role_id = ${id}`)
}

/** Assigns a role to a user. A null role removes the user's role. */
export const setRole = (tx: Tx, userId: string, roleId: string | null): Promise<number> =>
  tx.run(sql`update users set role_id = ${roleId} where id = ${userId}`)

/** Holders of a role with the ids of their valid tokens, at most `limit` holders. */
export const holdersOf = (
  db: Reader,
  roleId: string,
  limit: number,
): Promise<{ account_id: string; tokens: string[] }[]> =>
  db.rows(sql`select u.account_id, array(select t.id::text from access_tokens t
      where t.user_id = u.id and t.revoked_at is null) as tokens
    from users u where u.role_id = ${roleId} order by u.account_id limit ${limit}`)
