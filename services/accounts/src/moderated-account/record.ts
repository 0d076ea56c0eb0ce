/** Reads and renders accounts with all data that moderators see. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { effectivePermissions } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { accountsOfRows } from '../core/account/cards.js'
import { SUSPENDED_BY_HOME_SERVER } from '../core/account/remote.rules.js'
import { accountsByIds } from '../core/account/store.js'
import { roleById } from '../core/role/store.js'
import { type AdminDataRow, addressesOf, adminDataOf } from './record.store.js'

const roleOf = (role: AdminDataRow['role'], everyone: number) =>
  role && {
    id: role.id,
    name: role.name,
    color: role.color,
    permissions: String(effectivePermissions(role.permissions, everyone)),
    highlighted: role.highlighted,
    collection_limit: role.collection_limit,
  }

/** Returns accounts with the data that moderators see, by id, in order of ids. Unknown ids are left out. */
export const adminRecords = async (
  ctx: Pick<Context, 'db' | 'site'>,
  ids: readonly string[],
): Promise<AdminRecord[]> => {
  const rows = await accountsByIds(ctx.db, ids)
  const known = rows.map((row) => row.id)
  const [accounts, adminData, addresses, everyone] = await Promise.all([
    accountsOfRows(ctx, rows),
    adminDataOf(ctx.db, known),
    addressesOf(ctx.db, known),
    roleById(ctx.db, '-99'),
  ])
  const dataById = new Map(adminData.map((one) => [one.id, one]))
  const addressesById = Map.groupBy(addresses, (one) => one.account_id)
  return rows.flatMap((row, i) => {
    const data = dataById.get(row.id)
    const account = accounts[i]
    if (!data || !account) return []
    const ips = (addressesById.get(row.id) ?? []).map(({ ip, used_at }) => ({ ip, used_at: used_at.toISOString() }))
    return {
      id: row.id,
      position: data.role?.position ?? null,
      suspended_locally: row.suspended && data.suspended_by !== SUSPENDED_BY_HOME_SERVER,
      stamps: { silenced: data.silenced_by, suspended: data.suspended_by },
      account: {
        id: row.id,
        username: row.username,
        domain: row.domain,
        created_at: row.created_at.toISOString(),
        email: data.email,
        ip: ips[0]?.ip ?? data.sign_up_ip,
        ips,
        locale: data.locale,
        invite_request: data.reason,
        role: roleOf(data.role, everyone?.permissions ?? 0),
        confirmed: data.confirmed,
        approved: data.approved,
        disabled: data.disabled,
        silenced: row.silenced,
        sensitized: row.sensitized,
        suspended: row.suspended,
        account,
        ...(data.application_id ? { created_by_application_id: data.application_id } : {}),
        ...(data.invited_by ? { invited_by_account_id: data.invited_by } : {}),
      },
    }
  })
}
