/** Background requests to other servers: threads, counts of polls, latest statuses and pins of accounts. */
import { resolveAccount } from '@murmuration/contracts/accounts'
import { type FetchedNote, fetchCollection, fetchReplies } from '@murmuration/contracts/federation'
import { asFailure, isRetryable } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { threadRefreshName } from '../src/core/async-refresh/rules.js'
import { refreshOf } from '../src/core/async-refresh/store.js'
import { fetchAuthorStatuses } from '../src/remote/fetch-author.job.js'
import { checkQuote, fetchParent } from '../src/remote/jobs.js'
import { refetchAbsent } from '../src/remote/ticks.js'
import { crawlBounds, crawlReplies } from '../src/thread/crawl.js'
import { fetchRepliesWork } from '../src/thread/jobs.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { fetchedNote } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
let n = 0
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())
const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']

/** A status on another server, ten minutes old by default. */
const written = (more: Partial<FetchedNote> = {}, by: FakeAccount = far): FetchedNote => {
  const note = fetchedNote(by, `https://${by.domain}/notes/${++n}`, {
    html: `<p>${n}</p>`,
    published: new Date(Date.now() - 600_000 + n).toISOString(),
    ...more,
  })
  harness.fakes.outside.set(note.uri, note)
  return note
}
const here = async (note: FetchedNote, by: FakeAccount = far): Promise<string> => {
  const { authorUri: _author, mentionUris: _mentions, ...rest } = note
  return (await call(statuses.putRemoteStatus, { status: { ...rest, author: by.id, mentions: [], push: true } })).id
}
const answers = (to: FetchedNote, ...notes: FetchedNote[]) =>
  harness.fakes.listed.set(
    `${to.uri}/replies`,
    notes.map((one) => one.uri),
  )
const thread = (id: string, as: FakeAccount | null = ann) =>
  harness.cluster.request(statuses.showThread, { id }, as && harness.as(as))
const header = (answer: { meta: { headers?: Record<string, string> | undefined } }): string | undefined =>
  answer.meta.headers?.['Mastodon-Async-Refresh']
const idIn = (text: string | undefined): string =>
  /^id="([0-9a-f]{24})", retry=3, result_count=\d+$/.exec(text ?? '')?.[1] ?? ''
const refresh = (id: string) => call(statuses.showAsyncRefresh, { id }, harness.as(ann))
const below = async (id: string): Promise<string[]> =>
  (await call(statuses.showThread, { id }, harness.as(ann))).descendants.map((one) => one.uri)

test('a remote thread is fetched in the background, and readers receive its progress', async () => {
  const root = written({ published: '2026-01-02T10:00:00Z' })
  const [one, two] = [written({ in_reply_to: root.uri }), written({ in_reply_to: root.uri })]
  const deeper = written({ in_reply_to: one.uri })
  answers(root, one, two)
  answers(one, deeper, root)
  const id = await here(root)
  const asked = header(await thread(id))
  expect(asked).toMatch(/^id="[0-9a-f]{24}", retry=3, result_count=0$/)
  await harness.cluster.waitForIdle()
  expect(await refresh(idIn(asked))).toEqual({
    async_refresh: { id: idIn(asked), status: 'finished', result_count: 3 },
  })
  expect((await below(id)).sort()).toEqual([one.uri, two.uri, deeper.uri].sort())
  // The thread is not fetched again for a while, and the response has no header.
  const before = harness.fakes.asked.length
  expect(header(await thread(id))).toBeUndefined()
  await harness.cluster.waitForIdle()
  expect(harness.fakes.asked.slice(before)).not.toContain(`replies ${root.uri}`)
})

test('no request is sent for anonymous viewers, nor for new, private or local statuses', async () => {
  const young = await here(written({ published: new Date().toISOString() }))
  const hidden = await here(written({ visibility: 'private' }))
  const open = await here(written())
  const own = await harness.post(ann, 'mine')
  harness.fakes.follow(ann, far)
  expect(header(await thread(young))).toBeUndefined()
  expect(header(await thread(hidden))).toBeUndefined()
  expect(header(await thread(own.id))).toBeUndefined()
  expect(header(await thread(open, null))).toBeUndefined()
  expect(header(await thread(open))).toBeDefined()
  harness.fakes.unfollow(ann, far)
  for (const unknown of ['0'.repeat(24), 'x', ''])
    await expect(refresh(unknown)).rejects.toMatchObject({ status: 404, message: 'Not Found' })
})

test('two readers at the same moment start one fetch', async () => {
  const root = written()
  const id = await here(root)
  const [a, b] = await Promise.all([thread(id), thread(id)])
  await harness.cluster.waitForIdle()
  const ids = [a, b].map((one) => idIn(header(one))).filter(Boolean)
  expect(new Set(ids).size).toBe(1)
  expect(harness.fakes.asked.filter((one) => one === `replies ${root.uri}`)).toHaveLength(1)
})

