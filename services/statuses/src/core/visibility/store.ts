/** The SQL condition for statuses that a viewer may see. Every query that selects statuses for a viewer uses this condition. */
import { type Sql, sql } from '@murmuration/db'

/** Condition on the alias `s`, for statuses of `visibleTo`: the viewer may see the status only as a follower of its author. */
export const forFollowersAlone = (viewer: string | null): Sql =>
  viewer === null
    ? sql`false`
    : sql`(s.visibility = 2 and s.author_id <> ${viewer}::bigint
    and not exists (select 1 from mentions m where m.status_id = s.id and m.account_id = ${viewer}::bigint))`

/**
 * Condition on the alias `s`. Blocks and suspensions are not included: `core/visibility/rules.ts` checks them
 * afterwards, from the loaded statuses.
 * @param follows those of the possible authors that the viewer follows; `later` includes all private statuses, which
 * the rules then check
 */
export const visibleTo = (viewer: string | null, follows: readonly string[] | 'later' = 'later'): Sql => {
  if (viewer === null) return sql`s.visibility <= 1`
  const followed = follows === 'later' ? sql`true` : sql`s.author_id = any(${follows}::bigint[])`
  return sql`(s.visibility <= 1 or s.author_id = ${viewer}::bigint or (s.visibility = 2 and ${followed})
    or exists (select 1 from mentions m where m.status_id = s.id and m.account_id = ${viewer}::bigint))`
}
