/** Posting, reading and deleting statuses, on real stores. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacheNewStatus } from '../src/compose/cache-new-status.js'
import { cardText } from '../src/core/card/card.js'
import { insertMentions } from '../src/core/status/mention.store.js'
import type { FullStatus } from '../src/core/status/new-status.js'
import { insertStatus, rowsOf } from '../src/core/status/store.js'
import { loadStatuses } from '../src/core/viewer/loaded-status.store.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let cat: FakeAccount
let far: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  const { fakes } = harness
  ann = fakes.fakeAccount('ann')
  bob = fakes.fakeAccount('bob')
  cat = fakes.fakeAccount('cat')
  far = fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const refused = (status: number, message: string) => expect.objectContaining({ status, message })
const mentioned = (status: { mentions: { acct: string }[] }) => status.mentions.map((one) => one.acct)

describe('creating', () => {
  test('a plain status has everything a client reads', async () => {
    const status = await harness.post(ann, 'Hello #World & all')
    expect(status.content).toMatch(
      /^<p>Hello <a href="http:\/\/localhost:\d+\/tags\/world" class="mention hashtag" rel="tag">#<span>World<\/span><\/a> &amp; all<\/p>$/,
    )
    expect(status).toMatchObject({
      visibility: 'public',
      language: 'en',
      sensitive: false,
      spoiler_text: '',
      replies_count: 0,
      favourites_count: 0,
      reblogs_count: 0,
      favourited: false,
      reblogged: false,
      bookmarked: false,
      muted: false,
      pinned: false,
      filtered: [],
      card: null,
      poll: null,
      application: { name: 'Test app', website: null },
      account: { id: ann.id },
      uri: `${ann.uri}/statuses/${status.id}`,
      url: `${ann.url}/${status.id}`,
      tags: [{ name: 'world' }],
    })
    expect(await call(statuses.showStatus, { id: status.id }, harness.as(ann))).toEqual(status)
  })

  test.each([[{}], [''], [null]])('an empty poll (%j) is no poll', async (poll) => {
    const { id } = await harness.post(ann, { status: 'no poll', poll })
    expect((await harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))).poll).toBeNull()
  })

  test('the cached columns of a new status equal its rows', async () => {
    const db = harness.cluster.db('statuses')
    const id = String(Date.now() * 65_536)
    const whole: FullStatus = {
      push: true,
      row: {
        id,
        author_id: ann.id,
        local: true,
        visibility: 2,
        uri: `https://x/${id}`,
        url: `https://x/@ann/${id}`,
        conversation_id: '7',
        in_reply_to_id: '6',
        in_reply_to_author_id: bob.id,
        in_reply_to_account_id: bob.id,
        text: 'a',
        html: '<p>a</p>',
        spoiler_text: 'b',
        sensitive: true,
        language: 'de',
        application: { name: 'app', website: null },
        media_ids: ['5'],
        emojis: [{ shortcode: 'flock', url: 'https://x/f', static_url: 'https://x/s' }],
        poll_id: '4',
        quote_policy: 1,
        listed: false,
        created_at: new Date('2026-01-02T03:04:05.678Z'),
      },
      tags: [{ name: 'tag', display: 'Tag' }],
      mentions: [
        { id: bob.id, silent: false },
        { id: cat.id, silent: true },
      ],
    }
    await db.tx(async (tx) => {
      insertStatus(tx, { ...whole.row, tags: ['tag'] })
      insertMentions(tx, id, whole.mentions)
    })
    const known = new Map<string, unknown>()
    cacheNewStatus(
      {
        revisionCache: known as never,
        statusCards: { prime: (name: string, text: string) => known.set(name, text) } as never,
        site: { origin: 'https://x' } as never,
      },
      whole,
      [bob],
    )
    const row = (await rowsOf(db, [id])).get(id)
    expect((await loadStatuses(db, null, [id])).get(id)).toMatchObject(known.get(id) as object)
    const card = row && cardText(row, new Map([[bob.id, bob]]), 'https://x')
    expect(JSON.parse(String(known.get(`${id}.1`)))).toEqual(JSON.parse(String(card)))
    await db.run(sql`delete from statuses where id = ${id}`)
  })

  test('local custom emoji are listed, wherever they are in the status', async () => {
    const { emojis } = await harness.post(ann, { status: 'Fly :flock: with :ghost:', spoiler_text: ':flock:' })
    expect(emojis).toEqual([
      {
        shortcode: 'flock',
        url: 'https://here.example/f.gif',
        static_url: 'https://here.example/f.png',
        visible_in_picker: false,
        featured: false,
      },
    ])
  })

  test('anonymous viewers receive no viewer state', async () => {
    const { id } = await harness.post(ann, 'hi')
    const status = await call(statuses.showStatus, { id })
    for (const key of ['favourited', 'reblogged', 'bookmarked', 'muted', 'pinned', 'filtered'])
      expect(status).not.toHaveProperty(key)
    expect(status.quote_approval.current_user).toBe('denied')
  })

  test.each([
    [{ status: '  ' }, "Validation failed: Text can't be blank"],
    [{ status: 'x'.repeat(501) }, 'Validation failed: Text character limit of 500 exceeded'],
    [{ status: 'x', visibility: 'limited' }, 'Validation failed: Visibility is not included in the list'],
    [{ status: 'x', media_ids: ['1', '2', '3', '4', '5'] }, 'Cannot attach more than 4 files'],
    [{ status: 'x', media_ids: ['1', '2'] }, 'Media 1, 2 not found or already attached to another post'],
  ])('refuses %j', async (input, message) => {
    await expect(harness.post(ann, input)).rejects.toEqual(refused(422, message))
  })

  test('local and remote accounts are mentioned, once each, by canonical handle', async () => {
    const status = await harness.post(ann, '@BOB @bob @dan@FAR.example @nobody @ghost@gone.example hi')
    expect(mentioned(status)).toEqual(['bob', 'dan@far.example'])
    expect(status.content).toContain(`<a href="${far.url}" class="u-url mention">@<span>dan</span></a>`)
    expect(status.content).toContain('@nobody @ghost@gone.example')
    const source = await call(statuses.sourceOfStatus, { id: status.id }, harness.as(ann))
    expect(source.text).toBe('@bob @bob @dan@far.example @nobody @ghost@gone.example hi')
  })

  test('accounts on unknown servers are looked up', async () => {
    const eve = harness.fakes.fakeAccount('eve', { domain: 'new.example' }, false)
    harness.fakes.outside.set('eve@new.example', eve)
    expect(mentioned(await harness.post(ann, 'hi @eve@new.example'))).toEqual(['eve@new.example'])
  })

  test('accounts that the author blocks, and those that cannot be mentioned, are omitted silently', async () => {
    const foe = harness.fakes.fakeAccount('foe')
    harness.fakes.block(ann, foe)
    harness.fakes.fakeAccount('ghost', { suspended: true })
    harness.fakes.fakeAccount('newcomer', { usable: false })
    harness.fakes.fakeAccount('off', { domain: 'blocked.example' })
    harness.fakes.domainBlocks.add(`${ann.id}>blocked.example`)
    const status = await harness.post(ann, '@foe @ghost @newcomer @off@blocked.example')
    expect(status.mentions).toEqual([])
    expect(status.content).toBe('<p>@foe @ghost @newcomer @off@blocked.example</p>')
  })

  test('with allowed_mentions, other mentions are refused', async () => {
    const answer = await harness.cluster.request(
      statuses.createStatus,
      { status: '@bob @cat hi', allowed_mentions: [bob.id] },
      harness.as(ann),
    )
    expect(answer.meta.status).toBe(422)
    const body = JSON.parse(new TextDecoder().decode(answer.bytes))
    expect(body.error).toBe('Post would be sent to unexpected accounts')
    expect(body.unexpected_accounts.map((one: { id: string }) => one.id)).toEqual([cat.id])
    await expect(harness.post(ann, { status: '@bob hi', allowed_mentions: [] })).rejects.toMatchObject({ status: 422 })
    expect(mentioned(await harness.post(ann, { status: '@bob hi', allowed_mentions: [bob.id] }))).toEqual(['bob'])
  })

  test('a status of a limited author is not public', async () => {
    const quiet = harness.fakes.fakeAccount('quiet', { silenced: true })
    expect((await harness.post(quiet, 'hi')).visibility).toBe('unlisted')
  })

  test('the app is shown to others only if the author allows it', async () => {
    const shy = harness.fakes.fakeAccount('shy')
    shy.defaults.show_application = false
    const own = await harness.post(shy, 'hi')
    expect(own.application).toEqual({ name: 'Test app', website: null })
    expect(await call(statuses.showStatus, { id: own.id }, harness.as(bob))).not.toHaveProperty('application')
    shy.defaults.show_application = true
    await harness.post(shy, 'again')
    expect((await call(statuses.showStatus, { id: own.id })).application).toEqual({ name: 'Test app', website: null })
  })
})

describe('replies', () => {
  test('a reply joins the thread, and is counted if it is public or unlisted', async () => {
    const root = await harness.post(ann, 'root')
    const reply = await harness.post(bob, { status: 'reply', in_reply_to_id: root.id })
    expect(reply).toMatchObject({ in_reply_to_id: root.id, in_reply_to_account_id: ann.id })
    await harness.post(bob, { status: '@ann psst', in_reply_to_id: root.id, visibility: 'direct' })
    await harness.post(bob, { status: 'followers', in_reply_to_id: root.id, visibility: 'private' })
    expect((await call(statuses.showStatus, { id: root.id })).replies_count).toBe(1)
    const own = await harness.post(bob, { status: 'more', in_reply_to_id: reply.id })
    expect(own.in_reply_to_account_id).toBe(ann.id)
  })
  test('a reply needs a parent that the writer may see', async () => {
    const missing = 'The post you are trying to reply to does not appear to exist.'
    const secret = await harness.post(ann, { status: 'secret', visibility: 'private' })
    for (const in_reply_to_id of [secret.id, '123', 'nonsense'])
      await expect(harness.post(bob, { status: 'x', in_reply_to_id })).rejects.toEqual(refused(404, missing))
    expect((await harness.post(bob, { status: 'x', in_reply_to_id: '' })).in_reply_to_id).toBeNull()
  })
  test('a reply to a boost replies to the original', async () => {
    const original = await harness.post(ann, 'original')
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
    expect((await harness.post(cat, { status: 'x', in_reply_to_id: boost.id })).in_reply_to_id).toBe(original.id)
  })
})

describe('S-009 media', () => {
  test('S-009 media are attached in the requested order, and belong to one status', async () => {
    const [one, two] = [harness.fakes.file(ann), harness.fakes.file(ann)]
    const status = await harness.post(ann, { media_ids: [two.id, one.id] })
    expect(status.media_attachments.map((file) => file.id)).toEqual([two.id, one.id])
    await expect(harness.post(ann, { status: 'x', media_ids: [one.id] })).rejects.toEqual(
      refused(422, `Media ${one.id} not found or already attached to another post`),
    )
  })
  test('S-009 a status has four attachments, and a fifth is refused', async () => {
    const files = Array.from({ length: 5 }, () => harness.fakes.file(ann))
    const media_ids = files.map((file) => file.id)
    await expect(harness.post(ann, { status: 'five', media_ids })).rejects.toEqual(
      refused(422, 'Cannot attach more than 4 files'),
    )
    expect(files.map((file) => file.status)).toEqual([null, null, null, null, null])
    const status = await harness.post(ann, { status: 'four', media_ids: media_ids.slice(0, 4) })
    expect(status.media_attachments.map((file) => file.id)).toEqual(media_ids.slice(0, 4))
  })
  test('A058 A059 A081 media of another account are refused and stay unchanged', async () => {
    const theirs = harness.fakes.file(bob)
    await expect(harness.post(ann, { status: 'x', media_ids: [theirs.id] })).rejects.toMatchObject({ status: 422 })
    expect(theirs.status).toBeNull()
  })
  test('media that are not processed or cannot be combined are released', async () => {
    const slow = harness.fakes.file(ann, { ready: false })
    await expect(harness.post(ann, { media_ids: [slow.id] })).rejects.toEqual(
      refused(422, 'Cannot attach files that have not finished processing. Try again in a moment!'),
    )
    const [image, video] = [harness.fakes.file(ann), harness.fakes.file(ann, { type: 'video' })]
    await expect(harness.post(ann, { media_ids: [image.id, video.id] })).rejects.toMatchObject({ status: 422 })
    expect([image.status, video.status]).toEqual([null, null])
  })
})

describe('F055 Idempotency-Key', () => {
  const write = (text: string, key: string, more: Record<string, unknown> = {}) =>
    call(statuses.createStatus, { status: text, ...more }, harness.as(ann), { idempotencyKey: key })
  const countOf = async (text: string): Promise<number> =>
    (
      await harness.cluster
        .db('statuses')
        .row<{ n: number }>(sql`select count(*)::int as n from statuses where text = ${text}`)
    )?.n ?? 0

  test('a repeated request returns the first status, even with another body', async () => {
    const first = await write('once only', 'key-1')
    expect((await write('once only', 'key-1')).id).toBe(first.id)
    expect((await write('something else', 'key-1')).id).toBe(first.id)
    expect(await countOf('something else')).toBe(0)
    expect(
      (await call(statuses.createStatus, { status: 'once only' }, harness.as(bob), { idempotencyKey: 'key-1' })).id,
    ).not.toBe(first.id)
  })
  test('twenty concurrent requests create one status', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => write(`race ${i % 2}`, 'key-2')))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect((await countOf('race 0')) + (await countOf('race 1'))).toBe(1)
  })
  test('twenty concurrent requests with media create one status with the media', async () => {
    const file = harness.fakes.file(ann)
    const all = await Promise.all(
      Array.from({ length: 20 }, () => write('race with media', 'key-3', { media_ids: [file.id] })),
    )
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(await countOf('race with media')).toBe(1)
    expect(file.status).toBe(all[0]?.id)
  })
  test('a refused request does not use up its key', async () => {
    await expect(write('', 'key-4')).rejects.toMatchObject({ status: 422 })
    expect(await write('now it is right', 'key-4')).toMatchObject({ content: '<p>now it is right</p>' })
  })
})

describe('deleting', () => {
  test('deleting a status returns its text and deletes everything that belongs to it', async () => {
    const root = await harness.post(bob, 'root')
    const file = harness.fakes.file(ann)
    const status = await harness.post(ann, { status: '@bob *hi*', media_ids: [file.id], in_reply_to_id: root.id })
    const deleted = await call(statuses.deleteStatus, { id: status.id }, harness.as(ann))
    expect(deleted.text).toBe('@bob *hi*')
    expect(deleted).not.toHaveProperty('content')
    expect(deleted.media_attachments.map((one) => one.id)).toEqual([file.id])
    expect(file.status).toBeNull()
    await expect(call(statuses.showStatus, { id: status.id }, harness.as(ann))).rejects.toEqual(
      refused(404, 'Not Found'),
    )
    expect((await call(statuses.showStatus, { id: root.id })).replies_count).toBe(0)
    await expect(call(statuses.deleteStatus, { id: status.id }, harness.as(ann))).rejects.toEqual(
      refused(404, 'Not Found'),
    )
  })
  test('A063 deleting a status of another account is refused without its text', async () => {
    const secret = await harness.post(bob, { status: 'my secret', visibility: 'private' })
    const answer = await harness.cluster.request(statuses.deleteStatus, { id: secret.id }, harness.as(ann))
    expect(answer.meta.status).toBe(404)
    expect(new TextDecoder().decode(answer.bytes)).not.toContain('secret')
    expect((await call(statuses.showStatus, { id: secret.id }, harness.as(bob))).id).toBe(secret.id)
  })
})

describe('a reply whose parent is deleted', () => {
  test("has no parent, but keeps the parent's author, everywhere", async () => {
    const parent = await harness.post(ann, 'parent')
    const reply = await harness.post(bob, { status: 'a reply', in_reply_to_id: parent.id })
    const boost = await call(statuses.addReblog, { id: reply.id }, harness.as(bob))
    const seen = async () => {
      const alone = await call(statuses.showStatus, { id: reply.id }, harness.as(bob))
      const several = await call(statuses.listStatuses, { id: [reply.id] })
      const boosted = await call(statuses.showStatus, { id: boost.id }, harness.as(bob))
      const own = await call(statuses.accountTimeline, { id: bob.id }, harness.as(bob))
      const all = [alone, ...several, boosted.reblog, own.find((one) => one.id === reply.id)]
      return all.map((one) => [one?.in_reply_to_id, one?.in_reply_to_account_id])
    }
    expect(await seen()).toEqual(Array.from({ length: 4 }, () => [parent.id, ann.id]))
    await call(statuses.deleteStatus, { id: parent.id }, harness.as(ann))
    expect(await seen()).toEqual(Array.from({ length: 4 }, () => [null, ann.id]))
    await harness.wipeRedis()
    expect(await seen()).toEqual(Array.from({ length: 4 }, () => [null, ann.id]))
  })

  test('has no parent after the row of the parent is erased, and after its author is removed', async () => {
    const leaver = harness.fakes.fakeAccount('parentleaver')
    const parent = await harness.post(leaver, 'parent')
    const reply = await harness.post(bob, { status: 'a reply', in_reply_to_id: parent.id })
    await harness.happen(accounts.accountRemoved, { id: leaver.id, local: true, uri: leaver.uri })
    const seen = () => call(statuses.showStatus, { id: reply.id }, harness.as(bob))
    expect(await seen()).toMatchObject({ in_reply_to_id: null, in_reply_to_account_id: leaver.id })
    await harness.cluster.db('statuses').run(sql`delete from statuses where id = ${parent.id}`)
    expect(await seen()).toMatchObject({ in_reply_to_id: null })
  })
})

describe('a reply to a remote account that is deleted', () => {
  test('has neither parent nor account, and stays a reply', async () => {
    const leaver = harness.fakes.fakeAccount('farleaver', { domain: 'far.example' })
    const { id } = await call(statuses.putRemoteStatus, { status: remoteStatus(leaver) })
    const reply = await harness.post(bob, { status: 'a reply', in_reply_to_id: id })
    const own = await harness.post(bob, { status: 'more', in_reply_to_id: reply.id })
    const seen = () => call(statuses.listStatuses, { id: [reply.id, own.id] }, harness.as(bob))
    expect((await seen()).map((one) => one.in_reply_to_account_id)).toEqual([leaver.id, leaver.id])
    await harness.happen(accounts.accountRemoved, { id: leaver.id, local: false, uri: leaver.uri })
    for (const isCached of [true, false]) {
      if (!isCached) await harness.wipeRedis()
      expect(await seen()).toMatchObject([
        { in_reply_to_id: null, in_reply_to_account_id: null },
        { in_reply_to_id: reply.id, in_reply_to_account_id: null },
      ])
    }
    const loaded = await loadStatuses(harness.cluster.db('statuses'), null, [reply.id, own.id])
    expect([...loaded.values()].map((one) => [one.is_reply, one.listed])).toEqual([
      [true, false],
      [true, false],
    ])
    const posts = await call(statuses.accountTimeline, { id: bob.id, exclude_replies: true })
    expect(posts.map((one) => one.id)).not.toContain(reply.id)
  })
})

describe('several statuses', () => {
  test('S-161 statuses are returned in the order of the request, without hidden ones', async () => {
    const [one, two] = [await harness.post(ann, 'one'), await harness.post(ann, 'two')]
    const secret = await harness.post(ann, { status: 'secret', visibility: 'direct' })
    const found = await call(statuses.listStatuses, { id: [one.id, secret.id, two.id, one.id, '9'] }, harness.as(bob))
    expect(found.map((status) => status.id)).toEqual([one.id, two.id])
    const turned = await call(statuses.listStatuses, { id: [two.id, one.id] }, harness.as(bob))
    expect(turned.map((status) => status.id)).toEqual([two.id, one.id])
    expect(await call(statuses.listStatuses, {})).toEqual([])
    const many = Array.from({ length: 21 }, (_, i) => String(i + 1))
    const twenty = await call(statuses.listStatuses, { id: [one.id, ...many.slice(0, 19)] }, harness.as(bob))
    expect(twenty.map((status) => status.id)).toEqual([one.id])
    await expect(call(statuses.listStatuses, { id: many })).rejects.toMatchObject({
      status: 422,
      message: 'Too many ids (maximum is 20)',
    })
  })
})
