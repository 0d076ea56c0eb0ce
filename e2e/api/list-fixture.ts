/** A server on which every list of the client API has two items for one account and a dozen for another. */

import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { mapLimited } from '@murmuration/flow'
import type { Cluster } from '@murmuration/testkit'

/** Number of items of a full list. */
export const FULL = 12
/** Number of items of a short list. */
export const SHORT = 2
export const TAG = 'listed'
/** URL of the page whose preview card every public status of the members has. The card is stored without a fetch. */
export const PAGE = 'https://pages.example/all'

export interface Member {
  id: string
  username: string
  token: string
}

type Body = Record<string, unknown>

export interface ListFixture {
  me: Member
  /** Account with two items in each list in which `me` has a dozen. */
  modest: Member
  /** Account that follows only `me`. */
  fresh: Member
  members: Member[]
  /** Ids by name. */
  ids: Record<string, string>
  statuses: string[]
  get(who: Member | null, path: string, headers?: Record<string, string>): Promise<{ status: number; body: unknown }>
  /** Stores rows of trends. A tick recomputes them, so they are stored immediately before each request. */
  trend(): Promise<void>
}

/** Maximum number of requests that run at the same time. */
const AT_ONCE = 6

const range = (length: number): number[] => Array.from({ length }, (_, i) => i)

