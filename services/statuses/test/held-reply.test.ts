/**
 * Remote replies held for approval: concurrent with their parent, in large numbers, direct, and while the approving
 * server is down.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkReply } from '../src/approval/jobs.js'
import { linkUnlinked } from '../src/approval/ticks.js'
import type { Context } from '../src/context.js'
import { claimApproval, putApproval, setProved, takeApprovals } from '../src/core/reply/approval.store.js'
import { deleteOld } from '../src/status/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
/** An author who approves replies. */
let gus: FakeAccount
let ola: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  gus = harness.fakes.fakeAccount('gus', { domain: 'far.example' })
  ola = harness.fakes.fakeAccount('ola', { domain: 'else.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const context = () => harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
const put = async (status: RemoteStatus) => (await call(statuses.putRemoteStatus, { status })).id
const restricted = () => remoteStatus(gus, { reply_policy: { automatic: [gus.uri], manual: ['public'] } })
let n = 0
const answerTo = (above: { uri: string }, more: Partial<RemoteStatus> = {}) => {
  const uri = `https://else.example/notes/${++n}`
  return remoteStatus(ola, { uri, url: null, in_reply_to: above.uri, ...more })
}
/** Publishes an approval at its address. */
const stamp = (above: { uri: string }, answer: { uri: string }) => {
  const uri = `https://far.example/approvals/${++n}`
  harness.fakes.authorizations.set(uri, `${answer.uri} quotes ${above.uri}`)
  return uri
}
const show = async (id: string) => {
  await harness.cluster.waitForIdle()
  return call(statuses.showStatus, { id }, harness.as(ann)).catch(() => null)
}
const idOf = async ({ uri }: { uri: string }) =>
  (await call(statuses.statusRecords, { uris: [uri] })).records[0]?.id ?? ''
const announcements = async ({ uri }: { uri: string }) =>
  (
    await harness.cluster.db('statuses').rows(sql`select 1 from outbox
      where subject = ${statuses.statusCreated.subject} and data::jsonb->>'uri' = ${uri}`)
  ).length

test('a reply and its parent that are received at the same moment are linked', async () => {
  const pairs = Array.from({ length: 40 }, () => {
    const above = remoteStatus(gus)
    return { above, answer: answerTo(above) }
  })
  await Promise.all(pairs.flatMap(({ above, answer }) => [put(above), put(answer)]))
  await harness.cluster.waitForIdle()
  const uris = pairs.map(({ answer }) => answer.uri)
  const { records } = await call(statuses.statusRecords, { uris })
  expect(records.filter((one) => one.in_reply_to === null).map((one) => one.uri)).toEqual([])
})

test('interop 6.5 with concurrent and repeated deliveries, an approved reply is shown and announced once, and others are hidden', async () => {
  const cases = Array.from({ length: 20 }, (_, i) => {
    const above = restricted()
    const answer = answerTo(above)
    return { above, answer, approval: i % 2 ? stamp(above, answer) : null }
  })
  await Promise.all(
    cases.flatMap(({ above, answer, approval }) => {
      const tell = () => call(statuses.recordApproval, { actor: gus.id, status: answer.uri, approval })
      const approve = async () => {
        const { outcome } = await tell()
        if (outcome === 'here')
          await call(statuses.approveReply, { actor: gus.id, status: await idOf(answer), approval })
      }
      return [put(answer), ...(approval ? [approve(), approve()] : []), put(above), put(answer), put(above)]
    }),
  )
  await harness.cluster.waitForIdle()
  for (const { above, answer, approval } of cases) {
    const isShown = (await show(await idOf(answer))) !== null
    const { replies_count } = (await show(await idOf(above))) ?? {}
    expect([isShown, replies_count, (await announcements(answer)) <= 1]).toEqual([
      approval !== null,
      approval ? 1 : 0,
      true,
    ])
  }
})

test('interop 6.5 while the server of the parent is down the reply stays hidden, and the next view of the thread finds the approval', async () => {
  const above = restricted()
  const parent = await put(above)
  const answer = answerTo(above)
  const approval = `https://far.example/approvals/${++n}`
  const id = await put({ ...answer, approval })
  await harness.cluster.waitForIdle()
  harness.fakes.away.add(approval)
  const check = (tries: number) => checkReply.run(context(), { status: id }, { id: 'x', tries })
  const last = statuses.checkReply.retry.times
  await expect(check(last - 1)).rejects.toMatchObject({ code: 'unavailable' })
  await check(last)
  expect(await show(id)).toBeNull()
  harness.fakes.away.delete(approval)
  harness.fakes.authorizations.set(approval, `${answer.uri} quotes ${above.uri}`)
  await call(statuses.showThread, { id: parent }, harness.as(ann))
  expect(await show(id)).toMatchObject({ uri: answer.uri })
})

test('interop 6.5 a proved reply is not hidden because the server is down or refuses later', async () => {
  const above = restricted()
  await put(above)
  const answer = answerTo(above)
  const approval = stamp(above, answer)
  const id = await put({ ...answer, approval })
  expect(await show(id)).not.toBeNull()
  const again = async () => {
    await harness.cluster
      .db('statuses')
      .run(sql`update reply_approvals set proved_at = to_timestamp(0) where status_id = ${id}`)
    await checkReply.run(context(), { status: id }, { id: 'x', tries: statuses.checkReply.retry.times })
    return (await show(id)) !== null
  }
  harness.fakes.away.add(approval)
  expect(await again()).toBe(true)
  harness.fakes.away.delete(approval)
  harness.fakes.refusing.add(approval)
  expect(await again()).toBe(true)
  harness.fakes.refusing.delete(approval)
  harness.fakes.authorizations.delete(approval)
  expect(await again()).toBe(false)
})

describe('interop 6.5 a shown reply that gets another approval', () => {
  const shownOne = async () => {
    const above = restricted()
    await put(above)
    const answer = answerTo(above)
    const first = stamp(above, answer)
    const id = await put({ ...answer, approval: first })
    expect(await show(id)).not.toBeNull()
    const next = `https://far.example/approvals/${++n}`
    return {
      first,
      next,
      publishNext: () => harness.fakes.authorizations.set(next, `${answer.uri} quotes ${above.uri}`),
      approve: async (approval: string | null) =>
        (await call(statuses.approveReply, { actor: gus.id, status: id, approval })).outcome,
      end: (approval: string) => call(statuses.revokeApproval, { actor: gus.id, approval }),
      isShown: async () => (await show(id)) !== null,
      check: () => checkReply.run(context(), { status: id }, { id: 'x', tries: statuses.checkReply.retry.times }),
    }
  }

  test('stays shown when the first approval ends', async () => {
    const { first, next, publishNext, approve, end, isShown } = await shownOne()
    publishNext()
    expect([await approve(next), await isShown()]).toEqual(['done', true])
    expect([await approve(next), await approve(first)]).toEqual(['unchanged', 'done'])
    expect([await isShown(), await approve(next), await isShown()]).toEqual([true, 'done', true])
    await end(first)
    expect(await isShown()).toBe(true)
    await end(next)
    expect(await isShown()).toBe(false)
  })

  test('is not hidden before the other approval is proved, and stays shown with it when the first is missing days later', async () => {
    const { first, next, publishNext, approve, isShown, check } = await shownOne()
    expect([await approve(next), await isShown()]).toEqual(['done', true])
    publishNext()
    harness.fakes.authorizations.delete(first)
    await harness.cluster
      .db('statuses')
      .run(sql`update reply_approvals set proved_at = to_timestamp(0) where uri = ${first}`)
    await check()
    expect(await isShown()).toBe(true)
  })

  test('is hidden when the first approval ends before the other is proved, and shown when that is proved', async () => {
    const { first, next, publishNext, approve, end, isShown, check } = await shownOne()
    await approve(next)
    await harness.cluster.waitForIdle()
    await end(first)
    expect(await isShown()).toBe(false)
    publishNext()
    await check()
    expect(await isShown()).toBe(true)
  })

  test.each(['a refusal', 'its end'])('loses the other approval by %s', async (what) => {
    const { first, next, publishNext, approve, end, isShown, check } = await shownOne()
    await approve(next)
    await harness.cluster.waitForIdle()
    if (what === 'a refusal') await approve(null)
    else await end(next)
    expect(await isShown()).toBe(what === 'its end')
    publishNext()
    await check()
    await end(first)
    await check()
    expect(await isShown()).toBe(false)
  })
})

const conversations = async (of: FakeAccount) => {
  await harness.cluster.waitForIdle()
  return (await call(statuses.listConversations, {} as never, harness.as(of))).length
}

test('interop 6.5 a direct local reply is in no conversation until it is approved, and again in none when the approval ends', async () => {
  const bob = harness.fakes.fakeAccount('bob')
  const above = restricted()
  const in_reply_to_id = await put(above)
  const { id } = await harness.post(ann, { status: '@bob see this', visibility: 'direct', in_reply_to_id })
  const answer = { uri: (await call(statuses.statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
  const decide = (approval: string | null) => call(statuses.approveReply, { actor: gus.id, status: id, approval })
  expect(await conversations(bob)).toBe(0)
  await decide(stamp(above, answer))
  expect(await conversations(bob)).toBe(1)
  await decide(null)
  expect(await conversations(bob)).toBe(0)
  await decide(stamp(above, answer))
  expect(await conversations(bob)).toBe(1)
})

test.each(['before', 'after', 'before, to one that waits,', 'after, to one that waits,'])(
  'interop 6.5 a direct remote reply is never held: its parent was received %s the reply',
  async (when) => {
    const reader = harness.fakes.fakeAccount(`reader${++n}`)
    const top = restricted()
    const above = when.includes('waits') ? answerTo(top) : top
    const direct = answerTo(above, { visibility: 'direct', mentions: [{ id: reader.id, silent: false }] })
    const inOrder = when.startsWith('before') ? [top, above, direct] : [top, direct, above]
    if (above === top) inOrder.shift()
    for (const one of inOrder) await put(one)
    await harness.cluster.waitForIdle()
    const id = await idOf(direct)
    expect(await call(statuses.showStatus, { id }, harness.as(reader))).toMatchObject({
      uri: direct.uri,
      visibility: 'direct',
      in_reply_to_id: await idOf(above),
    })
    expect([await conversations(reader), await announcements(direct)]).toEqual([1, 1])
    expect(await show(id)).toBeNull()
  },
)

test('interop 6.5 many replies below a held one are released with it', async () => {
  const above = restricted()
  await put(above)
  const answer = answerTo(above)
  const id = await put(answer)
  await Promise.all(Array.from({ length: 150 }, () => put(answerTo(answer))))
  expect(await show(id)).toBeNull()
  await call(statuses.approveReply, { actor: gus.id, status: id, approval: stamp(above, answer) })
  expect(await show(id)).toMatchObject({ replies_count: 150 })
})

test('interop 6.5 an approval received while the parent is being stored is applied to the reply', async () => {
  const id = await put(answerTo(restricted()))
  const above = await put(remoteStatus(gus))
  const { uri } = (await call(statuses.statusRecords, { ids: [id] })).records[0] ?? { uri: '' }
  const approval = `https://far.example/approvals/${++n}`
  const noted = await harness.cluster.db('statuses').tx(async (tx) => {
    await tx.run(sql`update statuses set in_reply_to_id = ${above} where id = ${id}`)
    const noting = call(statuses.recordApproval, { actor: gus.id, status: uri, approval })
    await Promise.race([noting, delay(1_000)])
    return { noting }
  })
  expect(await noted.noting).toEqual({ outcome: 'here' })
})

test('interop 6.5 the end of an approval affects only its reply, and replies that need no approval prove none', async () => {
  const [above, open] = [restricted(), remoteStatus(gus)]
  const answer = answerTo(above)
  const approval = stamp(above, answer)
  const stray = await put(answerTo(open, { approval }))
  await put(open)
  await checkReply.run(context(), { status: stray }, { id: 'x', tries: 0 })
  const proved = await harness.cluster
    .db('statuses')
    .rows(sql`select proved_at from reply_approvals where status_id = ${stray}`)
  expect(proved).toEqual([{ proved_at: null }])
  await put(above)
  const id = await put({ ...answer, approval })
  expect([await show(id), await show(stray)]).not.toContain(null)
  expect(await call(statuses.revokeApproval, { actor: ann.id, approval })).toMatchObject({ outcome: 'unknown' })
  expect(await call(statuses.revokeApproval, { actor: gus.id, approval })).toMatchObject({ outcome: 'done' })
  expect([await show(id), (await show(stray)) === null]).toEqual([null, false])
})

test('interop 6.5 replies with approvals that never existed do not prevent a real approval from being read again', async () => {
  const above = restricted()
  const parent = await put(above)
  const answer = answerTo(above)
  const id = await put({ ...answer, approval: stamp(above, answer) })
  expect(await show(id)).not.toBeNull()
  const junk = Array.from({ length: 25 }, () => answerTo(above, { approval: `https://far.example/approvals/${++n}` }))
  for (const one of junk) await put(one)
  await harness.cluster.waitForIdle()
  const found = await take(parent)
  expect([found[0], found.length]).toEqual([id, 20])
})

/** Approvals that are read again when the thread is viewed on another day. */
const take = (parent: string) => context().db.tx((tx) => takeApprovals(tx, parent, new Date(Date.now() + 60_000)))
/** Inserts replies to a status, each with an approval that is not proved, without fetching them. */
const claim = async (above: string, host: string, count: number) => {
  const ids = Array.from({ length: count }, () => context().ids.next())
  await context().db.tx(async (tx) => {
    await tx.run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, in_reply_to_id, listed, created_at)
      select id, ${ola.id}, false, 4, 'https://' || ${host} || '/' || id, id, ${above}, false, now()
      from unnest(${ids}::bigint[]) as one(id)`)
    await tx.run(
      sql`insert into replies (parent_id, child_id) select ${above}, id from unnest(${ids}::bigint[]) as one(id)`,
    )
    for (const id of ids) await claimApproval(tx, id, `https://far.example/approvals/${id}`)
  })
  return ids
}

test('interop 6.5 however many replies of one server claim an approval, those of other servers are read among the first, and all in turn', async () => {
  const parent = await put(restricted())
  const honest = await claim(parent, 'else.example', 2)
  const junk = await claim(parent, 'junk.example', 600)
  const later = await claim(parent, 'third.example', 1)
  expect(await take(parent)).toEqual(expect.arrayContaining([...honest, ...later]))
  const seen = new Map<string, number>()
  for (let look = 0; look < 60; look++) for (const id of await take(parent)) seen.set(id, (seen.get(id) ?? 0) + 1)
  const times = (ids: readonly string[]) => ids.map((id) => seen.get(id) ?? 0)
  // Approvals of other servers were read in almost every round, those of the flood one after the other.
  expect(Math.min(...times([...honest, ...later]))).toBeGreaterThan(40)
  expect(times(junk).filter((count) => count > 0).length).toBeGreaterThan(30)
})

test('interop 6.5 a proved approval that cannot be read does not prevent other proved ones from being read again', async () => {
  const parent = await put(restricted())
  const ids = await claim(parent, 'else.example', 40)
  await context().db.tx(async (tx) => {
    for (const id of ids) await setProved(tx, id, new Date(0))
  })
  const looks = [await take(parent), await take(parent), await take(parent)]
  expect(new Set(looks.flat())).toEqual(new Set(ids))
})

test('interop 6.5 the approval of a reply received before its parent is read again with it', async () => {
  const above = restricted()
  const answer = answerTo(above, { approval: `https://far.example/approvals/${++n}` })
  const id = await put(answer)
  expect(await take(await put(above))).toEqual([id])
})

test('interop 6.5 approvals without a stored parent are read again after the next claim, or the next tick', async () => {
  const parent = await put(restricted())
  const [again, left] = await claim(parent, 'else.example', 2)
  const db = harness.cluster.db('statuses')
  const placed = () =>
    db.rows(sql`select status_id, answered_id, host from reply_approvals
      where status_id = any(${[again, left, mine.id]}::bigint[]) order by status_id`)
  const mine = await harness.post(ann, 'answers here')
  await context().db.tx(async (tx) => {
    await putApproval(tx, mine.id, 'https://far.example/approvals/mine')
    // As stored by an earlier release without these columns.
    await tx.run(
      sql`update reply_approvals set answered_id = null, host = null where status_id = any(${[again, left]}::bigint[])`,
    )
    await claimApproval(tx, again as string, 'https://far.example/approvals/again')
  })
  expect(await take(parent)).toEqual([again])
  await linkUnlinked.run(context())
  expect(new Set(await take(parent))).toEqual(new Set([again, left]))
  const theirs = { answered_id: parent, host: 'else.example' }
  expect(await placed()).toEqual([
    { status_id: again, ...theirs },
    { status_id: left, ...theirs },
    { status_id: mine.id, answered_id: null, host: '' },
  ])
})

/** Whether each announcement of an accepted quote by these statuses causes a notification, in order. */
const quotePushes = async (...uris: string[]) => {
  const rows = await harness.cluster
    .db('statuses')
    .rows<{ push: string }>(sql`select data::jsonb->>'push' as push from outbox
    where subject = ${statuses.quoteAccepted.subject} and data::jsonb->>'statusUri' = any(${uris}::text[]) order by id`)
  return rows.map((row) => row.push)
}

test('interop 6.5 the author of a quoted status is notified once, when the quoting reply is released, whichever is approved first', async () => {
  const quoted = await harness.post(ann, 'quotable')
  const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
  const above = restricted()
  await put(above)
  const answer = () => answerTo(above, { quote: { uri, stamp: null, legacy: false } })
  const [early, late] = [answer(), answer()]
  const request = (of: RemoteStatus) => call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: of.uri })
  expect(await request(early)).toMatchObject({ outcome: 'accepted' })
  for (const one of [early, late]) await put(one)
  expect(await request(late)).toMatchObject({ outcome: 'accepted' })
  expect(await quotePushes(early.uri, late.uri)).toEqual(['false', 'false'])
  for (const one of [early, late]) {
    const id = await idOf(one)
    const approve = async (approval: string | null) => {
      await call(statuses.approveReply, { actor: gus.id, status: id, approval })
      return (await show(id)) !== null
    }
    expect(await approve(stamp(above, one))).toBe(true)
    expect(await quotePushes(one.uri)).toEqual(['false', 'true'])
    expect([await approve(null), await approve(stamp(above, one))]).toEqual([false, true])
    expect(await quotePushes(one.uri)).toEqual(['false', 'true'])
  }
})

test.each([
  ['was shown before', false],
  ['was received before its parent', true],
])(
  'interop 6.5 a quote that is accepted while a reply that %s is held again is announced when the reply is released',
  async (_what, isFirst) => {
    const quoted = await harness.post(ann, 'quotable')
    const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
    const above = restricted()
    const answer = answerTo(above, { quote: { uri, stamp: null, legacy: false } })
    for (const one of isFirst ? [answer, above] : [above, answer]) await put(one)
    const id = await idOf(answer)
    const approve = async (approval: string | null) => {
      await call(statuses.approveReply, { actor: gus.id, status: id, approval })
      return (await show(id)) !== null
    }
    if (!isFirst) expect([await approve(stamp(above, answer)), await approve(null)]).toEqual([true, false])
    expect([await show(id), await quotePushes(answer.uri)]).toEqual([null, []])
    await call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: answer.uri })
    expect(await quotePushes(answer.uri)).toEqual(['false'])
    expect(await approve(stamp(above, answer))).toBe(true)
    expect(await quotePushes(answer.uri)).toEqual(['false', 'true'])
    expect([await approve(null), await approve(stamp(above, answer))]).toEqual([false, true])
    expect(await quotePushes(answer.uri)).toEqual(['false', 'true'])
  },
)