test('hostile 103 104 interop 8.12 a collection with cycles, statuses outside the thread and hidden replies adds only statuses of the thread', async () => {
  const root = written()
  const good = written({ in_reply_to: root.uri })
  const unrelated = written()
  const hidden = written({ in_reply_to: root.uri, visibility: 'private' })
  answers(root, root, good, unrelated, hidden)
  answers(good, good, root)
  harness.fakes.listed.get(`${root.uri}/replies`)?.push('https://far.example/notes/nothing')
  const id = await here(root)
  const asked = header(await thread(id))
  await harness.cluster.waitForIdle()
  expect(await below(id)).toEqual([good.uri])
  expect((await refresh(idIn(asked))).async_refresh).toMatchObject({ status: 'finished', result_count: 1 })
  expect((await call(statuses.statusRecords, { uris: [unrelated.uri, hidden.uri] })).records).toEqual([])
})

test('hostile 103 listed statuses outside the thread, and replies to them, are not stored, in any order', async () => {
  const root = written()
  const near = written({ in_reply_to: root.uri })
  const deep = written({ in_reply_to: near.uri })
  const deepest = written({ in_reply_to: deep.uri })
  const elsewhere = written()
  const below1 = written({ in_reply_to: elsewhere.uri })
  const below2 = written({ in_reply_to: below1.uri })
  answers(root, deepest, below2, below1, deep, elsewhere, near)
  answers(elsewhere, below1)
  const id = await here(root)
  await thread(id)
  await harness.cluster.waitForIdle()
  expect((await below(id)).toSorted()).toEqual([near, deep, deepest].map((one) => one.uri).toSorted())
  const unrelated = [elsewhere, below1, below2].map((one) => one.uri)
  expect((await call(statuses.statusRecords, { uris: unrelated })).records).toEqual([])
})

test('a reply to a known reply is found while the server of the known reply is down', async () => {
  const root = written()
  const id = await here(root)
  const known = written({ in_reply_to: root.uri })
  await here(known)
  const child = written({ in_reply_to: known.uri })
  harness.fakes.outside.delete(known.uri)
  answers(root, known, child)
  await thread(id)
  await harness.cluster.waitForIdle()
  expect((await below(id)).toSorted()).toEqual([known.uri, child.uri].toSorted())
})

test('replies are found that name their parent by its page', async () => {
  const page = () => `https://far.example/hello/${n + 1}/`
  const root = written({ url: page() })
  const other = written({ url: page() })
  const id = await here(root)
  await here(other)
  const near = written({ in_reply_to: root.url, url: page() })
  const deep = written({ in_reply_to: near.url })
  const unrelated = written({ in_reply_to: other.url })
  answers(root, deep, near, unrelated)
  await thread(id)
  await harness.cluster.waitForIdle()
  expect((await below(id)).toSorted()).toEqual([near.uri, deep.uri].toSorted())
  expect((await call(statuses.statusRecords, { uris: [unrelated.uri] })).records).toEqual([])
})

test('replies are found that name a known parent by its page while its server is down', async () => {
  const root = written()
  const id = await here(root)
  const known = written({ in_reply_to: root.uri, url: 'https://far.example/known/' })
  await here(known)
  harness.fakes.outside.delete(known.uri)
  const child = written({ in_reply_to: known.url })
  answers(root, known, child)
  await thread(id)
  await harness.cluster.waitForIdle()
  expect((await below(id)).toSorted()).toEqual([known.uri, child.uri].toSorted())
})

test('a fetched status mentions accounts by handle, and an unknown one at an unreadable page by its handle', async () => {
  const lou = harness.fakes.fakeAccount('lou', { domain: 'lou.example' }, false)
  harness.fakes.outside.set('lou@lou.example', lou)
  const note = written({
    mentionUris: [{ uri: 'https://lou.example/profile/lou', silent: false, handle: 'lou@lou.example' }],
    mentionHandles: ['dan@far.example', 'unknown@far.example'],
  })
  const { id } = await call(statuses.resolveStatus, { uri: note.uri, viewer: null, behind: true })
  const { mentions } = await call(statuses.showStatus, { id: id ?? '' }, harness.as(ann))
  expect(mentions.map((one) => one.acct).sort()).toEqual(['dan@far.example', 'lou@lou.example'])
})

test('hostile 106 unknown accounts that a thread mentions are looked up within limits, and known ones are not requested', async () => {
  const root = written()
  const unknownAccounts = (i: number) =>
    Array.from({ length: 20 }, (_, k) => ({ uri: `https://victim${i}.example/users/u${k}`, silent: false }))
  const replies = Array.from({ length: 24 }, (_, i) =>
    written({ in_reply_to: root.uri, mentionUris: [{ uri: ann.uri, silent: false }, ...unknownAccounts(i)] }),
  )
  answers(root, ...replies)
  const id = await here(root)
  const before = harness.fakes.asked.length
  await thread(id)
  await harness.cluster.waitForIdle()
  expect(await below(id)).toHaveLength(replies.length)
  // Each status also causes a lookup of its author.
  const asked = harness.fakes.asked.slice(before).filter((one) => one === 'accounts.account.resolve').length
  expect(asked - replies.length).toBeLessThanOrEqual(crawlBounds.mentioned + 5)
  expect(crawlBounds.mentioned + crawlBounds.authors).toBeLessThanOrEqual(400)
  const { descendants } = await call(statuses.showThread, { id }, harness.as(ann))
  expect(descendants.every((one) => one.mentions.some((named) => named.id === ann.id))).toBe(true)
})

