/** One account on each server: they find, follow, read, reply, like, boost, undo and block each other. */
import { Agent, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, eventually, find, type Me, person, type Status } from './accounts.js'
import { type Site, startSites } from './clusters.js'

let one: Site
let two: Site
let stop: () => Promise<void>
let ann: Me
let ben: Me

beforeAll(async () => {
  const sites = await startSites()
  setGlobalDispatcher(new Agent({ connect: { ca: sites.certificate } }))
  one = sites.one
  two = sites.two
  stop = sites.stop
  ann = await person(one, 'ann')
  ben = await person(two, 'ben')
})
afterAll(() => stop?.())

test('every published URL is https and on the public domain', async () => {
  const instance = await ann.get<{ domain: string; configuration: { urls: { streaming: string } } }>('/api/v2/instance')
  expect(instance.domain).toBe('one.example')
  expect(instance.configuration.urls.streaming).toBe('wss://one.example')
  const me = await ann.get<{ url: string; uri: string; avatar: string }>('/api/v1/accounts/verify_credentials')
  for (const address of [me.url, me.uri, me.avatar]) expect(address).toMatch(/^https:\/\/one\.example\//)
})

test('T3 a handle resolves, and a follow is accepted', async () => {
  const remote = await find(ann, ben.handle)
  expect(remote.acct).toBe(ben.handle)
  await ann.post(`/api/v1/accounts/${remote.id}/follow`)
  await eventually(
    () => ben.get<Account[]>(`/api/v1/notifications?types[]=follow`),
    (found) => expect(found).toHaveLength(1),
  )
  await eventually(
    () => ann.get<{ following: boolean; requested: boolean }[]>(`/api/v1/accounts/relationships?id[]=${remote.id}`),
    (found) => expect(found[0]).toMatchObject({ following: true, requested: false }),
  )
})

test('a status arrives in the home timeline on the other server, and a reply returns', async () => {
  const back = await find(ben, ann.handle)
  await ben.post(`/api/v1/accounts/${back.id}/follow`)
  const status = await ben.post<Status>('/api/v1/statuses', { status: 'Hello over there, #federation' })
  await eventually(
    () => ann.get<Status[]>('/api/v1/timelines/home'),
    (home) => expect(home.map((found) => found.uri)).toContain(status.uri),
  )
  const [seen] = (await ann.get<Status[]>('/api/v1/timelines/home')).filter((found) => found.uri === status.uri)
  await ann.post('/api/v1/statuses', { status: `@${ben.handle} hello back`, in_reply_to_id: seen?.id })
  await eventually(
    () => ben.get<{ type: string; status: Status }[]>('/api/v1/notifications?types[]=mention'),
    (found) => expect(found[0]?.status.in_reply_to_id).toBe(status.id),
  )
})

test('likes and boosts are counted on both servers, and undone', async () => {
  const status = await ben.post<Status>('/api/v1/statuses', { status: 'Like this' })
  await eventually(
    () => ann.get<Status[]>('/api/v1/timelines/home'),
    (home) => expect(home.map((found) => found.uri)).toContain(status.uri),
  )
  const seen = (await ann.get<Status[]>('/api/v1/timelines/home')).find((found) => found.uri === status.uri)
  await ann.post(`/api/v1/statuses/${seen?.id}/favourite`)
  await ann.post(`/api/v1/statuses/${seen?.id}/reblog`)
  await eventually(
    () => ben.get<Status>(`/api/v1/statuses/${status.id}`),
    (found) => expect(found).toMatchObject({ favourites_count: 1, reblogs_count: 1 }),
  )
  await ann.post(`/api/v1/statuses/${seen?.id}/unfavourite`)
  await ann.post(`/api/v1/statuses/${seen?.id}/unreblog`)
  await eventually(
    () => ben.get<Status>(`/api/v1/statuses/${status.id}`),
    (found) => expect(found).toMatchObject({ favourites_count: 0, reblogs_count: 0 }),
  )
})

test('a direct status is delivered only to the mentioned account', async () => {
  await ben.post('/api/v1/statuses', { status: `@${ann.handle} just between us`, visibility: 'direct' })
  await eventually(
    () => ann.get<{ status: Status }[]>('/api/v1/notifications?types[]=mention'),
    (found) => expect(found.map((each) => each.status.visibility)).toContain('direct'),
  )
  const open = await fetch(`${one.origin}/api/v1/timelines/public`)
  expect(JSON.stringify(await open.json())).not.toContain('just between us')
})

test('a deleted status is deleted on the other server', async () => {
  const status = await ben.post<Status>('/api/v1/statuses', { status: 'Soon gone' })
  await eventually(
    () => ann.get<Status[]>('/api/v1/timelines/home'),
    (home) => expect(home.map((found) => found.uri)).toContain(status.uri),
  )
  await ben.remove(`/api/v1/statuses/${status.id}`)
  await eventually(
    () => ann.get<Status[]>('/api/v1/timelines/home'),
    (home) => expect(home.map((found) => found.uri)).not.toContain(status.uri),
  )
})

test('a locked account gets a follow request, and may reject it', async () => {
  await fetch(`${two.origin}/api/v1/accounts/update_credentials`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: '{"locked":true}',
  })
  const cat = await person(one, 'cat')
  const remote = await find(cat, ben.handle)
  await cat.post(`/api/v1/accounts/${remote.id}/follow`)
  await eventually(
    () => ben.get<Account[]>('/api/v1/follow_requests'),
    (found) => expect(found.map((each) => each.acct)).toContain(cat.handle),
  )
  const [asker] = await ben.get<Account[]>('/api/v1/follow_requests')
  await ben.post(`/api/v1/follow_requests/${asker?.id}/reject`)
  await eventually(
    () => cat.get<{ following: boolean; requested: boolean }[]>(`/api/v1/accounts/relationships?id[]=${remote.id}`),
    (found) => expect(found[0]).toMatchObject({ following: false, requested: false }),
  )
})

