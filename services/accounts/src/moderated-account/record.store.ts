/** Reads data of accounts for moderators: user, role, IP addresses, and the origin of a suspension. */
import { bigints, type Reader, sql } from '@murmuration/db'
import type { RoleRow } from '../core/role/store.js'

export interface AdminDataRow {
  id: string
  email: string | null
  locale: string | null
  confirmed: boolean
  approved: boolean | null
  disabled: boolean
  suspended_by: string | null
  silenced_by: string | null
  /** Sign-up of a local account: reason, application, inviter and IP address. */
  reason: string | null
  application_id: string | null
  invited_by: string | null
  sign_up_ip: string | null
  /** Role of a local account; the base role if it has none. `role` is null for remote accounts. */
  role: Omit<RoleRow, 'require_2fa'> | null
}

/** Returns the data that moderators need, by account id, in order of ids. */
export const adminDataOf = (db: Reader, ids: readonly string[]): Promise<AdminDataRow[]> =>
  db.rows(sql`select a.id, u.email, u.locale, coalesce(u.confirmed_at is not null, false) as confirmed, u.approved,
      coalesce(u.disabled, false) as disabled,
      case when a.suspended_at is not null then a.suspended_by end as suspended_by,
      case when a.silenced_at is not null then a.silenced_by end as silenced_by,
      s.reason, s.application_id, i.account_id as invited_by, host(s.ip) as sign_up_ip,
      case when u.id is not null then json_build_object('id', r.id::text, 'name', r.name, 'color', r.color,
        'position', r.position, 'permissions', r.permissions, 'highlighted', r.highlighted,
        'collection_limit', r.collection_limit) end as role
    from accounts a left join users u on u.account_id = a.id
    left join sign_ups s on s.user_id = u.id left join invites i on i.id = s.invite_id
    left join roles r on r.id = coalesce(u.role_id, -99)
    where a.id = any(${bigints(ids)}) order by a.id`)

/** IP addresses of users, most recently used first, at most 20 per user. */
export const addressesOf = (
  db: Reader,
  ids: readonly string[],
): Promise<{ account_id: string; ip: string; used_at: Date }[]> =>
  db.rows(sql`select u.account_id, s.ip, s.used_at from users u
    join lateral (select host(ip) as ip, used_at from sign_ins where user_id = u.id
      order by used_at desc limit 20) s on true
    where u.account_id = any(${bigints(ids)}) order by u.account_id, s.used_at desc`)