test('the missing parent of the topmost status is fetched again', async () => {
  const first = written()
  harness.fakes.outside.delete(first.uri)
  const reply = written({ in_reply_to: first.uri })
  const id = await here(reply)
  await harness.cluster.waitForIdle()
  harness.fakes.outside.set(first.uri, first)
  const asked = header(await thread(id))
  await harness.cluster.waitForIdle()
  const { ancestors } = await call(statuses.showThread, { id }, harness.as(ann))
  expect(ancestors.map((one) => one.uri)).toEqual([first.uri])
  expect((await refresh(idIn(asked))).async_refresh).toMatchObject({ status: 'finished', result_count: 1 })
})

/** Context of this service, in which the look-up of an account ends with a defect of the accounts service. */
const withDefectFor = (who: FakeAccount): Context => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const call = (operation: unknown, input: { uri?: string }, ...more: [never]) =>
    operation === resolveAccount && input.uri === who.uri
      ? Promise.reject(asFailure(new TypeError('a defect')))
      : ctx.call(operation as never, input as never, ...more)
  return { ...ctx, call: call as unknown as Context['call'] }
}

test('jobs are tried again after a defect in looking up the author of a parent or a quoted status', async () => {
  const unlucky = harness.fakes.fakeAccount('unlucky', { domain: 'far.example' })
  const ctx = withDefectFor(unlucky)
  const parent = written({}, unlucky)
  const meta = { id: 'none', tries: 1 }
  const ofParent = await fetchParent.run(ctx, { uri: parent.uri, depth: 1 }, meta).catch((error: unknown) => error)
  expect(isRetryable(ofParent)).toBe(true)
  expect(ofParent).toMatchObject({ cause: { code: 'unknown' } })
  harness.fakes.outside.delete(parent.uri)
  const quoting = await here(written({ quote: { uri: parent.uri, stamp: null, legacy: false } }))
  await harness.cluster.waitForIdle()
  harness.fakes.outside.set(parent.uri, parent)
  const ofQuote = await checkQuote.run(ctx, { status: quoting, depth: 1 }, meta).catch((error: unknown) => error)
  expect(ofQuote).toMatchObject({ cause: { code: 'unknown' } })
})

test('replies are fetched despite a defect in looking up the author of the parent or of one reply', async () => {
  const unlucky = harness.fakes.fakeAccount('hapless', { domain: 'far.example' })
  const parent = written({}, unlucky)
  harness.fakes.outside.delete(parent.uri)
  const root = written({ in_reply_to: parent.uri })
  const id = await here(root)
  await harness.cluster.waitForIdle()
  harness.fakes.outside.set(parent.uri, parent)
  const [good, faulty] = [written({ in_reply_to: root.uri }), written({ in_reply_to: root.uri }, unlucky)]
  answers(root, faulty, good)
  const meta = { id: 'none', tries: 1 }
  await fetchRepliesWork.run(withDefectFor(unlucky), { status: id, refresh: 'f'.repeat(24) }, meta)
  expect(await below(id)).toEqual([good.uri])
})

test('an outbox is read again after a defect in looking up the author of one of its statuses', async () => {
  const owner = harness.fakes.fakeAccount('ovid', {
    domain: 'far.example',
    outbox_url: `https://far.example/ovid/${n}`,
  })
  const [good, faulty] = [written({}, owner), written({ authorUri: `${owner.uri}/alias` }, owner)]
  harness.fakes.listed.set(owner.outbox_url ?? '', [faulty.uri, good.uri])
  const alias = { ...owner, uri: `${owner.uri}/alias` }
  const run = fetchAuthorStatuses.run(
    withDefectFor(alias),
    { account: owner.id, what: 'all', reader: null },
    { id: 'none', tries: 1 },
  )
  await expect(run).rejects.toMatchObject({ code: 'unavailable' })
  expect((await call(statuses.statusRecords, { uris: [good.uri, faulty.uri] })).records).toHaveLength(1)
})

test('a status that names its own page as its parent finds no new status', async () => {
  const page = `https://far.example/pages/${n}`
  const id = await here(written({ url: page, in_reply_to: page }))
  await harness.cluster.waitForIdle()
  const asked = header(await thread(id))
  await harness.cluster.waitForIdle()
  expect((await refresh(idIn(asked))).async_refresh).toMatchObject({ status: 'finished', result_count: 0 })
})

test('a parent is linked that is stored under another address than the one that the reply names', async () => {
  const parent = written({ url: 'https://far.example/named/' })
  const parentId = await here(parent)
  const named = 'https://far.example/named'
  const reply = written({ in_reply_to: named })
  const id = await here(reply)
  await harness.cluster.waitForIdle()
  // The address redirects to the document of the parent only since the job gave up.
  harness.fakes.outside.set(named, parent)
  const asked = header(await thread(id))
  await harness.cluster.waitForIdle()
  const { ancestors } = await call(statuses.showThread, { id }, harness.as(ann))
  expect(ancestors.map((one) => one.id)).toEqual([parentId])
  // The parent was stored before.
  expect((await refresh(idIn(asked))).async_refresh).toMatchObject({ status: 'finished', result_count: 0 })
})

