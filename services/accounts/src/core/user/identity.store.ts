/** Reads and writes identities at external providers with which users can sign in. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export const userOfIdentity = async (db: Reader, provider: string, subject: string): Promise<string | null> =>
  (
    await db.row<{ user_id: string }>(
      sql`select user_id from identities where provider = ${provider} and subject = ${subject}`,
    )
  )?.user_id ?? null

/** Stores an identity of a user at an external provider. Returns false if the identity belongs to a user already. */
export const insertIdentity = async (
  tx: Tx,
  identity: { provider: string; subject: string; userId: string; at: Date },
): Promise<boolean> =>
  (await tx.run(sql`insert into identities (provider, subject, user_id, created_at)
    values (${identity.provider}, ${identity.subject}, ${identity.userId}, ${identity.at})
    on conflict (provider, subject) do nothing`)) === 1

/** The proposed user names that no local account has, ignoring case, in the order of `names`. */
export const freeNames = async (db: Reader, names: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{
    name: string
  }>(sql`select name from unnest(${names}::text[]) with ordinality t (name, place)
    where not exists (select 1 from accounts where lower(username) = lower(name) and coalesce(domain, '') = '')
    order by place`)
  return rows.map((row) => row.name)
}

/** Providers of a user's identities, with the time of the first one. At most 20 providers. */
export const identitiesOf = (db: Reader, userId: string): Promise<{ provider: string; created_at: Date }[]> =>
  db.rows(sql`select provider, min(created_at) as created_at from identities
    where user_id = ${userId} group by provider order by provider limit 20`)

export const deleteIdentities = (tx: Tx, userId: string, provider: string): Promise<number> =>
  tx.run(sql`delete from identities where user_id = ${userId} and provider = ${provider}`)
