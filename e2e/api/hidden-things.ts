/** Objects of other accounts that one account may not see: one of each kind that has an id in a route. */
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { actOnAccount } from '@murmuration/contracts/admin'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { type Cluster, viewer as viewerOf } from '@murmuration/testkit'
import sharp from 'sharp'

interface TestUser {
  id: string
  token: string
}
type Body = Record<string, unknown>

/** Key in `hidden` of a public status whose author blocks the viewer. Other servers and anonymous viewers see it. */
export const BLOCKED = 'of an author who blocks the viewer'

export interface Things {
  viewer: TestUser
  /** Author of the hidden objects. */
  alice: TestUser
  /** Follows alice. */
  bob: TestUser
  /** Kind of object → description → id of an existing object that the viewer may not see. */
  hidden: Record<string, Record<string, string>>
  /** Id of a status that the viewer may see. */
  open: string
  /** Ids of two further statuses that the viewer may see: one has a reply that the viewer may not see, the other none. */
  threads: { withHiddenReply: string; withoutReply: string }
}

/** Sends one request with `id` as its request id. */
export const send = async (
  cluster: Cluster,
  method: string,
  path: string,
  { token, body, id }: { token?: string | null; body?: Body | FormData | undefined; id?: string } = {},
): Promise<{ status: number; text: string }> => {
  const form = body instanceof FormData
  const response = await fetch(cluster.origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !form && { 'content-type': 'application/json' }),
      ...(id && { 'x-request-id': id }),
      ...(path.startsWith('/api/') ? {} : { accept: 'application/activity+json' }),
    },
    ...(body && { body: form ? body : JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

export const makeThings = async (cluster: Cluster): Promise<Things> => {
  const make = async (who: TestUser, path: string, body: Body | FormData = {}, method = 'POST') => {
    const { status, text } = await send(cluster, method, path, { token: who.token, body })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as { id: string; poll: { id: string } | null; keywords: { id: string }[] }
  }
  const person = async (username: string): Promise<TestUser> => {
    const { id } = await cluster.call(createAccountByOperator, {
      username,
      email: `${username}@mail.example`,
      confirmed: true,
    })
    const { token } = await cluster.call(createTokenByOperator, { username, scopes: 'read write follow push' })
    return { id, token }
  }
  const upload = async (who: TestUser) => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }))
    return make(who, '/api/v2/media', form)
  }

  const viewer = await person('viewer')
  const alice = await person('alice')
  const [bob, grump] = [await person('bob'), await person('grump')]
  await make(bob, `/api/v1/accounts/${alice.id}/follow`)
  const open = (await make(alice, '/api/v1/statuses', { status: 'open', quote_approval_policy: 'public' })).id
  const poll = { options: ['a', 'b'], expires_in: 3_600 }
  const media = async () => [(await upload(alice)).id]
  const secret = await make(alice, '/api/v1/statuses', {
    status: '#cats',
    visibility: 'private',
    media_ids: await media(),
  })
  const asked = await make(alice, '/api/v1/statuses', { status: 'which?', visibility: 'private', poll })
  const direct = await make(alice, '/api/v1/statuses', { status: '@bob hello', visibility: 'direct' })
  const quoting = await make(alice, '/api/v1/statuses', { status: 'so', visibility: 'private', quoted_status_id: open })
  const quotingOwn = await make(alice, '/api/v1/statuses', {
    status: 'once more',
    visibility: 'private',
    quoted_status_id: secret.id,
  })
  const authorization = await cluster
    .db('statuses')
    .row<{ id: string }>(sql`select id from quote_stamps where quoted_id = ${secret.id}`)
  const withHiddenReply = (await make(alice, '/api/v1/statuses', { status: 'with a hidden reply' })).id
  const withoutReply = (await make(alice, '/api/v1/statuses', { status: 'without a reply' })).id
  await make(bob, '/api/v1/statuses', {
    status: 'for followers',
    visibility: 'private',
    in_reply_to_id: withHiddenReply,
  })
  const blocked = await make(grump, '/api/v1/statuses', { status: 'not for the viewer', poll })
  const boost = await make(alice, `/api/v1/statuses/${secret.id}/reblog`)
  await make(grump, `/api/v1/accounts/${viewer.id}/block`)
  const list = await make(alice, '/api/v1/lists', { title: 'mine' })
  const filter = await make(alice, '/api/v2/filters', {
    title: 'mine',
    context: ['home'],
    keywords_attributes: [{ keyword: 'x' }],
  })
  const covered = await make(alice, `/api/v2/filters/${filter.id}/statuses`, { status_id: open })
  const featured = await make(alice, '/api/v1/featured_tags', { name: 'cats' })
  const scheduled = await make(alice, '/api/v1/statuses', {
    status: 'later',
    scheduled_at: new Date(Date.now() + 864e5).toISOString(),
  })
  await make(bob, `/api/v1/statuses/${secret.id}/favourite`)
  const staff = viewerOf('1', { permissions: ALL_PERMISSIONS, position: 1_000 })
  await cluster.call(actOnAccount, { id: alice.id, type: 'none', text: 'a warning' }, staff)
  await cluster.waitForIdle()
  const first = async (path: string) =>
    (
      JSON.parse((await send(cluster, 'GET', path, { token: alice.token })).text) as {
        id: string
        group_key?: string
      }[]
    )[0]?.id ?? ''
  const statuses = {
    'followers-only': secret.id,
    'with a poll': asked.id,
    direct: direct.id,
    'with a quote': quoting.id,
    'with a quote of the own status': quotingOwn.id,
    [BLOCKED]: blocked.id,
    'a boost': boost.id,
  }
  const keyword = filter.keywords[0]?.id ?? ''
  const hidden = {
    statuses,
    quotes: { 'a quote by a hidden status': quoting.id },
    quote_authorizations: { 'of a followers-only status': authorization?.id ?? '' },
    polls: { 'followers-only': asked.poll?.id ?? '', [BLOCKED]: blocked.poll?.id ?? '' },
    lists: { 'of another account': list.id },
    filters: { 'of another account': filter.id },
    'filters/keywords': { 'of another account': keyword },
    'filters/statuses': { 'of another account': covered.id },
    featured_tags: { 'of another account': featured.id },
    conversations: { 'of another account': await first('/api/v1/conversations') },
    notifications: { 'of another account': await first('/api/v1/notifications') },
    scheduled_statuses: { 'of another account': scheduled.id },
    strikes: { 'of another account': await first('/api/murmuration/v1/strikes') },
    media: { 'of another account': (await upload(alice)).id },
  }
  return { viewer, alice, bob, hidden, open, threads: { withHiddenReply, withoutReply } }
}
