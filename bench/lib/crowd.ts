/** Thousands of local followers, written straight into the database: making them one by one would be the bench. */
import pg from 'pg'
import { createClient } from 'redis'
import type { Person } from './people.js'

/** Adds active local followers of an author; returns their account ids. */
export const addFollowers = async (
  databaseUrl: string,
  author: Person,
  count: number,
  prefix: string,
): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set search_path = accounts')
    const { rows } = await client.query<{ id: string }>(
      `with made as (
         insert into accounts (id, username, uri, url, created_at)
         select (extract(epoch from now()) * 1000)::bigint * 65536 + n, $1 || n, 'https://bench.example/ap/users/' || $1 || n, 'https://bench.example/@' || $1 || n, now()
         from generate_series(1, $2::int) as n returning id, username)
       select id::text from made`,
      [prefix, count],
    )
    const ids = rows.map((row) => row.id)
    await client.query(
      "insert into users (id, account_id, email, confirmed_at, active_at, created_at) select id, id, id || '@bench.example', now(), now(), now() from unnest($1::bigint[]) as id",
      [ids],
    )
    await client.query(
      'insert into account_stats (account_id) select id from unnest($1::bigint[]) as id on conflict do nothing',
      [ids],
    )
    await client.query(
      'insert into follows (id, account_id, target_id, account_local, created_at) select id, id, $2::bigint, true, now() from unnest($1::bigint[]) as id',
      [ids, author.id],
    )
    await client.query('analyze accounts; analyze follows; analyze users')
    return ids
  } finally {
    await client.end()
  }
}

/** A connection to the bench's Redis. */
export const openRedis = async (url: string) => {
  const client = createClient({ url })
  await client.connect()
  return client
}