interface Relation {
  following: boolean
  followed_by: boolean
  requested: boolean
}
const relation = async (me: Me, id: string): Promise<Relation | undefined> =>
  (await me.get<Relation[]>(`/api/v1/accounts/relationships?id[]=${id}`))[0]

test('moderation 1: follows with a blocked domain end in both directions on both servers, and accounts are notified', async () => {
  const [there, here] = [await find(ann, ben.handle), await find(ben, ann.handle)]
  await eventually(
    () => relation(ann, there.id),
    (found) => expect(found).toMatchObject({ following: true, followed_by: true }),
  )
  await one.product.ctl('domain-block', 'add', two.domain, '--severity', 'suspend', '--comment', 'spam')
  await eventually(
    () => ann.get<{ event: object }[]>('/api/v1/notifications?types[]=severed_relationships'),
    (found) =>
      expect(found[0]?.event).toMatchObject({
        type: 'domain_block',
        target_name: two.domain,
        following_count: 1,
        followers_count: 1,
      }),
  )
  // Undo and Reject are still delivered to the blocked server, so that both servers end the follows.
  await eventually(
    () => relation(ben, here.id),
    (found) => expect(found).toMatchObject({ following: false, followed_by: false }),
  )
  const status = await ben.post<Status>('/api/v1/statuses', { status: `@${ann.handle} can you hear me` })
  await eventually(
    () => two.product.ctl('federation', 'explain', status.uri),
    (found) => expect(JSON.stringify(found)).toContain('"status":403'),
  )
  expect((await ann.get<Status[]>('/api/v1/timelines/home')).map((found) => found.uri)).not.toContain(status.uri)
  await expect(find(ann, ben.handle)).rejects.toThrow()
  expect(await one.product.ctl('domain-block', 'export')).toEqual([
    ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate'],
    [two.domain, 'suspend', 'false', 'false', 'spam', 'false'],
  ])
})

test('moderation 1: after an unblock accounts are found again without their follows; from a limited domain a follow needs approval', async () => {
  await one.product.ctl('domain-block', 'remove', two.domain)
  await eventually(
    () => find(ann, ben.handle),
    (found) => expect(found.acct).toBe(ben.handle),
  )
  const there = await find(ann, ben.handle)
  expect(await relation(ann, there.id)).toMatchObject({ following: false, followed_by: false })
  await one.product.ctl('domain-block', 'add', two.domain, '--severity', 'silence')
  await one.product.waitForIdle()
  const here = await find(ben, ann.handle)
  await ben.post(`/api/v1/accounts/${here.id}/follow`)
  await eventually(
    () => ann.get<Account[]>('/api/v1/follow_requests'),
    (found) => expect(found.map((each) => each.acct)).toContain(ben.handle),
  )
  await ann.post(`/api/v1/follow_requests/${there.id}/authorize`)
  await eventually(
    () => relation(ben, here.id),
    (found) => expect(found).toMatchObject({ following: true, requested: false }),
  )
})