const question = (votes: [number, number], more: Partial<FetchedNote['poll']> = {}): FetchedNote['poll'] => ({
  multiple: false,
  options: [
    { title: 'yes', votes: votes[0] },
    { title: 'no', votes: votes[1] },
  ],
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  voters: votes[0] + votes[1],
  ...more,
})

test('the counts of a remote poll are shown at once and fetched in the background, once a minute', async () => {
  const note = written({ poll: question([1, 0]) })
  const id = await here(note)
  const { poll } = await call(statuses.showStatus, { id }, harness.as(ann))
  const show = async (as: FakeAccount | null = ann) =>
    (await call(statuses.showPoll, { id: poll?.id ?? '' }, as && harness.as(as))).votes_count
  const grows = (votes: [number, number]) => harness.fakes.outside.set(note.uri, { ...note, poll: question(votes) })
  const age = () =>
    harness.cluster
      .db('statuses')
      .run(sql`update polls set fetched_at = now() - interval '2 minutes' where id = ${poll?.id}`)
  grows([5, 4])
  expect(await show()).toBe(1)
  await harness.cluster.waitForIdle()
  expect(await show(), 'it was read within the minute').toBe(1)
  await age()
  expect(await show(null), 'visitors make nobody ask').toBe(1)
  await harness.cluster.waitForIdle()
  expect(await show()).toBe(1)
  await harness.cluster.waitForIdle()
  expect(await show()).toBe(9)
  // After the end of the poll the final counts are known.
  await harness.cluster
    .db('statuses')
    .run(
      sql`update polls set fetched_at = now() - interval '2 minutes', expires_at = now() - interval '3 minutes' where id = ${poll?.id}`,
    )
  await harness.wipeRedis()
  grows([50, 40])
  expect(await show()).toBe(9)
  await harness.cluster.waitForIdle()
  expect(await show()).toBe(9)
})

test('counts of favourites and boosts of a remote status are those of its server, if larger', async () => {
  const note = written({ favourites_count: 7, reblogs_count: null })
  const id = await here(note)
  const counts = async () => {
    const { favourites_count, reblogs_count } = await call(statuses.showStatus, { id }, harness.as(ann))
    return [favourites_count, reblogs_count]
  }
  expect(await counts()).toEqual([7, 0])
  await call(statuses.addFavourite, { id }, harness.as(ann))
  await here({ ...note, favourites_count: 0, reblogs_count: 3 })
  expect(await counts()).toEqual([1, 3])
})

test('the first follow of a remote account fetches its latest statuses and pins', async () => {
  const { fakes } = harness
  const zoe = fakes.fakeAccount('zoe', {
    domain: 'zoo.example',
    outbox_url: 'https://zoo.example/users/zoe/outbox',
    featured_url: 'https://zoo.example/users/zoe/featured',
  })
  const notes = [written({}, zoe), written({}, zoe), written({}, zoe)]
  const foreign = written({}, fakes.fakeAccount('yan', { domain: 'zoo.example' }))
  fakes.listed.set(
    zoe.outbox_url ?? '',
    [...notes, foreign].map((one) => one.uri),
  )
  fakes.listed.set(
    zoe.featured_url ?? '',
    [notes[1], notes[0], foreign].map((one) => one?.uri ?? ''),
  )
  const follow = async (from: FakeAccount) => {
    fakes.follow(from, zoe)
    await harness.happen(accounts.followCreated, {
      id: fakes.nextId(),
      from: from.id,
      to: zoe.id,
      fromLocal: true,
      toLocal: false,
      uri: null,
      accepted: true,
    })
    await harness.cluster.waitForIdle()
  }
  await follow(ann)
  const shown = async (pinned: boolean, as: FakeAccount | null = ann) =>
    (await call(statuses.accountTimeline, { id: zoe.id, pinned }, as && harness.as(as))).map((one) => one.uri)
  expect((await shown(false)).sort()).toEqual(notes.map((one) => one.uri).sort())
  expect(await shown(true)).toEqual([notes[1]?.uri, notes[0]?.uri])
  expect((await harness.home(ann)).map((one) => one.uri)).toContain(notes[2]?.uri)
  // The next follower causes no request.
  const before = fakes.asked.length
  await follow(fakes.fakeAccount('bea'))
  expect(fakes.asked.slice(before)).not.toContain(`collection ${zoe.outbox_url}`)
  // Pins are fetched again when the profile is viewed, once a day. An empty list removes them.
  fakes.listed.set(zoe.featured_url ?? '', [])
  await harness.wipeRedis()
  expect(await shown(true, null)).toHaveLength(2)
  await harness.cluster.waitForIdle()
  // This view may still show the old pins.
  await shown(true)
  await harness.cluster.waitForIdle()
  expect(await shown(true)).toEqual([])
})

