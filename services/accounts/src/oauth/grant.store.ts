/** Reads and revokes grants. Here, a grant is all valid tokens of one user and one application. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface GrantRow {
  id: string
  name: string
  website: string | null
  scopes: string[]
  created_at: Date
  used_at: Date | null
}

/** Grants of a user, newest first, at most 200. */
export const grantsOf = (db: Reader, userId: string): Promise<GrantRow[]> =>
  db.rows(sql`select app.id, app.name, app.website, t.scopes, t.created_at, t.used_at
    from (select application_id, array_agg(distinct scope) as scopes, min(created_at) as created_at,
        max(last_used_at) as used_at
      from access_tokens cross join unnest(scopes) as scope
      where user_id = ${userId} and revoked_at is null group by application_id) t
    join applications app on app.id = t.application_id
    order by t.created_at desc, app.id desc limit 200`)

/** Revokes the tokens of an application for a user. Returns the ids of the tokens that were valid. */
export const revokeTokensOfGrant = async (
  tx: Tx,
  { userId, applicationId, at }: { userId: string; applicationId: string; at: Date },
): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`update access_tokens set revoked_at = ${at}
    where user_id = ${userId} and application_id = ${applicationId} and revoked_at is null returning id`)
  return rows.map((row) => row.id)
}

/** Deletes authorization codes of a grant that were not exchanged, because an exchange would create the revoked grant again. */
export const dropCodesOfGrant = (
  tx: Tx,
  { userId, applicationId }: { userId: string; applicationId: string },
): Promise<number> =>
  tx.run(sql`delete from authorization_codes
    where user_id = ${userId} and application_id = ${applicationId} and used_at is null`)
