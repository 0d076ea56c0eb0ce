/** Edits and polls: versions that readers see, and concurrent votes. */
import { randomUUID } from 'node:crypto'
import { type Sql, sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkReserved } from '../src/attachment/ticks.js'
import type { Context } from '../src/context.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const edit = (id: string, input: Record<string, unknown>, who = ann) =>
  call(statuses.editStatus, { id, ...input } as never, harness.as(who))
const context = () => harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
const history = (id: string) => call(statuses.showHistory, { id }, harness.as(ann))

describe('S-012 editing', () => {
  test('S-012 S-105 an edit replaces text, warning and language, and keeps the rest', async () => {
    const status = await harness.post(ann, { status: 'frist #typo', visibility: 'unlisted', language: 'en' })
    const edited = await edit(status.id, { status: 'first @bob #fixed', spoiler_text: 'cw', language: 'de' })
    expect(edited).toMatchObject({
      id: status.id,
      created_at: status.created_at,
      visibility: 'unlisted',
      spoiler_text: 'cw',
      sensitive: true,
      language: 'de',
      tags: [{ name: 'fixed' }],
      mentions: [{ acct: 'bob' }],
    })
    expect(edited.content).toContain('first')
    expect(edited.edited_at).not.toBeNull()
    expect(await call(statuses.showStatus, { id: status.id }, harness.as(bob))).toMatchObject({
      content: edited.content,
    })
    expect(await call(statuses.tagTimeline, { hashtag: 'typo' })).toEqual([])
  })
  test('S-013 S-072 S-094 history has one entry before the first edit, then every version, the oldest first', async () => {
    const status = await harness.post(ann, 'one')
    expect(await history(status.id)).toMatchObject([{ content: '<p>one</p>', created_at: status.created_at }])
    await edit(status.id, { status: 'two' })
    await edit(status.id, { status: 'three' })
    const versions = await history(status.id)
    expect(versions.map((one) => one.content)).toEqual(['<p>one</p>', '<p>two</p>', '<p>three</p>'])
    expect(versions[0]?.created_at).toBe(status.created_at)
  })
  test('an edit by a process whose clock is behind is later than the previous edit', async () => {
    const status = await harness.post(ann, 'one')
    await edit(status.id, { status: 'two' })
    const { clock } = context()
    const offset = clock.offset()
    clock.moveTo(offset - 60_000)
    try {
      await edit(status.id, { status: 'three' })
      await call(statuses.markStatusesSensitive, { author: ann.id, ids: [status.id], mark: 'behind', sensitive: true })
    } finally {
      clock.moveTo(offset)
    }
    const versions = await history(status.id)
    expect(versions.map((one) => [one.content, one.sensitive])).toEqual([
      ['<p>one</p>', false],
      ['<p>two</p>', false],
      ['<p>three</p>', false],
      ['<p>three</p>', true],
    ])
    const times = versions.map((one) => Date.parse(one.created_at))
    expect(new Set(times).size).toBe(4)
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    const shown = await call(statuses.showStatus, { id: status.id }, harness.as(bob))
    expect(shown.edited_at).toBe(versions.at(-1)?.created_at)
  })
  test('an edit without a difference changes nothing', async () => {
    const status = await harness.post(ann, 'same')
    const answer = await harness.cluster.request(
      statuses.editStatus,
      { id: status.id, status: 'same' },
      harness.as(ann),
    )
    expect(JSON.parse(new TextDecoder().decode(answer.bytes)).edited_at).toBeNull()
    expect(answer.meta.headers).toMatchObject({ 'X-Unchanged': '1' })
    expect(await history(status.id)).toHaveLength(1)
  })
  test('accounts that are no longer mentioned keep their access', async () => {
    const status = await harness.post(ann, { status: '@bob psst', visibility: 'direct' })
    expect((await edit(status.id, { status: 'psst' })).mentions).toEqual([])
    expect((await call(statuses.showStatus, { id: status.id }, harness.as(bob))).content).toBe('<p>psst</p>')
  })
  test('S-106 media are added, removed and described again, and the history keeps old descriptions', async () => {
    const [one, two] = [harness.fakes.file(ann, { description: 'old' }), harness.fakes.file(ann)]
    const status = await harness.post(ann, { media_ids: [one.id] })
    const edited = await edit(status.id, {
      media_ids: [two.id, one.id],
      media_attributes: [{ id: one.id, description: 'new', focus: '0.5,0' }],
    })
    expect(edited.media_attachments.map((file) => [file.id, file.description])).toEqual([
      [two.id, null],
      [one.id, 'new'],
    ])
    expect(one.focus).toEqual([0.5, 0])
    const versions = await history(status.id)
    expect(versions[0]?.media_attachments.map((file) => file.description)).toEqual(['old'])
    const without = await edit(status.id, { status: 'just text' })
    expect(without.media_attachments).toEqual([])
    await harness.cluster.waitForIdle()
    await checkReserved.run(context())
    // The history shows both, so they are released with the status.
    expect([one.status, two.status]).toEqual([status.id, status.id])
    expect((await history(status.id)).map((version) => version.media_attachments.map((file) => file.id))).toEqual([
      [one.id],
      [two.id, one.id],
      [],
    ])
    await call(statuses.deleteStatus, { id: status.id }, harness.as(ann))
    expect([one.status, two.status]).toEqual([null, null])
  })
  test('an edit applies to the attachments and the language that a simultaneous edit stored', async () => {
    const file = harness.fakes.file(ann)
    const status = await harness.post(ann, { status: 'same', language: 'en', media_ids: [file.id] })
    const during = async (change: Sql, input: Record<string, unknown>) => {
      const held = await holding(harness.cluster.db('statuses'), change)
      const edited = edit(status.id, input)
      await held.queued(1)
      await held.letGo()
      return edited
    }
    const set = (change: Sql) => sql`update statuses set ${change} where id = ${status.id}`
    const input = { status: 'same', media_ids: [file.id] }
    expect((await during(set(sql`media_ids = '{}'`), input)).media_attachments).toMatchObject([{ id: file.id }])
    expect(await during(set(sql`language = 'de'`), { ...input, status: 'other' })).toMatchObject({ language: 'de' })
    const described = { ...input, status: 'other', media_attributes: [{ id: file.id, description: 'new' }] }
    const versions = (await history(status.id)).length
    await during(set(sql`language = 'fr'`), described)
    expect(await history(status.id)).toHaveLength(versions + 1)
  })
  test('an edit of a reply announces the author of the parent', async () => {
    const parent = await harness.post(bob, 'parent')
    const { id } = await harness.post(ann, { status: 'reply', in_reply_to_id: parent.id })
    await edit(id, { status: 'reply @bob' })
    const rows = await harness.cluster.db('statuses').rows<{ data: string }>(sql`select data from outbox
      where subject = 'evt.statuses.status.edited' and strpos(data, ${`"${id}"`}) > 0`)
    expect(rows.map((row) => JSON.parse(row.data))).toMatchObject([{ inReplyToAuthor: bob.id, added: [bob.id] }])
  })
  test('an edit with attachments that cannot be combined is refused, and changes no description', async () => {
    const [image, video] = [
      harness.fakes.file(ann, { description: 'old' }),
      harness.fakes.file(ann, { type: 'video', description: 'film' }),
    ]
    const status = await harness.post(ann, { media_ids: [image.id] })
    const media_attributes = [
      { id: image.id, description: 'new', focus: '0.5,0' },
      { id: video.id, description: 'new' },
    ]
    await expect(edit(status.id, { media_ids: [image.id, video.id], media_attributes })).rejects.toMatchObject({
      status: 422,
      message: 'Cannot attach a video to a post that already contains images',
    })
    expect([image.description, image.focus, video.description]).toEqual(['old', null, 'film'])
    // The edit reserved the video before it was refused.
    const since = new Date().toISOString()
    harness.fakes.reservedFiles = [{ id: video.id, owner: ann.id, status: status.id, since }]
    await checkReserved.run(context())
    expect([image.status, video.status]).toEqual([status.id, null])
  })
  test('a changed focal point alone is an edit, and an equal one is not', async () => {
    const one = harness.fakes.file(ann)
    const status = await harness.post(ann, { media_ids: [one.id] })
    const focused = { media_ids: [one.id], media_attributes: [{ id: one.id, focus: '0.25,-0.5' }] }
    const edited = await edit(status.id, focused)
    expect(edited.edited_at).not.toBeNull()
    expect((await edit(status.id, focused)).edited_at).toBe(edited.edited_at)
    expect(await history(status.id)).toHaveLength(2)
  })
  test('a new cover of a video is sent to media, and alone is an edit', async () => {
    const one = harness.fakes.file(ann, { type: 'video' })
    const status = await harness.post(ann, { media_ids: [one.id] })
    const key = `staging/${randomUUID()}`
    const thumbnail = { key, size: 10, type: 'image/png', name: 'cover.png' }
    const edited = await edit(status.id, { media_ids: [one.id], media_attributes: [{ id: one.id, thumbnail }] })
    expect([edited.edited_at === null, edited.media_attachments[0]?.preview_url]).toEqual([
      false,
      `http://here.example/media/${key}`,
    ])
    await expect(
      edit(status.id, {
        media_ids: [one.id],
        media_attributes: [{ id: one.id, thumbnail: { ...thumbnail, key: 'x' } }],
      }),
    ).rejects.toThrow()
  })
  test('only the author can edit a status, and the rules of posting apply', async () => {
    const status = await harness.post(ann, 'mine')
    await expect(edit(status.id, { status: 'x' }, bob)).rejects.toMatchObject({ status: 404 })
    await expect(edit(status.id, { status: '' })).rejects.toMatchObject({
      message: "Validation failed: Text can't be blank",
    })
    await expect(edit(status.id, { status: 'x'.repeat(501) })).rejects.toMatchObject({ status: 422 })
    const boost = await call(statuses.addReblog, { id: status.id }, harness.as(ann))
    await expect(edit(boost.id, { status: 'x' })).rejects.toMatchObject({ status: 404 })
  })
  test('A072 history and source of a hidden status are not found', async () => {
    const secret = await harness.post(ann, { status: 'secret', visibility: 'private' })
    for (const operation of [
      statuses.showHistory,
      statuses.sourceOfStatus,
      statuses.listFavouriters,
      statuses.listBoosters,
      statuses.showThread,
    ])
      await expect(call(operation, { id: secret.id } as never, harness.as(bob))).rejects.toMatchObject({
        status: 404,
        message: 'Not Found',
      })
  })
})