const ctx = () => harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context

test('a pin that cannot be read removes no other pin, and is fetched again until it can be read', async () => {
  const { fakes } = harness
  const kim = fakes.fakeAccount('kim', {
    domain: 'kim.example',
    featured_url: 'https://kim.example/users/kim/featured',
  })
  const [old, fresh, later] = [written({}, kim), written({}, kim), written({}, kim)]
  const pin = (...notes: FetchedNote[]) =>
    fakes.listed.set(
      kim.featured_url ?? '',
      notes.map((one) => one.uri),
    )
  const bring = (tries: number) =>
    fetchAuthorStatuses.run(ctx(), { account: kim.id, what: 'pins', reader: null }, { id: `pins ${tries}`, tries })
  const shown = async () =>
    (await call(statuses.accountTimeline, { id: kim.id, pinned: true }, harness.as(ann))).map((one) => one.uri)
  pin(old)
  await bring(1)
  expect(await shown()).toEqual([old.uri])
  pin(fresh, later)
  fakes.away.add(later.uri)
  await expect(bring(1)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shown()).toEqual([fresh.uri, old.uri])
  fakes.away.delete(later.uri)
  await bring(2)
  expect(await shown()).toEqual([fresh.uri, later.uri])
  // A list of which some pages were not read adds pins and removes none.
  const featured = kim.featured_url ?? ''
  for (const unfinished of [
    { next: null, partial: true },
    { next: `${featured}?page=4`, partial: false },
  ]) {
    fakes.unfinished.set(featured, unfinished)
    pin(old)
    await bring(3)
    expect(await shown()).toEqual([old.uri, fresh.uri, later.uri])
    pin()
    await bring(4)
    expect(await shown()).toEqual([old.uri, fresh.uri, later.uri])
  }
  fakes.unfinished.delete(featured)
  // An address with a fragment does not denote the document that contains it.
  const whole = written({}, kim)
  fakes.outside.set(`${whole.uri}#3`, whole)
  pin({ ...whole, uri: `${whole.uri}#3` }, fresh)
  await bring(5)
  expect(await shown()).toEqual([fresh.uri])
})

test('a list of pins that was fetched before an Add, a Remove or a later list does not replace it', async () => {
  const { fakes } = harness
  const featured = 'https://lou.example/users/lou/featured'
  const lou = fakes.fakeAccount('lou', { domain: 'lou.example', featured_url: featured })
  const [first, second] = [written({}, lou), written({}, lou)]
  const [one, two] = [await here(first, lou), await here(second, lou)]
  const list = (...notes: FetchedNote[]) =>
    fakes.listed.set(
      featured,
      notes.map((note) => note.uri),
    )
  const job = { account: lou.id, what: 'pins' as const, reader: null }
  const bring = () => fetchAuthorStatuses.run(ctx(), job, { id: 'pins', tries: 1 })
  /** Fetches the list, and runs `change` after its first `times` responses. */
  const bringWhile = (change: () => Promise<unknown>, times = 1) => {
    let left = times
    const call: Context['call'] = async (operation, ...rest) => {
      const result = await ctx().call(operation, ...rest)
      if (operation.name === fetchCollection.name && left-- > 0) await change()
      return result
    }
    return fetchAuthorStatuses.run({ ...ctx(), call }, job, { id: 'slow pins', tries: 1 })
  }
  const put = async (status: string, pinned: boolean) =>
    (await call(statuses.putRemotePin, { account: lou.id, status, pinned })).outcome
  const shown = async () =>
    (await call(statuses.accountTimeline, { id: lou.id, pinned: true }, harness.as(ann))).map((it) => it.uri)

  list(first)
  await bringWhile(async () => {
    list(first, second)
    expect(await put(two, true)).toBe('done')
  })
  expect(await shown()).toEqual([first.uri, second.uri])
  await bringWhile(async () => {
    list(first)
    expect(await put(two, false)).toBe('done')
  })
  expect(await shown()).toEqual([first.uri])
  // The Remove has no effect, because the status is not pinned yet.
  list(first, second)
  await bringWhile(async () => {
    list(first)
    expect(await put(two, false)).toBe('unchanged')
  })
  expect(await shown()).toEqual([first.uri])
  // The status of the Remove is not stored yet.
  const third = written({}, lou)
  fakes.outside.set(third.uri, third)
  list(first, third)
  await bringWhile(async () => {
    list(first)
    expect(await put(statuses.UNKNOWN_STATUS, false)).toBe('unchanged')
  })
  expect(await shown()).toEqual([first.uri])
  // The later list is that of an Update.
  list(second)
  await bringWhile(async () => {
    list()
    await bring()
  })
  expect(await shown()).toEqual([])
  // The second list is outdated, too.
  await expect(bringWhile(() => put(one, true), 2)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shown()).toEqual([first.uri])
})

