/** Removal of old remote statuses and of pictures of old preview cards, with the real services. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createFollow, putRemote } from '@murmuration/contracts/accounts'
import { listAuditLog, removePreviewCards, removeStatuses, showAdminTask } from '@murmuration/contracts/admin'
import { putRemoteAttachments } from '@murmuration/contracts/media'
import { removeUnreferencedStatuses } from '@murmuration/contracts/statuses'
import type { Task } from '@murmuration/contracts/task'
import { openDatabase, sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let alice: string
let other: string
let followed: string
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  alice = (await cluster.call(createAccountByOperator, { username: 'alice', email: 'a@mail.example' })).id
  const made = (name: string) => cluster.call(putRemote, { actor: remoteActor(name, 'remote.example') })
  other = (await made('other')).record.id
  followed = (await made('followed')).record.id
  await cluster.call(createFollow, { id: followed }, viewer(alice))
  await cluster.db('accounts').run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    values (1, ${alice}, ${followed}, true, now()) on conflict do nothing`)
  await cluster.waitForIdle()
})
afterAll(() => cluster.stop())

const db = () => cluster.db('statuses')
/** Stores a status of 2020, unless `id` has a later time. */
const put = (id: string | number, { author = other, local = false, reblog = null as number | null } = {}) =>
  db().tx(async (tx) => {
    await tx.run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, created_at,
        reblog_of_id, reblog_of_author_id)
      values (${id}, ${author}, ${local}, 0, ${`https://remote.example/${id}`}, ${id}, now(), ${reblog}, ${reblog && other})`)
    await tx.run(sql`insert into post_uris (uri, status_id) values (${`https://remote.example/${id}`}, ${id})`)
    if (reblog)
      await tx.run(
        sql`insert into reblogs (account_id, status_id, reblog_id, open) values (${author}, ${reblog}, ${id}, true)`,
      )
  })
const answer = (parent: number, child: number | string) =>
  db().run(sql`insert into replies (parent_id, child_id) values (${parent}, ${child})`)
const living = async () =>
  (
    await db().rows<{ id: string }>(sql`select id from statuses where deleted_at is null and id < 1000 order by id`)
  ).map((row) => Number(row.id))
const ended = async ({ id }: Task): Promise<Task> => {
  await cluster.waitForIdle()
  return cluster.call(showAdminTask, { id })
}
const remove = async (input: object = {}) => ended(await cluster.call(removeStatuses, input))

const YOUNG = String(BigInt(Date.now()) << 16n)

test('statuses with interactions of local accounts stay, with all statuses above them in their threads', async () => {
  for (let id = 1; id <= 30; id++) await put(id)
  // 1 mentions alice. She favourited 2, bookmarked 3, voted in 4, boosted 5, replied to 6 and quoted 8. 7 replies to her.
  await db().run(sql`insert into mentions (status_id, account_id) values (1, ${alice}), (21, ${followed})`)
  await db().run(sql`insert into favourites (id, account_id, status_id, uri)
    values (1, ${alice}, 2, null), (2, ${followed}, 22, 'https://remote.example/like')`)
  await db().run(sql`insert into bookmarks (id, account_id, status_id) values (1, ${alice}, 3)`)
  await db().run(sql`update statuses set poll_id = 900 where id = 4`)
  await db().run(sql`insert into poll_votes (id, poll_id, account_id, choice) values (1, 900, ${alice}, 0)`)
  await put(105, { author: alice, local: true, reblog: 5 })
  await put(106, { author: alice, local: true })
  await answer(6, 106)
  await answer(106, 7)
  await put(108, { author: alice, local: true })
  await db().run(sql`insert into quotes (status_id, id, author_id, quoted_id, quoted_author_id, state)
    values (108, 1, ${alice}, 8, ${other}, 1)`)
  // 9 is by an author whom alice follows, who boosted 10. 11 is above 12, which is above 2. 13 has a recent reply.
  await db().run(sql`update statuses set author_id = ${followed} where id = 9`)
  await put(110, { author: followed, reblog: 10 })
  await answer(11, 12)
  await answer(12, 2)
  await put(YOUNG)
  await answer(13, YOUNG)
  // 14 is in a report. 15 is above 16, which has no interactions.
  await cluster
    .db('admin')
    .run(sql`insert into reports (id, account_id, target_account_id, status_ids, category, created_at, updated_at)
    values (1, ${alice}, ${other}, '{14}', 'spam', now(), now())`)
  await answer(15, 16)
  const kept = [...Array.from({ length: 14 }, (_, n) => n + 1), 105, 106, 108, 110]
  const counted = await remove({ dry_run: true })
  expect(counted).toMatchObject({ state: 'done', seen: 31, changed: 16 })
  expect((await living()).length).toBe(30 + 4)
  expect(await remove({ batch_size: 7 })).toMatchObject({ state: 'done', changed: 16 })
  expect(await living()).toEqual(kept)
  expect(await remove()).toMatchObject({ changed: 0 })
  const { entries } = await cluster.call(listAuditLog, {})
  expect(entries.filter((one) => one.action === 'remove_statuses')).toHaveLength(2)
})

test('with a flag, statuses of followed authors and their boosts are removed too', async () => {
  expect(await remove({ clean_followed: true, dry_run: true })).toMatchObject({ changed: 3 })
  expect(await remove({ clean_followed: true })).toMatchObject({ changed: 3 })
  expect(await living()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 105, 106, 108])
})

test('a removed status can be fetched again, and its files are deleted', async () => {
  await put(40)
  const file = { media_type: 'image/jpeg', description: null, blurhash: null, width: null, height: null, focus: null }
  const { ids } = await cluster.call(putRemoteAttachments, {
    owner: other,
    status: '40',
    attachments: [{ url: 'https://remote.example/40.jpg', ...file }],
  })
  await db().run(sql`update statuses set media_ids = ${ids}::bigint[], has_media = true where id = 40`)
  expect(await remove()).toMatchObject({ changed: 1 })
  expect(await db().rows(sql`select 1 from post_uris where uri = 'https://remote.example/40'`)).toEqual([])
  expect(await cluster.db('media').rows(sql`select 1 from attachments where status = 40`)).toEqual([])
})

test('an interaction between listing and removal keeps a status', async () => {
  await put(50)
  await db().run(sql`insert into bookmarks (id, account_id, status_id) values (2, ${alice}, 50)`)
  expect(await cluster.call(removeUnreferencedStatuses, { ids: ['50'], before: YOUNG })).toEqual({ removed: 0 })
  expect(await cluster.call(removeUnreferencedStatuses, { ids: ['106'], before: YOUNG })).toEqual({ removed: 0 })
  expect(await living()).toContain(50)
})

test('pending quotes and scheduled statuses of local accounts keep a status', async () => {
  for (const id of [60, 61, 62, 63, 64]) await put(id)
  await put(160, { author: alice, local: true })
  // alice waits for the approval of her quote of 60. Her quote of 63 was rejected.
  await put(163, { author: alice, local: true })
  await db().run(sql`insert into quotes (status_id, id, author_id, quoted_id, quoted_author_id, state)
    values (160, 60, ${alice}, 60, ${other}, 0), (163, 63, ${alice}, 63, ${other}, 2)`)
  await db().run(sql`insert into scheduled_statuses (id, account_id, scheduled_at, params) values
    (161, ${alice}, now() + interval '1 day', '{"in_reply_to_id": "61", "quoted_status_id": null}'),
    (162, ${alice}, now() + interval '1 day', '{"in_reply_to_id": null, "quoted_status_id": "62"}')`)
  expect(await remove({ dry_run: true })).toMatchObject({ changed: 2 })
  expect(await remove()).toMatchObject({ changed: 2 })
  const kept = await living()
  expect(kept.filter((id) => id >= 60 && id < 100)).toEqual([60, 61, 62])
})

test('pictures of old preview cards are removed with their files, of pages only with a flag', async () => {
  const file = { media_type: 'image/*', description: null, blurhash: null, width: null, height: null, focus: null }
  const card = async (id: number, type: number, at: string) => {
    const { ids } = await cluster.call(putRemoteAttachments, {
      owner: String(id),
      status: String(id),
      attachments: [{ url: `https://page.example/${id}.jpg`, ...file }],
    })
    await db().run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url,
        provider_name, provider_url, html, width, height, embed_url, image_id, image_description, fetched_at)
      values (${id}, ${`https://page.example/${id}`}, ${type}, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', ${ids[0]}, '',
        ${at}::timestamptz)`)
  }
  await card(501, 0, '2020-01-01')
  await card(502, 2, '2020-01-02')
  await card(503, 0, new Date().toISOString())
  const left = async () =>
    (await cluster.db('media').rows<{ status: string }>(sql`select status from attachments order by status`)).map(
      (row) => row.status,
    )
  const cards = async (input: object) => ended(await cluster.call(removePreviewCards, input))
  expect(await cards({ dry_run: true })).toMatchObject({ state: 'done', seen: 2, changed: 2 })
  expect(await cards({ link: true })).toMatchObject({ seen: 2, changed: 1 })
  expect(await left()).toEqual(['502', '503'])
  expect(await cards({ days: 1 })).toMatchObject({ seen: 2, changed: 1 })
  expect(await left()).toEqual(['503'])
  expect(await cards({})).toMatchObject({ changed: 0 })
  expect(await db().rows(sql`select id from previews where image_id is null order by id`)).toHaveLength(2)
})

test('a page that is fetched again while its card loses the picture keeps the new picture', async () => {
  const file = { media_type: 'image/*', description: null, blurhash: null, width: null, height: null, focus: null }
  const picture = async (card: string, name: string) => {
    const attachments = [{ url: `https://page.example/${name}.jpg`, ...file }]
    return (await cluster.call(putRemoteAttachments, { owner: card, status: card, attachments })).ids[0] ?? ''
  }
  // The new page of 511 has another picture, that of 512 the same.
  const [old, fresh, same] = [
    await picture('511', 'old'),
    await picture('511', 'fresh'),
    await picture('512', 'same'),
  ] as const
  for (const [id, image] of [
    ['511', old],
    ['512', same],
  ] as const)
    await db().run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url,
        provider_name, provider_url, html, width, height, embed_url, image_id, image_description, fetched_at)
      values (${id}, ${`https://page.example/${id}`}, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', ${image}, '', '2020-01-01')`)
  const owner = openDatabase({ url: cluster.env.DATABASE_URL ?? '', schema: 'statuses' })
  await owner.run(sql`create table statuses.read_again as
    select * from (values (511::bigint, ${fresh}::bigint), (512, ${same}::bigint)) as v(id, image)`)
  await owner.run(sql`create function statuses.read_again() returns trigger language plpgsql security definer as 'begin
    update statuses.previews p set image_id = r.image from statuses.read_again r where p.id = new.id and r.id = new.id;
    return null; end'`)
  await owner.run(sql`create trigger read_again after update of image_id on statuses.previews for each row
    when (new.image_id is null) execute function statuses.read_again()`)
  await ended(await cluster.call(removePreviewCards, {}))
  await owner.run(sql`drop trigger read_again on statuses.previews`)
  await owner.run(sql`drop function statuses.read_again`)
  await owner.run(sql`drop table statuses.read_again`)
  await owner.close()
  const left = await cluster
    .db('media')
    .rows<{ id: string }>(sql`select id from attachments where status in (511, 512) order by id`)
  expect(left.map((row) => row.id)).toEqual([fresh, same])
})