describe('S-010 polls', () => {
  const request = (more: Record<string, unknown> = {}) =>
    harness.post(ann, { status: 'which?', poll: { options: ['a', 'b', 'c'], expires_in: 600, ...more } })
  const vote = (id: string, choices: number[], who = bob) =>
    call(statuses.vote, { id, choices: choices.map(String) }, harness.as(who))

  test('S-010 a poll is created with its status, and each account votes once', async () => {
    const { poll } = await request()
    expect(poll).toMatchObject({
      expired: false,
      multiple: false,
      votes_count: 0,
      voters_count: 0,
      voted: true,
      own_votes: [],
    })
    const id = poll?.id ?? ''
    expect(await call(statuses.showPoll, { id })).not.toHaveProperty('voted')
    expect(await call(statuses.showPoll, { id }, harness.as(bob))).toMatchObject({ voted: false, own_votes: [] })
    expect(await vote(id, [1])).toMatchObject({
      voted: true,
      own_votes: [1],
      votes_count: 1,
      voters_count: 1,
      options: [{ votes_count: 0 }, { votes_count: 1 }, { votes_count: 0 }],
    })
    await expect(vote(id, [2])).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: You have already voted on this poll',
    })
    await expect(vote(id, [1], ann)).rejects.toMatchObject({
      message: 'Validation failed: You cannot vote in your own polls',
    })
    await expect(vote(id, [])).rejects.toMatchObject({ status: 400 })
  })
  test('S-010 a poll with hidden totals shows them after its end', async () => {
    const { poll } = await request({ hide_totals: true })
    const hidden = await vote(poll?.id ?? '', [0])
    expect(hidden.options.map((one) => one.votes_count)).toEqual([null, null, null])
    await harness.cluster
      .db('statuses')
      .run(sql`update polls set expires_at = now() - interval '1 second' where id = ${poll?.id}`)
    const over = await call(statuses.showPoll, { id: poll?.id ?? '' })
    expect(over).toMatchObject({ expired: true, options: [{ votes_count: 1 }, {}, {}] })
    await expect(vote(poll?.id ?? '', [0], harness.fakes.fakeAccount('late'))).rejects.toMatchObject({
      message: 'Validation failed: The poll has already ended',
    })
  })
  test('an invalid poll is refused with all its problems', async () => {
    await expect(request({ options: ['a'], expires_in: 1 })).rejects.toMatchObject({
      message: 'Validation failed: Choices must have more than one item, Deadline is too soon',
    })
    await expect(request({ expires_in: 'soon' })).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: Poll expires in is invalid',
    })
  })
  test('a missing status is reported before an invalid poll', async () => {
    const poll = { options: ['a', 'b'], expires_in: 'soon' }
    await expect(edit('5', { status: 'x', poll })).rejects.toMatchObject({ status: 404 })
    await expect(harness.post(ann, { status: 'x', in_reply_to_id: '5', poll })).rejects.toMatchObject({ status: 404 })
  })
  test('a poll is hidden with its status', async () => {
    const status = await harness.post(ann, {
      status: 'x',
      visibility: 'private',
      poll: { options: ['a', 'b'], expires_in: 600 },
    })
    const id = status.poll?.id ?? ''
    await expect(call(statuses.showPoll, { id }, harness.as(bob))).rejects.toMatchObject({ status: 404 })
    await expect(vote(id, [0])).rejects.toMatchObject({ status: 404 })
    const foe = harness.fakes.fakeAccount('foe')
    const theirs = await harness.post(foe, { status: 'x', poll: { options: ['a', 'b'], expires_in: 600 } })
    harness.fakes.block(bob, foe)
    await expect(vote(theirs.poll?.id ?? '', [0])).rejects.toMatchObject({ status: 403 })
  })
  test('an edit with other options resets the votes, and one with equal options keeps them', async () => {
    const status = await request()
    await vote(status.poll?.id ?? '', [0])
    const poll = (options: string[]) => ({ status: 'which?', poll: { options, expires_in: 900 } })
    expect((await edit(status.id, poll(['a', 'b', 'c']))).poll?.votes_count).toBe(1)
    expect((await edit(status.id, poll(['a', 'b']))).poll).toMatchObject({ votes_count: 0, voters_count: 0 })
    expect((await history(status.id)).map((one) => one.poll?.options.length)).toEqual([3, 2])
    expect((await edit(status.id, { status: 'no poll' })).poll).toBeNull()
  })
  test('F056 with concurrent votes each account votes once, and totals equal the rows', async () => {
    const { poll } = await request()
    const id = poll?.id ?? ''
    const one = harness.fakes.fakeAccount('racer')
    const twice = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => vote(id, [i % 2], one)))
    expect(twice.filter((result) => result.status === 'fulfilled').length).toBe(1)
    const voters = Array.from({ length: 40 }, (_, i) => harness.fakes.fakeAccount(`voter${i}`))
    await Promise.all(voters.map((who, i) => vote(id, [i % 3], who)))
    const end = await call(statuses.showPoll, { id })
    expect(end).toMatchObject({ votes_count: 41, voters_count: 41 })
    const rows = await harness.cluster
      .db('statuses')
      .row<{ n: number }>(sql`select count(distinct account_id)::int as n from poll_votes where poll_id = ${id}`)
    expect(rows?.n).toBe(41)
  })
  test('a poll ends for everyone at the same moment', async () => {
    const { poll } = await request()
    await vote(poll?.id ?? '', [0])
    await harness.cluster.db('statuses').run(sql`update polls set expires_at = now() where id = ${poll?.id}`)
    await expect
      .poll(() =>
        harness.cluster
          .db('statuses')
          .row(sql`select 1 from outbox where subject = 'evt.statuses.poll.ended' and data like ${`%"${poll?.id}"%`}`),
      )
      .not.toBeNull()
    expect(await call(statuses.pollVoters, { poll: poll?.id ?? '' })).toEqual({ accounts: [bob.id], next: null })
  })
  test('an edit that resets, extends or removes an ended poll announces that it has not ended', async () => {
    const db = harness.cluster.db('statuses')
    const ended = async () => {
      const { id, poll } = await request()
      await vote(poll?.id ?? '', [0])
      await db.run(sql`update polls set expires_at = now(), ended_at = now() where id = ${poll?.id}`)
      return { id, poll: poll?.id ?? '' }
    }
    const reopened = async (poll: string) =>
      (
        await db.rows(sql`select 1 from outbox
          where subject = 'evt.statuses.poll.reopened' and data like ${`%"${poll}"%`}`)
      ).length
    const to = (options: string[]) => ({ status: 'which?', poll: { options, expires_in: 900 } })
    const [reset, extended, removed] = [await ended(), await ended(), await ended()]
    await edit(reset.id, to(['x', 'y']))
    await edit(extended.id, to(['a', 'b', 'c']))
    await edit(removed.id, { status: 'no poll' })
    expect(await Promise.all([reset, extended, removed].map(({ poll }) => reopened(poll)))).toEqual([1, 1, 1])
    expect(await call(statuses.pollVoters, { poll: reset.poll })).toEqual({ accounts: [], next: null, running: true })
    expect(await call(statuses.pollVoters, { poll: extended.poll })).toMatchObject({
      accounts: [bob.id],
      running: true,
    })
    await edit(reset.id, to(['v', 'w']))
    expect(await reopened(reset.poll)).toBe(1)
  })
})