test('a list of pins that was fetched twice at once is not fetched again', async () => {
  const { fakes } = harness
  const featured = 'https://ned.example/users/ned/featured'
  const ned = fakes.fakeAccount('ned', { domain: 'ned.example', featured_url: featured })
  const [first, second] = [written({}, ned), written({}, ned)]
  const job = { account: ned.id, what: 'pins' as const, reader: null }
  let fetches = 0
  const fetchAtOnce = async () => {
    const both = Promise.withResolvers<void>()
    fetches = 0
    const callWith: Context['call'] = async (operation, ...rest) => {
      const result = await ctx().call(operation, ...rest)
      if (operation.name === fetchCollection.name) {
        fetches++
        if (fetches === 2) both.resolve()
        await both.promise
      }
      return result
    }
    const run = (id: string) => fetchAuthorStatuses.run({ ...ctx(), call: callWith }, job, { id, tries: 1 })
    await Promise.all([run('pins 1'), run('pins 2')])
  }
  const shown = async () =>
    (await call(statuses.accountTimeline, { id: ned.id, pinned: true }, harness.as(ann))).map((it) => it.uri)
  for (const list of [[first.uri, second.uri], [second.uri], []]) {
    fakes.listed.set(featured, list)
    fakes.outside.set(first.uri, first).set(second.uri, second)
    await fetchAtOnce()
    expect(fetches).toBe(2)
    expect(await shown()).toEqual(list)
    // The first reading of the pins of an account queues a fetch of its collections. Without this wait, that fetch would
    // count as a newer list.
    await harness.cluster.waitForIdle()
  }
})

test('the pins of an account are stored before its latest statuses are fetched', async () => {
  const { fakes } = harness
  const [outbox, featured] = ['https://moe.example/users/moe/outbox', 'https://moe.example/users/moe/featured']
  const moe = fakes.fakeAccount('moe', { domain: 'moe.example', outbox_url: outbox, featured_url: featured })
  const pinned = written({}, moe)
  fakes.listed.set(outbox, [])
  fakes.listed.set(featured, [pinned.uri])
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const slow: Context['call'] = async (operation, ...rest) => {
    const [input] = rest as { url?: string }[]
    if (operation.name === fetchCollection.name && input?.url === outbox) await stored
    return ctx().call(operation, ...rest)
  }
  const job = { account: moe.id, what: 'all' as const, reader: null }
  const run = fetchAuthorStatuses.run({ ...ctx(), call: slow }, job, { id: 'all', tries: 1 })
  const shown = async () =>
    (await call(statuses.accountTimeline, { id: moe.id, pinned: true }, harness.as(ann))).map((it) => it.uri)
  await expect.poll(shown).toEqual([pinned.uri])
  resolve()
  await run
})

test('hostile 106 quotes in the replies of a thread are fetched within limits', async () => {
  const root = written()
  const quoted = Array.from({ length: 6 }, () => written())
  const replies = quoted.map((one) =>
    written({ in_reply_to: root.uri, quote: { uri: one.uri, stamp: null, legacy: false } }),
  )
  answers(root, ...replies)
  await here(root)
  await crawlReplies(ctx(), root.uri, async () => {}, { ...crawlBounds, quotes: 4 })
  await harness.cluster.waitForIdle()
  const { records } = await call(statuses.statusRecords, { uris: quoted.map((one) => one.uri) })
  expect(records).toHaveLength(4)
  // The others are fetched when their quoting status is opened.
  const [open = ''] = replies
    .filter((_one, i) => !records.some((record) => record.uri === quoted[i]?.uri))
    .map((one) => one.uri)
  const [late] = (await call(statuses.statusRecords, { uris: [open] })).records
  await call(statuses.showThread, { id: late?.id ?? '' }, harness.as(ann))
  await harness.cluster.waitForIdle()
  expect((await call(statuses.statusRecords, { uris: quoted.map((one) => one.uri) })).records).toHaveLength(5)
  expect(crawlBounds.quotes).toBeLessThanOrEqual(crawlBounds.statuses / 10)
})

/** Address of a local reply within a remote thread. */
const oursBelow = async (root: FetchedNote): Promise<string> => {
  const id = await here(root)
  return (await harness.post(ann, { status: 'ours, in between', in_reply_to_id: id })).uri
}

test('replies to a local reply are found, although no collection lists it', async () => {
  const root = written()
  const ours = await oursBelow(root)
  const child = written({ in_reply_to: ours })
  const deeper = written({ in_reply_to: child.uri })
  answers(root, deeper, child)
  await crawlReplies(ctx(), root.uri, async () => {})
  const { records } = await call(statuses.statusRecords, { uris: [child.uri, deeper.uri] })
  expect(records).toHaveLength(2)
})

test('replies to a local reply are found by every address of it', async () => {
  const root = written()
  const id = await here(root)
  const { id: own } = await harness.post(ann, { status: 'ours, in between', in_reply_to_id: id })
  const named = ['@ann', 'users/ann/statuses'].map((path) => `${ctx().site.origin}/${path}/${own}`)
  const children = named.map((in_reply_to) => written({ in_reply_to }))
  answers(root, ...children)
  await crawlReplies(ctx(), root.uri, async () => {})
  const { descendants } = await call(statuses.showThread, { id: own }, harness.as(ann))
  expect(descendants.map((one) => one.uri).toSorted()).toEqual(children.map((one) => one.uri).toSorted())
})