test('interop 6.5 a quote that an edit adds to a reply that is held again is announced when the reply is released', async () => {
  const quoted = await harness.post(ann, 'quoted later')
  const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
  const above = restricted()
  await put(above)
  const answer = answerTo(above)
  const id = await put(answer)
  const approve = (approval: string | null) => call(statuses.approveReply, { actor: gus.id, status: id, approval })
  await approve(stamp(above, answer))
  expect(await show(id)).not.toBeNull()
  await approve(null)
  await call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: answer.uri })
  const edited_at = new Date(Date.now() + 60_000).toISOString()
  await put({ ...answer, edited_at, html: '<p>look</p>', quote: { uri, stamp: null, legacy: false } })
  expect([await show(id), await quotePushes(answer.uri)]).toEqual([null, ['false']])
  await approve(stamp(above, answer))
  expect(await show(id)).not.toBeNull()
  expect(await quotePushes(answer.uri)).toEqual(['false', 'true'])
})

test('interop 6.5 a pending quote of a released reply is not announced, although another reply has an accepted quote of the same status', async () => {
  const quoted = await harness.post(ann, 'quoted by two replies')
  const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
  const above = restricted()
  await put(above)
  const quote = { uri, stamp: null, legacy: false }
  const answer = answerTo(above, { quote })
  const below = answerTo(answer, { quote })
  const ids = [await put(answer), await put(below)]
  expect(await call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: answer.uri })).toMatchObject({
    outcome: 'accepted',
  })
  const shown = async () => (await Promise.all(ids.map(show))).filter((one) => one !== null).length
  expect([await shown(), await quotePushes(answer.uri), await quotePushes(below.uri)]).toEqual([0, ['false'], []])
  const approval = stamp(above, answer)
  await call(statuses.approveReply, { actor: gus.id, status: ids[0] ?? '', approval })
  expect([await shown(), await quotePushes(answer.uri), await quotePushes(below.uri)]).toEqual([
    2,
    ['false', 'true'],
    [],
  ])
})

