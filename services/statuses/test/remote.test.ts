/** Remote statuses and interactions: stored once, in any order, and only from their own authors. */
import type { FetchedNote } from '@murmuration/contracts/federation'
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { fetchParent } from '../src/remote/jobs.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
let evil: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
  evil = harness.fakes.fakeAccount('eve', { domain: 'evil.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const remote = (more: Partial<RemoteStatus> = {}) => remoteStatus(far, { language: 'de', ...more })
const put = (status: RemoteStatus) => call(statuses.putRemoteStatus, { status })
const show = (id: string, who: FakeAccount | null = ann) => call(statuses.showStatus, { id }, who && harness.as(who))
const ctxOf = () => harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
const interact = (input: Record<string, unknown>) => call(statuses.applyRemoteInteraction, input as never)

describe('storing', () => {
  test('a status whose id is taken by another of the same millisecond gets another id, alone, in a batch, and as a boost', async () => {
    const ctx = ctxOf()
    const { id: taken } = await put(remote())
    const at = vi.spyOn(ctx.ids, 'at')
    const next = () => at.mockReset().mockReturnValueOnce(taken)
    next()
    const alone = await put(remote())
    next()
    const { stored } = await call(statuses.putRemoteStatuses, { statuses: [remote(), remote()] })
    next()
    const boost = {
      what: 'reblog',
      actor: far.id,
      object: (await show(taken)).uri,
      uri: 'https://far.example/boosts/same-id',
    }
    expect(await interact(boost)).toEqual({ outcome: 'done' })
    at.mockRestore()
    expect([alone, ...stored].map((one) => one?.outcome)).toEqual(['created', 'created', 'created'])
    expect(new Set([taken, alone.id, ...stored.map((one) => one?.id)]).size).toBe(4)
    expect(await show(taken)).toMatchObject({ reblogs_count: 1 })
  })

  test('a remote status is stored with all its parts, at its publication time', async () => {
    const published = '2026-05-01T10:00:00.000Z'
    const status = remote({
      published,
      spoiler_text: 'careful',
      tags: [{ name: '#Straße', display: 'Straße' }],
      emojis: [{ shortcode: 'blob', url: 'https://far.example/blob.png', updated: null }],
      mentions: [{ id: ann.id, silent: false }],
      attachments: [
        {
          url: 'https://far.example/a.png',
          media_type: 'image/png',
          description: 'a',
          blurhash: null,
          width: 1,
          height: 1,
          focus: null,
        },
      ],
    })
    const { id, outcome } = await put(status)
    expect(outcome).toBe('created')
    // The author's domain is passed, because media of a refused domain are refused whatever host has the files.
    expect(harness.fakes.asked).toContain(`media.attachment.put-remote for ${far.domain}`)
    expect(await show(id)).toMatchObject({
      uri: status.uri,
      url: status.url,
      content: status.html,
      spoiler_text: 'careful',
      sensitive: true,
      language: 'de',
      created_at: published,
      account: { id: far.id },
      mentions: [{ acct: 'ann' }],
      tags: [{ name: 'straße' }],
      emojis: [{ shortcode: 'blob', url: expect.stringContaining('proxy') }],
      media_attachments: [{ description: 'a', remote_url: 'https://far.example/a.png' }],
      application: null,
    })
    expect(Number(BigInt(id) >> 16n)).toBe(Date.parse(published))
  })

  test('storing a status again changes nothing, also ten times at once', async () => {
    const status = remote()
    const all = await Promise.all(Array.from({ length: 10 }, () => put(status)))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(all.filter((one) => one.outcome === 'created').length).toBe(1)
    const rows = await harness.cluster
      .db('statuses')
      .row<{ n: number }>(sql`select count(*)::int as n from statuses where uri = ${status.uri}`)
    expect(rows?.n).toBe(1)
  })

  test.each([
    ['A001 A002 a uri of another server', () => remote({ uri: 'https://other.example/notes/1' })],
    ['a uri of ours', () => remote({ uri: `${harness.cluster.origin}/ap/users/1/statuses/2` })],
    ['an unknown author', () => remote({ author: '12345' })],
    ['a local author', () => remote({ author: ann.id })],
    ['no address at all', () => remote({ uri: 'nonsense' })],
  ])('refuses %s', async (_name, make) => {
    const { outcome } = await put(make())
    expect(outcome).toBe('refused')
  })

  test('A010 another account cannot take over a status', async () => {
    const status = remote()
    const { id } = await put(status)
    const taken = await put({ ...status, author: evil.id, html: 'taken' })
    expect(taken.outcome).toBe('refused')
    expect((await show(id)).content).toBe(status.html)
  })

  test('an edit is applied once; older edits and edits without a time are not', async () => {
    const status = remote()
    const { id } = await put(status)
    const edit = (edited_at: string | null, html: string) => put({ ...status, edited_at, html })
    expect((await edit(null, 'ignored')).outcome).toBe('unchanged')
    const at = new Date(Date.now() - 30_000).toISOString()
    expect((await edit(at, '<p>second</p>')).outcome).toBe('edited')
    expect((await edit(at, '<p>third</p>')).outcome).toBe('unchanged')
    expect((await edit('2026-01-01T00:00:00Z', 'older')).outcome).toBe('unchanged')
    expect(await show(id)).toMatchObject({ content: '<p>second</p>', edited_at: at })
    const history = await call(statuses.showHistory, { id })
    expect(history.map((one) => one.content)).toEqual([status.html, '<p>second</p>'])
  })

  test('S-013 the history of a remote status keeps attachments that an edit replaced', async () => {
    const file = (name: string) => ({
      url: `https://far.example/${name}.png`,
      media_type: 'image/png',
      description: name,
      blurhash: null,
      width: 1,
      height: 1,
      focus: null,
    })
    const status = remote({ attachments: [file('first')] })
    const { id } = await put(status)
    const edited_at = new Date(Date.now() - 30_000).toISOString()
    expect((await put({ ...status, edited_at, attachments: [file('second')] })).outcome).toBe('edited')
    const history = await call(statuses.showHistory, { id })
    const names = history.map((one) => one.media_attachments.map((attachment) => attachment.description))
    expect(names).toEqual([['first'], ['second']])
  })

  test('a version whose attachments cannot be stored is not fetched again each time', async () => {
    const attachment = { media_type: 'image/png', description: null, blurhash: null, width: 1, height: 1, focus: null }
    const edited_at = new Date(Date.now() - 30_000).toISOString()
    const status = remote({ edited_at, attachments: [{ ...attachment, url: 'ftp://far.example/a.png' }] })
    const { id } = await put(status)
    expect(await show(id)).toMatchObject({ media_attachments: [] })
    expect(await put(status)).toMatchObject({ outcome: 'unchanged' })
    expect(await put(status)).not.toHaveProperty('tied')
    const usable = { ...status, attachments: [{ ...attachment, url: 'https://far.example/a.png' }] }
    expect(await put(usable)).toMatchObject({ tied: true })
    expect(await put({ ...usable, current: true })).toMatchObject({ outcome: 'edited' })
    expect(await put(usable)).not.toHaveProperty('tied')
  })

  test.each([0, 123])(
    'an edit at the time of publication, with %s milliseconds, is applied if its content differs',
    async (ms) => {
      const at = Math.floor(Date.now() / 1_000) * 1_000 - 60_000 + ms
      const published = new Date(at).toISOString().replace('.000Z', 'Z')
      const poll = {
        multiple: false,
        options: [
          { title: 'tea', votes: 3 },
          { title: 'coffee', votes: 1 },
        ],
        expires_at: new Date(at + 3_600_000).toISOString(),
        voters: 4,
      }
      const counted = { ...poll, options: [{ title: 'tea', votes: 5 }, ...poll.options.slice(1)] }
      const status = remote({ published, poll, edited_at: published })
      const { id } = await put(status)
      expect((await put(status)).outcome).toBe('unchanged')
      expect((await put({ ...status, poll: counted })).outcome).toBe('refreshed')
      expect(await show(id)).toMatchObject({ edited_at: null })
      const edit = { ...status, poll: counted, html: '<p>second</p>' }
      expect((await put(edit)).outcome).toBe('edited')
      for (const again of [edit, { ...status, poll: counted }, { ...status, poll: counted, edited_at: null }])
        expect((await put(again)).outcome).toBe('unchanged')
      const edited_at = new Date(published).toISOString()
      expect(await show(id)).toMatchObject({ content: '<p>second</p>', edited_at })
      // New counts without an edit time are still applied.
      expect((await put({ ...status, edited_at: null })).outcome).toBe('refreshed')
      const later = new Date(at + 1_000).toISOString()
      expect((await put({ ...edit, edited_at: later, html: '<p>third</p>' })).outcome).toBe('edited')
      expect((await put(edit)).outcome).toBe('unchanged')
      expect(await show(id)).toMatchObject({ content: '<p>third</p>' })
      expect(await call(statuses.showHistory, { id })).toHaveLength(3)
    },
  )

  test('F024 a reply and its parent are linked in any order', async () => {
    const parent = remote()
    const child = remote({ in_reply_to: parent.uri })
    const first = await put(child)
    expect((await show(first.id)).in_reply_to_id).toBeNull()
    const second = await put(parent)
    expect(await show(first.id)).toMatchObject({ in_reply_to_id: second.id, in_reply_to_account_id: far.id })
    expect((await show(second.id)).replies_count).toBe(1)
    const third = await put(remote({ in_reply_to: parent.uri }))
    expect((await show(third.id)).in_reply_to_id).toBe(second.id)
    expect((await show(second.id)).replies_count).toBe(2)
  })

  test('a status that names its own id or page as its parent is no reply to itself', async () => {
    const uri = `https://far.example/notes/self-${Date.now()}`
    for (const url of [null, `${uri}/page`]) {
      const { id } = await put(remote({ uri: url === null ? uri : `${uri}-2`, url, in_reply_to: url ?? uri }))
      expect(await show(id)).toMatchObject({ in_reply_to_id: null, replies_count: 0 })
    }
  })

  test('a reply to a local status joins its thread', async () => {
    const own = await harness.post(ann, 'ours')
    const { id } = await put(remote({ in_reply_to: own.uri }))
    expect((await show(id)).in_reply_to_id).toBe(own.id)
    expect((await call(statuses.showThread, { id: own.id })).descendants.map((one) => one.id)).toEqual([id])
  })

  test('a reply to a hidden local status is treated like one to a missing status, also later and by jobs', async () => {
    const hidden = await harness.post(ann, { status: 'for followers', visibility: 'private' })
    const direct = await harness.post(ann, { status: 'for nobody', visibility: 'direct' })
    const other = harness.fakes.fakeAccount('otto', { domain: 'far.example' })
    const follower = harness.fakes.fakeAccount('fern', { domain: 'far.example' })
    harness.fakes.follow(follower, ann)
    const named = [hidden.uri, hidden.url ?? '', hidden.uri.replace(/\d+$/, '1'), direct.uri, `${direct.uri}/activity`]
    const answer = (in_reply_to: string) => put(remote({ author: other.id, in_reply_to }))
    // The second reply to each parent would queue another fetch, if any waited.
    const replies = await Promise.all([...named, ...named].map(answer))
    await harness.cluster.waitForIdle()
    for (const { id } of replies)
      expect(await show(id)).toMatchObject({ in_reply_to_id: null, in_reply_to_account_id: null })
    const rows = await harness.cluster
      .db('statuses')
      .rows(sql`select 1 from replies where parent_id in (${hidden.id}, ${direct.id})`)
    expect(rows).toEqual([])
    const { id } = await put(remote({ author: follower.id, in_reply_to: hidden.uri }))
    expect((await show(id)).in_reply_to_id).toBe(hidden.id)
  })

  test('a reply that waited for an address is not linked by it to a hidden local status', async () => {
    const hidden = await harness.post(ann, { status: 'for followers', visibility: 'private' })
    const open = await harness.post(ann, 'for everybody')
    const waiting = await Promise.all([hidden, open].map(() => put(remote())))
    for (const [i, { uri }] of [hidden, open].entries())
      await harness.cluster
        .db('statuses')
        .run(sql`insert into awaited_parents (uri, child_id) values (${uri}, ${waiting[i]?.id ?? ''})`)
    const ctx = ctxOf()
    for (const { uri } of [hidden, open])
      await ctx.queues.push(statuses.fetchParent, { id: uri, data: { uri, depth: 1 } })
    await harness.cluster.waitForIdle()
    const parents = await Promise.all(waiting.map(async ({ id }) => (await show(id)).in_reply_to_id))
    expect(parents).toEqual([null, open.id])
  })

  test('of many replies that wait for their parent, all are linked when it arrives', async () => {
    const uri = `https://far.example/notes/awaited-${Date.now()}`
    const replies = await Promise.all(Array.from({ length: 230 }, () => put(remote())))
    const ids = replies.map((one) => one.id)
    await harness.cluster.db('statuses').run(sql`insert into awaited_parents (uri, child_id)
      select ${uri}, child from unnest(${ids}::bigint[]) as one(child)`)
    const { id } = await put(remote({ uri }))
    await harness.cluster.waitForIdle()
    const rows = await harness.cluster
      .db('statuses')
      .rows<{ parent: string | null; n: number }>(sql`select in_reply_to_id as parent, count(*)::int as n from statuses
        where id = any(${ids}::bigint[]) group by in_reply_to_id`)
    expect(rows).toEqual([{ parent: id, n: 230 }])
    expect(await show(id)).toMatchObject({ replies_count: 230 })
  })

  test('a status joins a local conversation only if its author may see the first status', async () => {
    const conversationOf = async (id: string) =>
      (
        await harness.cluster
          .db('statuses')
          .row<{ c: string }>(sql`select conversation_id as c from statuses where id = ${id}`)
      )?.c
    const { origin } = ctxOf().site
    const joined = await Promise.all(
      (['public', 'private', 'direct'] as const).map(async (visibility) => {
        const root = await harness.post(ann, { status: 'root', visibility })
        const parent = remote()
        const { id } = await put(remote({ in_reply_to: parent.uri, conversation: `${origin}/ap/contexts/${root.id}` }))
        return (await conversationOf(id)) === (await conversationOf(root.id))
      }),
    )
    expect(joined).toEqual([true, false, false])
  })

  test('a quote of a hidden local status is treated like one of a missing status', async () => {
    const hidden = await harness.post(ann, { status: 'for followers', visibility: 'private' })
    const boosted = await harness.post(ann, 'for everybody')
    const boost = await call(statuses.addReblog, { id: boosted.id, visibility: 'private' }, harness.as(ann))
    const absent = hidden.uri.replace(/\d+$/, '1')
    for (const legacy of [false, true])
      for (const stamp of [null, `${hidden.uri.replace(/statuses.*/, '')}quote_authorizations/1`]) {
        const quotes = await Promise.all(
          [hidden.uri, hidden.url ?? '', boost.uri, absent].map(async (uri) => {
            const { id } = await put(remote({ quote: { uri, legacy, stamp } }))
            await harness.cluster.waitForIdle()
            return JSON.stringify((await show(id, null)).quote)
          }),
        )
        expect(new Set(quotes).size, quotes.join(' ')).toBe(1)
      }
  })

  test('unknown parents are fetched', async () => {
    const note: FetchedNote = (({ author: _author, mentions: _mentions, push: _push, ...rest }) => ({
      ...rest,
      authorUri: far.uri,
      mentionUris: [],
    }))(remote())
    harness.fakes.outside.set(note.uri, note)
    const { id } = await put(remote({ in_reply_to: note.uri }))
    await harness.cluster.waitForIdle()
    const parent = (await show(id)).in_reply_to_id
    expect(parent).not.toBeNull()
    expect((await show(parent ?? '')).uri).toBe(note.uri)
  })

  test('a parent whose server does not respond is fetched again, a limited number of times', async () => {
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    const uri = 'https://far.example/notes/silent-parent'
    const fetch = (tries: number) => fetchParent.run(context, { uri, depth: 2 }, { id: 'x', tries })
    harness.fakes.away.add(uri)
    await expect(fetch(1)).rejects.toMatchObject({ code: 'unavailable' })
    await fetch(4)
    harness.fakes.away.delete(uri)
    await fetch(2)
    expect(await harness.cluster.db('statuses').rows(sql`select 1 from post_uris where uri = ${uri}`)).toEqual([])
  })

  test('many replies to a parent on a server that is down cause two requests in ten minutes', async () => {
    const uri = 'https://far.example/notes/answered-by-many'
    const asked = () => harness.fakes.asked.filter((one) => one === 'federation.fetch.object').length
    const answer = () => put(remote({ in_reply_to: uri }))
    await harness.cluster.waitForIdle()
    const before = asked()
    const first = await answer()
    await harness.cluster.waitForIdle()
    expect(asked() - before).toBe(1)
    await Promise.all(Array.from({ length: 12 }, answer))
    await expect.poll(() => asked() - before).toBeGreaterThanOrEqual(2)
    await harness.cluster.waitForIdle()
    expect(asked() - before).toBe(2)
    const parent = await put(remote({ uri }))
    expect((await show(first.id)).in_reply_to_id).toBe(parent.id)
  })

  test('old and fetched statuses are shown but enter no feeds', async () => {
    const me = harness.fakes.fakeAccount('me')
    const author = harness.fakes.fakeAccount('newcomer', { domain: 'far.example' })
    harness.fakes.follow(me, author)
    await harness.home(me)
    const fresh = await put(remote({ author: author.id }))
    await put(remote({ author: author.id, push: false }))
    await put(remote({ author: author.id, published: new Date(Date.now() - 7 * 3_600_000).toISOString() }))
    expect((await harness.home(me)).map((one) => one.id)).toEqual([fresh.id])
  })

  test('a further recipient gets access by a silent mention', async () => {
    const status = remote({ visibility: 'direct', mentions: [{ id: ann.id, silent: true }] })
    const { id } = await put(status)
    const bob = harness.fakes.fakeAccount('bob')
    expect((await show(id)).mentions).toEqual([])
    await expect(show(id, bob)).rejects.toMatchObject({ status: 404 })
    await put({ ...status, mentions: [{ id: bob.id, silent: true }] })
    expect((await show(id, bob)).visibility).toBe('direct')
  })

  test('an edit that resets or extends an ended poll announces that it has not ended', async () => {
    const db = harness.cluster.db('statuses')
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    const options = (...titles: string[]) => titles.map((title) => ({ title, votes: 1 }))
    const reopened = async (edit: object): Promise<number> => {
      const poll = { multiple: false, options: options('tea', 'coffee'), expires_at: inMs(-60_000), voters: 2 }
      const status = remote({ poll })
      const { id } = await put(status)
      await db.run(sql`update polls set ended_at = now() where status_id = ${id}`)
      const edited = { ...status, html: '<p>other</p>', edited_at: inMs(0), poll: { ...poll, ...edit } }
      expect((await put(edited)).outcome).toBe('edited')
      const rows = await db.rows(sql`select 1 from outbox
        where subject = 'evt.statuses.poll.reopened' and data like ${`%"${id}"%`}`)
      return rows.length
    }
    expect(await reopened({})).toBe(0)
    expect(await reopened({ expires_at: inMs(-30_000) })).toBe(0)
    expect(await reopened({ expires_at: inMs(60_000) })).toBe(1)
    expect(await reopened({ options: options('milk', 'water') })).toBe(1)
  })

  test('m11 new poll counts, and an earlier end, are applied without an edit; an older version is ignored', async () => {
    const poll = {
      multiple: false,
      options: [
        { title: 'tea', votes: 3 },
        { title: 'coffee', votes: 1 },
      ],
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      voters: 4,
    }
    const status = remote({ poll })
    const { id } = await put(status)
    const counted = (tea: number, expires_at = poll.expires_at) => ({
      ...poll,
      expires_at,
      options: [{ title: 'tea', votes: tea }, ...poll.options.slice(1)],
    })
    const ended = new Date(Date.now() - 1_000).toISOString()
    expect((await put({ ...status, poll: counted(5, ended) })).outcome).toBe('refreshed')
    expect((await put({ ...status, poll: counted(5, ended) })).outcome).toBe('unchanged')
    expect(await show(id)).toMatchObject({
      edited_at: null,
      poll: { expired: true, options: [{ votes_count: 5 }, {}] },
    })
    const edited_at = new Date(Date.now() - 30_000).toISOString()
    expect((await put({ ...status, edited_at, poll: counted(6) })).outcome).toBe('refreshed')
    for (const said of [null, new Date(Date.now() - 40_000).toISOString()])
      expect((await put({ ...status, edited_at: said, poll: counted(9) })).outcome).toBe('unchanged')
    expect((await show(id)).poll?.options[0]).toMatchObject({ votes_count: 6 })
    // The same version again, with new counts.
    expect((await put({ ...status, edited_at, poll: counted(7) })).outcome).toBe('refreshed')
    expect((await show(id)).poll?.options[0]).toMatchObject({ votes_count: 7 })
  })
  test('one 404 deletes a status if a group that had boosted it announced the deletion', async () => {
    const group = harness.fakes.fakeAccount('group', { domain: 'group.example' })
    const report = (uri: string, by?: string) =>
      call(statuses.reportFetchResult, { uri, outcome: 'not-found', ...(by && { by }) })
    const status = remote()
    const { id } = await put(status)
    await interact({ what: 'reblog', actor: group.id, object: status.uri, uri: 'https://group.example/announces/1' })
    for (const by of [undefined, far.id, evil.id]) expect(await report(status.uri, by)).toEqual({ removed: false })
    expect(await show(id)).toMatchObject({ reblogs_count: 1 })
    expect(await report(status.uri, group.id)).toEqual({ removed: true })
    await expect(show(id)).rejects.toMatchObject({ status: 404 })
    const secret = remote({ visibility: 'private' })
    await put(secret)
    expect(await report(secret.uri, group.id)).toEqual({ removed: false })
  })
  test('the end of a poll that is closed without a time does not move with each version', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const options = ['tea', 'coffee'].map((title) => ({ title, votes: 1 }))
    const poll = { multiple: false, options, expires_at: at(3_600_000), voters: 2 }
    const status = remote({ poll })
    const { id } = await put(status)
    const closed = (ms: number) => put({ ...status, poll: { ...poll, expires_at: at(ms), closed: true } })
    expect((await closed(-2_000)).outcome).toBe('refreshed')
    const end = (await show(id)).poll?.expires_at
    expect((await closed(-1_000)).outcome).toBe('unchanged')
    expect((await show(id)).poll).toMatchObject({ expired: true, expires_at: end })
    expect((await put({ ...status, poll })).outcome).toBe('refreshed')
    expect((await show(id)).poll).toMatchObject({ expired: false, expires_at: poll.expires_at })
  })
  test('polls are stored with the counts of their server', async () => {
    const poll = {
      multiple: false,
      options: [
        { title: 'a', votes: 3 },
        { title: 'b', votes: -5 },
      ],
      expires_at: null,
      voters: null,
    }
    const status = remote({ poll })
    const { id } = await put(status)
    expect((await show(id)).poll).toMatchObject({
      votes_count: 3,
      voters_count: null,
      expires_at: null,
      options: [
        { title: 'a', votes_count: 3 },
        { title: 'b', votes_count: 0 },
      ],
    })
    await put({
      ...status,
      poll: {
        ...poll,
        options: [
          { title: 'a', votes: 4 },
          { title: 'b', votes: 6 },
        ],
      },
    })
    expect((await show(id)).poll?.votes_count).toBe(10)
  })
})

describe('deleting', () => {
  test('F024 a Delete that is received before its Create leaves a tombstone', async () => {
    const status = remote()
    expect(await call(statuses.removeRemoteStatus, { uri: status.uri, author: far.id })).toEqual({ outcome: 'unknown' })
    expect((await put(status)).outcome).toBe('refused')
  })
  test('A063 only the author can delete a status, and no account can block statuses of others', async () => {
    const status = remote()
    const { id } = await put(status)
    expect(await call(statuses.removeRemoteStatus, { uri: status.uri, author: evil.id })).toEqual({
      outcome: 'refused',
    })
    const unborn = remote()
    expect(await call(statuses.removeRemoteStatus, { uri: unborn.uri, author: evil.id })).toEqual({
      outcome: 'refused',
    })
    expect((await put(unborn)).outcome).toBe('created')
    expect(await call(statuses.removeRemoteStatus, { uri: status.uri, author: far.id })).toEqual({ outcome: 'removed' })
    await expect(show(id)).rejects.toMatchObject({ status: 404 })
    expect((await put(status)).outcome).toBe('refused')
  })
  test('F024 concurrent Create and Delete end as deleted, in any order', async () => {
    for (let round = 0; round < 10; round++) {
      const status = remote()
      await Promise.all([put(status), call(statuses.removeRemoteStatus, { uri: status.uri, author: far.id })])
      const row = await harness.cluster
        .db('statuses')
        .row<{ alive: number }>(
          sql`select count(*)::int as alive from statuses where uri = ${status.uri} and deleted_at is null`,
        )
      expect(row?.alive).toBe(0)
    }
  })
})

describe('interactions', () => {
  test('favourites and boosts are counted once, and undone once', async () => {
    const { id, uri } = await harness.post(ann, 'hi')
    const like = { what: 'favourite', actor: far.id, object: uri, uri: 'https://far.example/likes/1' }
    expect((await interact(like)).outcome).toBe('done')
    expect((await interact(like)).outcome).toBe('unchanged')
    const boost = { what: 'reblog', actor: far.id, object: uri, uri: 'https://far.example/boosts/1' }
    expect((await interact(boost)).outcome).toBe('done')
    expect((await interact(boost)).outcome).toBe('unchanged')
    expect(await show(id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect((await interact({ ...like, what: 'undo-favourite', object: null })).outcome).toBe('done')
    expect((await interact({ ...boost, what: 'undo-reblog' })).outcome).toBe('done')
    expect(await show(id)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  })
  test('F024 an Undo that is received before its Like leaves nothing', async () => {
    const { id, uri } = await harness.post(ann, 'hi')
    const activity = 'https://far.example/likes/2'
    await interact({ what: 'undo-favourite', actor: far.id, object: uri, uri: activity })
    expect((await interact({ what: 'favourite', actor: far.id, object: uri, uri: activity })).outcome).toBe('unchanged')
    await interact({ what: 'undo-reblog', actor: far.id, object: uri, uri: `${activity}b` })
    expect((await interact({ what: 'reblog', actor: far.id, object: uri, uri: `${activity}b` })).outcome).toBe(
      'unchanged',
    )
    expect(await show(id)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  })
  test.each([
    ['favourite', (uri: string) => sql`select 1 from favourites where uri = ${uri} for update`],
    ['reblog', (uri: string) => sql`select 1 from statuses where uri = ${uri} for update`],
  ])('F024 a %s made again under another id while the first one is undone stays', async (what, lock) => {
    const { id, uri } = await harness.post(ann, 'hi')
    const one = { actor: far.id, object: uri, exact: true }
    const [before, after] = [`https://far.example/${what}s/before`, `https://far.example/${what}s/after`]
    await interact({ ...one, what, uri: before })
    const held = await holding(harness.cluster.db('statuses'), lock(before))
    const undone = interact({ ...one, what: `undo-${what}`, uri: before })
    await held.queued(1)
    const again = interact({ ...one, what, uri: after, instead: before })
    await held.queued(2)
    await held.letGo()
    expect(await Promise.all([undone, again])).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
    const { favourites_count, reblogs_count } = await show(id)
    expect(favourites_count + reblogs_count).toBe(1)
  })
  test('an activity whose Undo was received first has no effect for a month, unless it is sent again', async () => {
    const { id, uri } = await harness.post(ann, 'hi')
    for (const [what, name] of [
      ['favourite', 'likes'],
      ['reblog', 'boosts'],
    ] as const) {
      const one = { what, actor: far.id, object: uri, uri: `https://far.example/${name}/month` }
      await interact({ ...one, what: `undo-${what}` })
      await harness.cluster
        .db('statuses')
        .run(sql`update tombstones set at = at - interval '29 days' where uri = ${one.uri}`)
      expect((await interact(one)).outcome).toBe('unchanged')
      expect((await interact({ ...one, again: true })).outcome).toBe('done')
      expect((await interact({ ...one, again: true })).outcome).toBe('unchanged')
    }
    expect(await show(id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
  })
  test('an undone activity may be sent again with its id, even after two Undos', async () => {
    const { id, uri } = await harness.post(ann, 'hi')
    const like = { what: 'favourite', actor: far.id, object: uri, uri: 'https://far.example/likes/again' }
    const boost = { what: 'reblog', actor: far.id, object: uri, uri: 'https://far.example/boosts/again' }
    for (let round = 0; round < 2; round++) {
      for (const one of [like, boost]) expect((await interact(one)).outcome).toBe('done')
      expect(await show(id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
      for (const one of [like, boost]) {
        expect((await interact({ ...one, what: `undo-${one.what}` })).outcome).toBe('done')
        expect((await interact({ ...one, what: `undo-${one.what}`, unseen: false })).outcome).toBe('unchanged')
      }
      expect(await show(id)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
    }
  })
  test('A010 an activity with an id of another server is refused', async () => {
    const { uri } = await harness.post(ann, 'hi')
    const like = { what: 'favourite', actor: evil.id, object: uri, uri: 'https://far.example/likes/3' }
    expect((await interact(like)).outcome).toBe('refused')
    expect((await interact({ ...like, what: 'undo-favourite' })).outcome).toBe('refused')
  })
  test('a status that the actor may not see is unknown; private statuses are not boosted (h07)', async () => {
    const secret = await harness.post(ann, { status: 'followers', visibility: 'private' })
    const like = { what: 'favourite', actor: far.id, object: secret.uri, uri: 'https://far.example/likes/4' }
    expect((await interact(like)).outcome).toBe('unknown')
    harness.fakes.follow(far, ann)
    expect((await interact(like)).outcome).toBe('done')
    expect(
      (await interact({ what: 'reblog', actor: far.id, object: secret.uri, uri: 'https://far.example/boosts/2' }))
        .outcome,
    ).toBe('refused')
    harness.fakes.unfollow(far, ann)
    expect(
      (await interact({ what: 'favourite', actor: far.id, object: 'https://far.example/none', uri: null })).outcome,
    ).toBe('unknown')
  })
  test('a favourite or boost of a private boost is treated like one of a missing status', async () => {
    const boosted = await harness.post(ann, 'for everybody')
    const { uri } = await call(statuses.addReblog, { id: boosted.id, visibility: 'private' }, harness.as(ann))
    for (const what of ['favourite', 'reblog'])
      expect(
        await interact({ what, actor: far.id, object: uri, uri: `https://far.example/hidden-boost/${what}` }),
      ).toEqual({
        outcome: 'unknown',
      })
    expect(await show(boosted.id)).toMatchObject({ favourites_count: 0, reblogs_count: 1 })
  })

  test('interactions of accounts that the author blocks have no effect', async () => {
    const { id, uri } = await harness.post(ann, 'hi')
    harness.fakes.block(ann, evil)
    expect((await interact({ what: 'favourite', actor: evil.id, object: uri, uri: null })).outcome).toBe('unknown')
    expect((await show(id)).favourites_count).toBe(0)
  })
})

describe('resolving', () => {
  test('local, known and unknown statuses are resolved by uri and page', async () => {
    const own = await harness.post(ann, 'ours')
    const resolve = async (uri: string, viewer: string | null = null) =>
      (await call(statuses.resolveStatus, { uri, viewer })).id
    expect(await resolve(own.uri)).toBe(own.id)
    const status = remote()
    const { id } = await put(status)
    expect(await resolve(status.uri)).toBe(id)
    expect(await resolve(status.url ?? '')).toBe(id)
    expect(await resolve('https://far.example/nothing')).toBeNull()
    const secret = await harness.post(ann, { status: 'x', visibility: 'direct' })
    expect(await resolve(secret.uri, far.id)).toBeNull()
  })
  test('A002 a page address on another server is not accepted', async () => {
    const status = remote({ url: 'https://other.example/@dan/1' })
    await put(status)
    expect((await call(statuses.resolveStatus, { uri: status.url ?? '', viewer: null })).id).toBeNull()
  })
})

describe('other services', () => {
  test('records mark deleted statuses, and sources contain the data of Note documents', async () => {
    const file = harness.fakes.file(ann, { description: 'a cat' })
    const status = await harness.post(ann, {
      status: '@dan@far.example #cats',
      media_ids: [file.id],
      spoiler_text: 'cats',
    })
    const { records } = await call(statuses.statusRecords, { ids: [status.id], uris: [status.uri] })
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ id: status.id, author: ann.id, local: true, mentions: [far.id], deleted: false })
    const { sources } = await call(statuses.statusSources, { ids: [status.id, '9'] })
    expect(sources).toHaveLength(1)
    expect(sources[0]).toMatchObject({
      html: status.content,
      spoiler_text: 'cats',
      tags: ['cats'],
      mention_accounts: [{ id: far.id, silent: false }],
      attachments: [{ url: file.url, description: 'a cat', media_type: 'image/png' }],
      poll: null,
      replies_count: 0,
    })
    await call(statuses.deleteStatus, { id: status.id }, harness.as(ann))
    expect((await call(statuses.statusRecords, { ids: [status.id] })).records[0]?.deleted).toBe(true)
    expect((await call(statuses.statusSources, { ids: [status.id] })).sources).toEqual([])
  })
  test('A045 the outbox contains public and unlisted statuses only', async () => {
    const author = harness.fakes.fakeAccount('outboxer')
    const ids: string[] = []
    for (const visibility of ['public', 'unlisted', 'private', 'direct'])
      ids.push((await harness.post(author, { status: visibility, visibility })).id)
    expect(await call(statuses.outboxPage, { author: author.id, limit: 20 })).toEqual({
      ids: [ids[1], ids[0]],
      total: 2,
    })
    const next = { author: author.id, limit: 1, max_id: ids[1], counted: false }
    expect(await call(statuses.outboxPage, next)).toEqual({ ids: [ids[0]], total: 0 })
  })
  test('A060 a report contains only statuses that the reporter may see', async () => {
    const author = harness.fakes.fakeAccount('reported')
    const open = await harness.post(author, 'open')
    const direct = await harness.post(author, { status: 'direct', visibility: 'direct' })
    const other = await harness.post(ann, 'of somebody else')
    const { ids } = await call(statuses.statusesForReport, {
      viewer: ann.id,
      author: author.id,
      ids: [open.id, direct.id, other.id],
    })
    expect(ids).toEqual([open.id])
  })
  test('counts include local statuses', async () => {
    const week = 7 * 86_400_000
    const weekly = await call(statuses.statusesByWeek, { mondays: [Date.now() - week + 60_000, Date.now() - 3 * week] })
    expect(weekly.counts).toHaveLength(2)
    expect(weekly.counts[0]).toBeGreaterThan(0)
    expect(weekly.counts[1]).toBe(0)
    const figures = await call(statuses.statusCounts, {})
    expect(figures.local).toBeGreaterThan(5)
    expect(figures.localReplies).toBeLessThanOrEqual(figures.local)
  })
})
