/** The one SQL condition for what a viewer may see; every query over statuses for a reader uses it. */
import { type Sql, sql } from '@murmuration/db'

/**
 * A condition on the alias `s`. Blocks and suspensions are not in it: they belong to accounts and are judged from loaded
 * facts by `core/visibility/rules.ts` afterwards, which decides in any case.
 * @param follows those of the authors in question whom the viewer follows; `later` lets private statuses through to the
 *   rules, for queries whose authors are not known beforehand
 */
export const visibleTo = (viewer: string | null, follows: readonly string[] | 'later' = 'later'): Sql => {
  if (viewer === null) return sql`s.visibility <= 1`
  const followed = follows === 'later' ? sql`true` : sql`s.author_id = any(${follows}::bigint[])`
  return sql`(s.visibility <= 1 or s.author_id = ${viewer}::bigint or (s.visibility = 2 and ${followed})
    or exists (select 1 from mentions m where m.status_id = s.id and m.account_id = ${viewer}::bigint))`
}