test('a pinned status stays', async () => {
  for (const id of [70, 71]) await put(id)
  await db().run(sql`insert into pins (id, account_id, status_id) values (1, ${other}, 70)`)
  await remove()
  expect((await living()).filter((id) => id === 70 || id === 71)).toEqual([70])
})

test('a status with too many replies below it stays, and the others of its window are removed', async () => {
  for (const id of [80, 81, 82]) await put(id)
  await db().run(sql`insert into replies (parent_id, child_id) select 81, n from generate_series(500001, 550001) n`)
  expect(await remove()).toMatchObject({ changed: 2 })
  expect((await living()).filter((id) => id >= 80 && id < 90)).toEqual([81])
})

/** Stores a chain of replies, each to the previous one. Returns the last id. */
const chain = async (first: number, replies: number): Promise<number> => {
  const last = first + replies
  await db().run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, created_at)
    select n, ${other}, false, 0, 'https://remote.example/' || n, ${first}, now() from generate_series(${first}::bigint, ${last}::bigint) n`)
  await db().run(sql`insert into replies (parent_id, child_id)
    select n - 1, n from generate_series(${first + 1}::bigint, ${last}::bigint) n`)
  return last
}
const deep = async () =>
  (
    await db().row<{ n: number }>(sql`select count(*)::int as n from statuses where id >= 700000 and id < 800000
      and deleted_at is null`)
  )?.n

test('a thread of 5,000 replies below one another is removed, unless its last reply is by a followed author', async () => {
  const last = await chain(700_000, 5_000)
  await db().run(sql`update statuses set author_id = ${followed} where id = ${last}`)
  expect(await remove({ batch_size: 1_000, dry_run: true })).toMatchObject({ state: 'done', error: null })
  expect(await remove({ batch_size: 1_000 })).toMatchObject({ state: 'done', changed: 0, error: null })
  expect(await deep()).toBe(5_001)
  expect(await remove({ batch_size: 1_000, clean_followed: true })).toMatchObject({ state: 'done', error: null })
  expect(await deep()).toBe(0)
})

test('many statuses with too many replies are checked in several requests, and none is missed', async () => {
  for (let id = 900; id < 910; id++) await put(id)
  const wide = (id: number) =>
    db().run(
      sql`insert into replies (parent_id, child_id) select ${id}::bigint, n from generate_series(600001, 650001) n`,
    )
  for (const id of [900, 902, 903, 905, 909]) await wide(id)
  expect(await remove({ batch_size: 10 })).toMatchObject({ state: 'done', changed: 5, error: null })
  expect((await living()).filter((id) => id >= 900)).toEqual([900, 902, 903, 905, 909])
})
