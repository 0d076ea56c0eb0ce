/** How accounts stand with moderators: one, or all of a domain, a page at a time. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/** An account, or a domain with everything below it, unless it is meant exactly. */
export type Scope = { id: string } | { domain: string; exact?: boolean | undefined }

export type Standing = 'silenced' | 'suspended'

const within = (scope: Scope): Sql => {
  if ('id' in scope) return sql`id = ${scope.id}`
  const turned = [...scope.domain].reverse().join('')
  if (scope.exact) return sql`domain is not null and reverse(domain) = ${turned}`
  // The index is on the reversed name, where a domain and what is below it lie together.
  return sql`domain is not null and (reverse(domain) = ${turned} or reverse(domain) like ${`${turned.replace(/[\\%_]/g, '\\$&')}.%`})`
}

const columnsOf = (standing: Standing): { at: Sql; by: Sql } =>
  standing === 'silenced'
    ? { at: sql`silenced_at`, by: sql`silenced_by` }
    : { at: sql`suspended_at`, by: sql`suspended_by` }

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

/** Limits or suspends those that are not yet; gives their ids. */
export const impose = async (
  tx: Tx,
  standing: Standing,
  scope: Scope,
  options: { stamp: string; at: Date; limit: number },
): Promise<string[]> => {
  const { at, by } = columnsOf(standing)
  return idsOf(
    await tx.rows(sql`update accounts set ${at} = ${options.at}, ${by} = ${options.stamp}
      where id in (select id from accounts where ${within(scope)} and ${at} is null order by id limit ${options.limit})
      returning id`),
  )
}

/** Lifts it again, unless the account is gone for good. For a domain only what carries one of the stamps. */
export const lift = async (
  tx: Tx,
  standing: Standing,
  scope: Scope,
  options: { stamps: readonly string[]; limit: number },
): Promise<string[]> => {
  const { at, by } = columnsOf(standing)
  const stamped = 'id' in scope ? sql`` : sql`and ${by} = any(${options.stamps}::text[])`
  return idsOf(
    await tx.rows(sql`update accounts set ${at} = null, ${by} = null
      where id in (select id from accounts where ${within(scope)} and removed_at is null and ${at} is not null ${stamped}
        order by id limit ${options.limit})
      returning id`),
  )
}

/** The stamps of what was decided about an account; null for what was not. */
export const decisionsOn = (
  db: Reader,
  id: string,
): Promise<{ suspended: string | null; silenced: string | null; sensitized: boolean } | null> =>
  db.row(sql`select suspended_by as suspended, silenced_by as silenced, sensitized_at is not null as sensitized
    from accounts where id = ${id}`)

/** Shows all media of an account as sensitive, or no longer. */
export const setSensitized = async (tx: Tx, id: string, at: Date | null): Promise<string[]> =>
  idsOf(
    await tx.rows(sql`update accounts set sensitized_at = ${at}
      where id = ${id} and (sensitized_at is null) = (${at}::timestamptz is not null) returning id`),
  )

/** Disables a login, or enables it; gives the account id when that changed something. */
export const setDisabled = async (tx: Tx, id: string, disabled: boolean): Promise<string[]> =>
  idsOf(
    await tx.rows(sql`update users set disabled = ${disabled}
      where account_id = ${id} and disabled <> ${disabled} returning account_id as id`),
  )
