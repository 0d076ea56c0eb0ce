/** Inserts many accounts directly into the tables of the service accounts, because creating them one by one over the API takes minutes. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { withSchema } from './tables.js'
import type { User } from './users.js'

/** Calls `work` with a connection to the schema `accounts`, then runs ANALYZE. */
const withAccounts = <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withSchema(databaseUrl, 'accounts', async (client) => {
    const result = await work(client)
    await client.query('analyze accounts; analyze follows; analyze users')
    return result
  })

const FRESH_ID = '(extract(epoch from now()) * 1000)::bigint * 65536 + n'

/** Inserts active local users named `prefix` and a number. Returns their account ids. */
const addUsers = async (client: pg.Client, count: number, prefix: string): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `insert into accounts (id, username, uri, url, created_at)
     select ${FRESH_ID}, $1 || n, 'https://bench.example/ap/users/' || $1 || n, 'https://bench.example/@' || $1 || n, now()
     from generate_series(1, $2::int) as n returning id::text`,
    [prefix, count],
  )
  const ids = rows.map((row) => row.id)
  await client.query(
    `insert into users (id, account_id, email, confirmed_at, active_at, created_at)
     select id, id, id || '@bench.example', now(), now(), now() from unnest($1::bigint[]) as id`,
    [ids],
  )
  await client.query('insert into account_stats (account_id) select id from unnest($1::bigint[]) as id', [ids])
  return ids
}

/** Adds active local followers of an author. Returns their account ids. */
export const addFollowers = (databaseUrl: string, author: User, count: number, prefix: string): Promise<string[]> =>
  withAccounts(databaseUrl, async (client) => {
    const ids = await addUsers(client, count, prefix)
    await client.query(
      'insert into follows (id, account_id, target_id, account_local, created_at) select id, id, $2::bigint, true, now() from unnest($1::bigint[]) as id',
      [ids, author.id],
    )
    return ids
  })

/** Adds local users without followers. Returns their account ids. */
export const addUnfollowed = (databaseUrl: string, count: number, prefix: string): Promise<string[]> =>
  withAccounts(databaseUrl, (client) => addUsers(client, count, prefix))

/** Adds local users with an access token of the application `operator`, which must exist. Returns the tokens. */
export const addSignedIn = (databaseUrl: string, count: number, prefix: string): Promise<string[]> =>
  withAccounts(databaseUrl, async (client) => {
    const ids = await addUsers(client, count, prefix)
    const tokens = ids.map(() => randomBytes(32).toString('base64url'))
    const digests = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
    const { rowCount } = await client.query(
      `insert into access_tokens (id, application_id, user_id, scopes, hash, nonce, by_operator, created_at, last_used_at)
       select given.id, app.id, given.id, '{read}', decode(digest, 'hex'), decode(digest, 'hex'), true, now(), now()
       from unnest($1::bigint[], $2::text[]) as given(id, digest), applications app where app.client_id = 'operator'`,
      [ids, digests],
    )
    if (rowCount !== count) throw new Error('the application `operator` is missing')
    return tokens
  })

/** Adds one remote follower of an author for each of these inboxes. */
export const addRemoteFollowers = (databaseUrl: string, author: User, inboxes: readonly string[]): Promise<void> =>
  withAccounts(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; inbox: string }>(
      `insert into accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, fetched_at, created_at)
       select ${FRESH_ID}, 'reader' || n, split_part(inbox, '/', 3), replace(inbox, '/inbox', '/actor'),
         replace(inbox, '/inbox', '/profile'), inbox, inbox, now(), now()
       from unnest($1::text[]) with ordinality as given(inbox, n)
       on conflict (uri) do update set fetched_at = now() returning id::text, inbox_url as inbox`,
      [inboxes],
    )
    const ids = rows.map((row) => row.id)
    await client.query(
      'insert into account_stats (account_id) select id from unnest($1::bigint[]) as id on conflict do nothing',
      [ids],
    )
    await client.query(
      `insert into follows (id, account_id, target_id, account_local, inbox, created_at)
       select ${FRESH_ID}, id, $3::bigint, false, inbox, now()
       from unnest($1::bigint[], $2::text[]) with ordinality as given(id, inbox, n)`,
      [ids, rows.map((row) => row.inbox), author.id],
    )
  })

/** A remote account whose public key is stored here. */
export interface RemoteAuthor {
  id: string
  uri: string
  keyId: string
  /** RSA key as PEM. */
  privateKey: string
}

/** Adds a remote account with a key pair, and one local follower of it. */
export const addFollowedRemoteAuthor = (databaseUrl: string, follower: User): Promise<RemoteAuthor> =>
  withAccounts(databaseUrl, async (client) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const uri = 'https://remote.example/users/author'
    const keyId = `${uri}#main-key`
    const { rows } = await client.query<{ id: string }>(
      `insert into accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, fetched_at, created_at)
       select ${FRESH_ID}, 'author', 'remote.example', $1, 'https://remote.example/@author', $1 || '/inbox',
         'https://remote.example/inbox', $1 || '/followers', now(), now() from generate_series(1, 1) as n returning id::text`,
      [uri],
    )
    const id = rows[0]?.id ?? ''
    await client.query('insert into account_stats (account_id) values ($1)', [id])
    await client.query('insert into remote_keys (id, account_id, pem) values ($1, $2, $3)', [keyId, id, publicKey])
    await client.query(
      'insert into follows (id, account_id, target_id, account_local, inbox, created_at) values ($1, $2, $1, true, null, now())',
      [id, follower.id],
    )
    return { id, uri, keyId, privateKey }
  })