export const createListFixture = async (cluster: Cluster): Promise<ListFixture> => {
  const request = async (who: Member | null, method: string, path: string, body?: Body, more: Body = {}) => {
    const answer = await fetch(cluster.origin + path, {
      method,
      headers: {
        ...(who && { authorization: `Bearer ${who.token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(more as Record<string, string>),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, text, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }
  const change =
    (method: string) =>
    async (who: Member, path: string, body: Body = {}) => {
      const answer = await request(who, method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
      return answer.body as { id: string }
    }
  const post = change('POST')
  const patch = change('PATCH')
  const put = change('PUT')
  const createMember = async (username: string, role?: string): Promise<Member> => {
    const { id } = await cluster.call(createAccountByOperator, {
      username,
      email: `${username}@mail.example`,
      confirmed: true,
      ...(role && { role }),
    })
    const scopes = `read write follow push${role ? ' admin:read admin:write' : ''}`
    return { id, username, token: (await cluster.call(createTokenByOperator, { username, scopes })).token }
  }

  // Two at a time, because each password hash uses a whole core.
  const members = await mapLimited(range(FULL), 2, (i) => createMember(`members${i}`))
  const [me, modest, fresh, strict, locked, grump] = (await mapLimited(
    ['me', 'modest', 'fresh', 'strict', 'locked', 'grump'],
    2,
    (username) => createMember(username),
  )) as [Member, Member, Member, Member, Member, Member]
  const few = members.slice(0, SHORT)
  const staff = await createMember('staff', 'Owner')
  await mapLimited(range(FULL), AT_ONCE, async (i) => {
    await post(staff, '/api/murmuration/v1/admin/warning_presets', { text: `preset ${i}` })
    await post(staff, `/api/v1/admin/accounts/${me.id}/action`, { type: 'none', text: `strike ${i}` })
  })

  await mapLimited([...members, modest], AT_ONCE, (one) =>
    patch(one, '/api/v1/accounts/update_credentials', { discoverable: true }),
  )
  await patch(locked, '/api/v1/accounts/update_credentials', { locked: true })
  await patch(strict, '/api/v2/notifications/policy', { for_not_following: 'filter' })
  await mapLimited(members, AT_ONCE, async (one) => {
    await post(me, `/api/v1/accounts/${one.id}/follow`)
    await post(one, `/api/v1/accounts/${me.id}/follow`)
    await post(one, `/api/v1/accounts/${locked.id}/follow`)
    await post(me, `/api/v1/accounts/${one.id}/endorse`)
    await post(grump, `/api/v1/accounts/${one.id}/mute`)
  })
  await post(fresh, `/api/v1/accounts/${me.id}/follow`)
  await mapLimited(few, AT_ONCE, (one) => post(modest, `/api/v1/accounts/${one.id}/follow`))

  const list = await post(me, '/api/v1/lists', { title: 'all' })
  await post(me, `/api/v1/lists/${list.id}/accounts`, { account_ids: members.map((one) => one.id) })
  await mapLimited([...range(FULL).map(() => me), ...range(SHORT).map(() => modest)], AT_ONCE, async (who, i) => {
    const made = await post(who, '/api/v1/lists', { title: `list ${i}` })
    await post(who, `/api/v1/lists/${made.id}/accounts`, { account_ids: [members[0]?.id] })
  })
  await mapLimited(range(8), AT_ONCE, (i) =>
    post(me, '/api/v1/collections', { name: `collection ${i}`, discoverable: true, account_ids: [members[0]?.id] }),
  )

  const root = await post(me, '/api/v1/statuses', { status: 'a root', quote_approval_policy: 'public' })
  const stub = await post(me, '/api/v1/statuses', { status: 'a short root' })
  const statuses = await mapLimited(members, AT_ONCE, async (one, i) => {
    const status = `@me @strict said ${i} #${TAG} #${TAG}${i}`
    const poll = i % 4 === 1 ? { poll: { options: ['a', 'b'], expires_in: 3_600 } } : {}
    const { id } = await post(one, '/api/v1/statuses', { status, ...poll })
    await post(me, `/api/v1/statuses/${id}/favourite`)
    await post(me, `/api/v1/statuses/${id}/bookmark`)
    await post(one, `/api/v1/statuses/${root.id}/favourite`)
    await post(one, `/api/v1/statuses/${root.id}/reblog`)
    await post(one, '/api/v1/statuses', { status: `quoted ${i}`, quoted_status_id: root.id })
    await post(one, '/api/v1/statuses', { status: `@me an answer ${i}`, in_reply_to_id: root.id })
    await post(one, '/api/v1/statuses', { status: `@me in private ${i}`, visibility: 'direct' })
    return id
  })
  await mapLimited(few, AT_ONCE, (one) =>
    post(one, '/api/v1/statuses', { status: '@me short', in_reply_to_id: stub.id }),
  )
  for (let i = 0; i < FULL; i++) await put(me, `/api/v1/statuses/${root.id}`, { status: `a root, version ${i}` })
  await put(me, `/api/v1/statuses/${stub.id}`, { status: 'a short root, once more' })

  const keywords = (count: number) => ({
    context: ['home'],
    keywords_attributes: range(count).map((i) => ({ keyword: `nowhere ${i}` })),
  })
  const filters = { full: '', short: '' }
  filters.full = (await post(grump, '/api/v2/filters', { title: 'full', ...keywords(FULL) })).id
  filters.short = (await post(grump, '/api/v2/filters', { title: 'short', ...keywords(SHORT) })).id
  await mapLimited(statuses, AT_ONCE, (status_id, i) =>
    Promise.all([
      post(grump, `/api/v2/filters/${filters.full}/statuses`, { status_id }),
      i < SHORT && post(grump, `/api/v2/filters/${filters.short}/statuses`, { status_id }),
      post(grump, '/api/v1/domain_blocks', { domain: `blocked${i}.example` }),
      post(me, `/api/v1/tags/${TAG}${i}/follow`),
      i < SHORT && post(modest, `/api/v1/tags/${TAG}${i}/follow`),
      i < 10 && post(me, '/api/v1/featured_tags', { name: `${TAG}${i}` }),
      i < SHORT && post(modest, '/api/v1/featured_tags', { name: `${TAG}${i}` }),
      post(grump, '/api/v2/filters', { title: `more ${i}`, ...keywords(1) }),
      i < SHORT && post(modest, '/api/v2/filters', { title: `more ${i}`, ...keywords(1) }),
      post(me, '/api/v1/statuses', {
        status: `later ${i}`,
        scheduled_at: new Date(Date.now() + 864e5 + i * 6e4).toISOString(),
      }),
    ]),
  )
  await cluster.waitForIdle()
  const groups = (await request(me, 'GET', '/api/v2/notifications?types[]=favourite')).body as {
    notification_groups: { group_key: string; sample_account_ids: string[] }[]
  }
  // Blocks are last, because they end follows.
  await mapLimited(members, AT_ONCE, (one) => post(strict, `/api/v1/accounts/${one.id}/follow`))
  await mapLimited(members, AT_ONCE, (one) => post(grump, `/api/v1/accounts/${one.id}/block`))
  await cluster.waitForIdle()

  const db = cluster.db('statuses')
  await db.run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url,
      provider_name, provider_url, html, width, height, embed_url, image_description, image_id, fetched_at)
    select n, case n when 1 then ${PAGE} else ${PAGE} || n end, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', '', n, now()
    from generate_series(1, ${FULL}::int) n on conflict do nothing`)
  await db.run(sql`update statuses set preview_id = (select id from previews where url = ${PAGE})
    where id = any(${statuses}::bigint[])`)
  await db.run(sql`insert into status_previews (preview_id, status_id)
    select p.id, status from previews p, unnest(${statuses}::bigint[]) status where p.url = ${PAGE}`)
  return {
    me,
    modest,
    fresh,
    members,
    statuses,
    ids: {
      list: list.id,
      root: root.id,
      stub: stub.id,
      filterFull: filters.full,
      filterShort: filters.short,
      group: groups.notification_groups[0]?.group_key ?? '',
      strict: strict.token,
      locked: locked.token,
      grump: grump.token,
      staff: staff.token,
    },
    get: (who, path, headers = {}) => request(who, 'GET', path, undefined, headers),
    trend: async () => {
      await db.run(sql`insert into trends (kind, id, score, top_score, top_at, language, author_id, allowed)
        select 0, id, 5, 5, now(), 'en', null::bigint, true from tags where name like ${`${TAG}%`}
        union all select 1, id, 5, 5, now(), 'en', null, true from previews where id between 1 and ${FULL}
        union all select 2, id, 5, 5, now(), 'en', author_id, true from statuses where id = any(${statuses}::bigint[])
        on conflict (kind, id) do update set score = excluded.score, allowed = excluded.allowed`)
    },
  }
}