test('the thread of a reply to a hidden local status has the same count as that of a reply to a missing status', async () => {
  const [hidden, direct] = await Promise.all(
    (['private', 'direct'] as const).map((visibility) => harness.post(ann, { status: 'for few', visibility })),
  )
  const boosted = await harness.post(ann, 'for everybody')
  const boost = await call(statuses.addReblog, { id: boosted.id, visibility: 'private' }, harness.as(ann))
  const absent = String(hidden?.uri).replace(/\d+$/, '1')
  const named = [hidden?.uri, hidden?.url, `${direct?.uri}/activity`, boost.uri, absent]
  const replies = await Promise.all(named.map((uri) => here(written({ in_reply_to: String(uri) }))))
  const look = async (id: string) => {
    await thread(id)
    return (await refreshOf(ctx().redis, threadRefreshName(id))) ?? Promise.reject(new Error('not begun'))
  }
  // On a busy machine Redis may respond too late. The next reader then starts the fetch.
  const looks = await Promise.all(replies.map((id) => vi.waitFor(() => look(id), { timeout: 10_000 })))
  await harness.cluster.waitForIdle()
  const found = await Promise.all(looks.map((one) => refresh(one.id)))
  expect(found.map((one) => [one.async_refresh.status, one.async_refresh.result_count])).toEqual(
    named.map(() => ['finished', 0]),
  )
})

test('a listed reply to a hidden local status in the thread is treated like one to a missing status', async () => {
  const root = written()
  const id = await here(root)
  const [hidden, open] = await Promise.all(
    (['private', 'public'] as const).map((visibility) =>
      harness.post(ann, { status: 'answer', visibility, in_reply_to_id: id }),
    ),
  )
  const [toHidden, toOpen] = [hidden, open].map((one) => written({ in_reply_to: String(one?.uri) }))
  const toAbsent = written({ in_reply_to: String(hidden?.uri).replace(/\d+$/, '1') })
  if (toHidden === undefined || toOpen === undefined) throw new Error('not written')
  answers(root, toHidden, toOpen, toAbsent)
  expect(await crawlReplies(ctx(), root.uri, async () => {})).toBe(1)
  const { records } = await call(statuses.statusRecords, { uris: [toHidden.uri, toOpen.uri, toAbsent.uri] })
  expect(records.map((one) => one.uri)).toEqual([toOpen.uri])
})

test('hostile 106 only a limited number of replies without a known parent is kept in memory', async () => {
  const root = written()
  const ours = await oursBelow(root)
  // Before a level is read it is unknown that the parent of these replies is stored here.
  const replies = Array.from({ length: 8 }, () => written({ in_reply_to: ours }))
  const many = Array.from({ length: 500 }, (_, i) => `https://far.example/long/${i}/${'a'.repeat(1_900)}`)
  for (const one of replies) harness.fakes.listed.set(`${one.uri}/replies`, many)
  answers(root, ...replies)
  const found = async () => {
    await crawlReplies(ctx(), root.uri, async () => {}, { ...crawlBounds, depth: 1, statuses: 20 })
    return (await call(statuses.statusRecords, { uris: replies.map((one) => one.uri) })).records.length
  }
  expect(await found()).toBe(Math.floor(crawlBounds.waiting / 1_000_000))
  expect(crawlBounds.waiting).toBeLessThanOrEqual(8_000_000)
  for (const one of replies) harness.fakes.listed.delete(`${one.uri}/replies`)
  expect(await found()).toBe(replies.length)
})

test('hostile 106 after its time limit a thread causes no further requests and no further statuses', async () => {
  const root = written()
  const fakeAccounts = (i: number) => harness.fakes.fakeAccount(`slow${i}`, { domain: 'far.example' })
  const replies = Array.from({ length: 40 }, (_, i) => written({ in_reply_to: root.uri }, fakeAccounts(i)))
  answers(root, ...replies)
  await here(root)
  const real = ctx()
  const bound = 60_000
  let passed = 0
  let late = 0
  const slow: Context = Object.assign(Object.create(real), {
    clock: { ...real.clock, now: () => real.clock.now() + passed },
    call: (async (operation, ...given) => {
      const isOutside = operation === resolveAccount || operation.name === fetchReplies.name
      if (isOutside && passed >= bound) late += 1
      // The requested server responds after ten seconds.
      if (operation === resolveAccount) passed += 10_000
      return real.call(operation, ...given)
    }) as Context['call'],
  })
  const created = await crawlReplies(slow, root.uri, async () => {}, { ...crawlBounds, ms: bound })
  expect(created).toBeGreaterThan(0)
  expect(created).toBeLessThanOrEqual(bound / 10_000)
  expect(late).toBe(0)
})