test('interop 6.5 the quote of a held reply is not counted while it is held', async () => {
  const quoted = await harness.post(ann, 'counts its quotes')
  const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
  const counted = async () => (await show(quoted.id))?.quotes_count
  const above = restricted()
  await put(above)
  const answer = answerTo(above, { quote: { uri, stamp: null, legacy: false } })
  const id = await put(answer)
  expect(await call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: answer.uri })).toMatchObject({
    outcome: 'accepted',
  })
  expect([await show(id), await counted()]).toEqual([null, 0])
  const approve = (approval: string | null) => call(statuses.approveReply, { actor: gus.id, status: id, approval })
  await approve(stamp(above, answer))
  expect([(await show(id)) !== null, await counted()]).toEqual([true, 1])
  await approve(null)
  expect([await show(id), await counted()]).toEqual([null, 0])
  await approve(stamp(above, answer))
  expect(await counted()).toBe(1)
  await approve(null)
  await call(statuses.removeRemoteStatus, { author: ola.id, uri: answer.uri })
  expect(await counted()).toBe(0)
})

test('interop 6.5 the quote of a reply received before its parent is counted until the reply is held', async () => {
  const quoted = await harness.post(ann, 'counted for a while')
  const { uri } = (await call(statuses.statusRecords, { ids: [quoted.id] })).records[0] ?? { uri: '' }
  const counted = async () => (await show(quoted.id))?.quotes_count
  const above = restricted()
  const answer = answerTo(above, { quote: { uri, stamp: null, legacy: false } })
  await put(answer)
  await call(statuses.requestQuote, { actor: ola.id, quoted: uri, status: answer.uri })
  expect(await counted()).toBe(1)
  await put(above)
  expect(await counted()).toBe(0)
  const { differences } = await call(statuses.recountStatuses, { after: '0', repair: false })
  expect(differences.filter((one) => one.id === quoted.id)).toEqual([])
})

test('approvals of replies that were never received are deleted after a month', async () => {
  const db = harness.cluster.db('statuses')
  const keep = { uri: `https://else.example/notes/${++n}` }
  const old = { uri: `https://else.example/notes/${++n}` }
  for (const { uri } of [keep, old])
    await call(statuses.recordApproval, {
      actor: gus.id,
      status: uri,
      approval: `https://far.example/approvals/${++n}`,
    })
  await db.run(sql`update early_approvals set at = now() - interval '31 days' where status_uri = ${old.uri}`)
  await deleteOld.run(context())
  const uris = await db.rows<{ status_uri: string }>(sql`select status_uri from early_approvals
    where status_uri = any(${[keep.uri, old.uri]}::text[])`)
  expect(uris.map((row) => row.status_uri)).toEqual([keep.uri])
})