describe('a remote status that its server does not find', () => {
  const isGone = async (id: string) =>
    (await call(statuses.statusRecords, { ids: [id] })).records.every((one) => one.deleted)
  const read = async (id: string) => {
    await ctx().queues.push(statuses.refreshStatus, { id: `${id} ${++n}`, data: { status: id } })
    await harness.cluster.waitForIdle()
    return isGone(id)
  }
  /** Moves the clock and runs the checks that are due then. */
  const hoursLater = async (hours: number, id: string) => {
    ctx().clock.moveTo(hours * 3_600_000)
    await refetchAbsent.run(ctx())
    await harness.cluster.waitForIdle()
    return isGone(id)
  }
  afterEach(() => ctx().clock.moveTo(0))

  test('is deleted when its server responds 410, and kept after a single 404', async () => {
    const [missing, gone] = [written(), written()]
    const [one, other] = [await here(missing), await here(gone)]
    for (const note of [missing, gone]) harness.fakes.outside.delete(note.uri)
    harness.fakes.gone.add(gone.uri)
    expect(await read(other)).toBe(true)
    for (let times = 0; times < 4; times++) expect(await read(one)).toBe(false)
  })

  test('is deleted when it is not found for a day', async () => {
    const note = written()
    const id = await here(note)
    harness.fakes.outside.delete(note.uri)
    expect(await read(id)).toBe(false)
    expect(await hoursLater(0.5, id)).toBe(false)
    expect(await hoursLater(1.1, id)).toBe(false)
    expect(await hoursLater(20, id)).toBe(false)
    expect(await hoursLater(25, id)).toBe(true)
  })

  test('is kept when its server has it again, and the earlier 404s do not count', async () => {
    const note = written()
    const id = await here(note)
    harness.fakes.outside.delete(note.uri)
    expect(await read(id)).toBe(false)
    harness.fakes.outside.set(note.uri, note)
    expect(await hoursLater(2, id)).toBe(false)
    harness.fakes.outside.delete(note.uri)
    expect(await hoursLater(30, id)).toBe(false)
    expect(await harness.cluster.db('statuses').rows(sql`select 1 from absences where status_id = ${id}`)).toEqual([])
  })

  describe('after a group announced its deletion', () => {
    const announced = async (outcome: 'ok' | 'not-found', boosts = true) => {
      const note = written()
      const id = await here(note)
      const group = await harness.fakes.fakeAccount(`group${++n}`, { domain: 'third.example' })
      if (boosts)
        await call(statuses.applyRemoteInteraction, {
          what: 'reblog',
          actor: group.id,
          object: note.uri,
          uri: `https://third.example/boosts/${n}`,
          visibility: 'public',
        })
      if (outcome === 'not-found') harness.fakes.outside.delete(note.uri)
      await call(statuses.reportFetchResult, { uri: note.uri, outcome, by: group.id })
      return { note, id }
    }
    const absences = (id: string) =>
      harness.cluster.db('statuses').rows(sql`select times from absences where status_id = ${id}`)

    test('it is requested again after ten minutes, when its server has deleted it, too', async () => {
      const { note, id } = await announced('ok')
      expect(await absences(id)).toEqual([{ times: 0 }])
      harness.fakes.outside.delete(note.uri)
      harness.fakes.gone.add(note.uri)
      expect(await hoursLater(0.1, id)).toBe(false)
      expect(await hoursLater(0.2, id)).toBe(true)
    })
    test('it is requested again, although its server still had it when somebody viewed it before', async () => {
      const { note, id } = await announced('ok')
      await call(statuses.reportFetchResult, { uri: note.uri, outcome: 'ok' })
      expect(await absences(id)).toEqual([{ times: 0 }])
      harness.fakes.outside.delete(note.uri)
      harness.fakes.gone.add(note.uri)
      expect(await hoursLater(0.2, id)).toBe(true)
    })
    test('it is kept if its server still has it after ten minutes, and not requested again', async () => {
      const { note, id } = await announced('ok')
      expect(await hoursLater(0.2, id)).toBe(false)
      expect(await absences(id)).toEqual([])
      harness.fakes.gone.add(note.uri)
      harness.fakes.outside.delete(note.uri)
      expect(await hoursLater(100, id)).toBe(false)
    })
    test('a 404 after ten minutes is the first of several', async () => {
      const { note, id } = await announced('ok')
      harness.fakes.outside.delete(note.uri)
      expect(await hoursLater(0.2, id)).toBe(false)
      expect(await absences(id)).toEqual([{ times: 1 }])
      expect(await hoursLater(1.3, id)).toBe(false)
      expect(await hoursLater(25, id)).toBe(true)
    })
    test('a group that had not announced it causes no request', async () => {
      const { id } = await announced('ok', false)
      expect(await absences(id)).toEqual([])
    })
    test('one 404 is enough if the group had announced it', async () => {
      expect(await isGone((await announced('not-found')).id)).toBe(true)
      expect(await isGone((await announced('not-found', false)).id)).toBe(false)
    })
  })

  test('is kept if it is private', async () => {
    const note = written({ visibility: 'private' })
    const id = await here(note)
    harness.fakes.outside.delete(note.uri)
    harness.fakes.gone.add(note.uri)
    expect(await read(id)).toBe(false)
  })
})
