/** Remote replies to remote statuses that need approval (interaction policies): hidden until the approval is verified. */
import {
  accountTimeline,
  homeTimeline,
  showStatus,
  showThread,
  statusCreated,
  statusRecords,
  tagTimeline,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let other: RemoteServer
/** Followed by bob, on another server than rita, whom he answers. */
let olaf: RemoteActor
let mona: RemoteActor

beforeAll(async () => {
  fixture = await startFixture()
  other = await fixture.harness.server()
  olaf = await other.addActor('olaf')
  mona = await other.addActor('mona')
  await fixture.follow(fixture.bob, olaf)
  await fixture.follow(fixture.bob, mona)
})
afterAll(() => fixture.harness.stop())
afterEach(() => moveTo(0))

const moveTo = (ms: number): void =>
  fixture.harness.host.running.find((one) => one.service === 'statuses')?.ctx.clock.moveTo(ms)
/** Opens a thread the given number of days later, and waits until all jobs are done. */
const readAfter = async (days: number, { id }: { id: string }) => {
  // Its cache of today's fetches does not use the moved clock.
  await fixture.harness.clear()
  moveTo(days * 86_400_000)
  await below(id)
}
const asks = () => ({ automaticApproval: fixture.rita.id, manualApproval: PUBLIC })
/** A status of rita with such a policy. */
const noteOf = (canReply: Document | null, extra: Document = {}) =>
  fixture.note(fixture.rita, { ...(canReply && { interactionPolicy: { canReply } }), ...extra })
/** The same, as it is stored here. */
const restricted = async (canReply: Document | null = asks(), extra: Document = {}) => {
  const note = noteOf(canReply, extra)
  expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
  return note
}
const send = async (by: RemoteActor, type: string, object: Document | string, extra: Document = {}) => {
  const server = by === fixture.rita || by === fixture.vera ? fixture.remote : other
  const outcome = await fixture.harness.outcome(server, makeActivity(by, type, object, extra), { as: by })
  await fixture.harness.waitForIdle()
  return outcome
}
/** A reply by olaf, as his server sends it. */
const replyTo = (above: { id: string }, extra: Document = {}, by = olaf) =>
  fixture.note(by, { inReplyTo: above.id, cc: [by.followers, fixture.rita.id], ...extra })
const answered = async (above: { id: string }, extra: Document = {}, by = olaf) => {
  const reply = replyTo(above, extra, by)
  expect(await send(by, 'Create', reply)).toBe('done')
  return reply
}
const idOf = async (uri: string) => (await fixture.harness.call(statusRecords, { uris: [uri] })).records[0]?.id ?? ''
const shown = async (uri: string) => (await fixture.shown(uri)) !== null
const repliesOf = async (uri: string) => (await fixture.shown(uri))?.replies_count
const below = async (uri: string) => {
  const { descendants } = await fixture.harness.call(showThread, { id: await idOf(uri) }, fixture.bob)
  await fixture.harness.waitForIdle()
  return descendants.map((it) => it.uri)
}
const isHome = async (uri: string) =>
  (await fixture.harness.call(homeTimeline, {}, fixture.bob)).some((it) => it.uri === uri)
/** Number of events for a new status. */
const notifications = async (uri: string) =>
  (
    await fixture.harness.db('statuses').rows(sql`select 1 from outbox
      where subject = ${statusCreated.subject} and data::jsonb->>'uri' = ${uri}`)
  ).length
const stampAt = (server: RemoteServer, path: string) => `${server.origin}${path}`

let stamps = 0
/** Authorization of a reply, at an address on the server of rita. */
const stamp = (above: { id: string }, reply: { id: string }, extra: Document = {}) => {
  const path = `/users/rita/authorizations/${++stamps}`
  const document = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: stampAt(fixture.remote, path),
    type: 'ReplyAuthorization',
    attributedTo: fixture.rita.id,
    interactingObject: reply.id,
    interactionTarget: above.id,
    ...extra,
  }
  fixture.remote.publish(path, document)
  return { id: document.id, end: () => fixture.remote.publish(path, undefined) }
}
/** A reply that names an approval. */
const approvedReply = async (above: { id: string }) => {
  const reply = replyTo(above)
  const given = stamp(above, reply)
  const page = `${reply.id}/page`
  const full = { ...reply, url: page, replyAuthorization: given.id }
  expect(await send(olaf, 'Create', full)).toBe('done')
  return { answer: reply, full, given, page }
}

describe('interop 6.5 a reply on a third server that needs approval', () => {
  test('is neither shown, counted nor notified without one', async () => {
    const above = await restricted()
    const mention = { type: 'Mention', href: fixture.bob.uri }
    const reply = await answered(above, {
      cc: [olaf.followers, fixture.bob.uri],
      tag: [mention, { type: 'Hashtag', name: '#uninvited' }],
    })
    expect([await shown(reply.id), await isHome(reply.id), await below(above.id)]).toEqual([false, false, []])
    expect([await repliesOf(above.id), await notifications(reply.id)]).toEqual([0, 0])
    const pages = [
      await fixture.harness.call(
        accountTimeline,
        { id: (await fixture.harness.account(olaf.id))?.id ?? '' },
        fixture.bob,
      ),
      await fixture.harness.call(tagTimeline, { hashtag: 'uninvited' }, fixture.bob),
    ]
    for (const page of pages) expect(page.map((it) => it.uri)).not.toContain(reply.id)
    await expect(fixture.harness.call(showStatus, { id: await idOf(reply.id) })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await send(mona, 'Announce', reply.id)).not.toBe('done')
  })

  test('is shown with a valid approval at its address', async () => {
    const above = await restricted()
    const { answer: reply } = await approvedReply(above)
    expect([await shown(reply.id), await isHome(reply.id), await below(above.id)]).toEqual([true, true, [reply.id]])
    expect([await repliesOf(above.id), await notifications(reply.id)]).toEqual([1, 1])
  })

  test.each<[string, (above: { id: string }, reply: { id: string }) => Document | null]>([
    [
      'approvedBy, which names a ReplyApproval',
      (above, reply) => {
        const given = stamp(above, reply, { type: 'ReplyApproval', object: reply.id, target: above.id })
        return { approvedBy: given.id }
      },
    ],
    [
      'approvedBy, which names the Accept itself',
      (above, reply) => {
        const given = stamp(above, reply, { type: 'Accept', actor: fixture.rita.id, object: reply.id })
        return { approvedBy: given.id }
      },
    ],
  ])('is shown with approvals of older servers: %s', async (_name, proof) => {
    const above = await restricted()
    const reply = replyTo(above)
    expect(await send(olaf, 'Create', { ...reply, ...proof(above, reply) })).toBe('done')
    expect(await shown(reply.id)).toBe(true)
  })

  test.each<[string, (above: { id: string }, reply: { id: string }) => string]>([
    ['is nowhere', () => stampAt(fixture.remote, '/authorizations/none')],
    ['is of another answer', (above) => stamp(above, { id: `${olaf.id}/statuses/other` }).id],
    ['is for another status', (_above, reply) => stamp({ id: `${fixture.rita.id}/statuses/other` }, reply).id],
    ['is by somebody else', (above, reply) => stamp(above, reply, { attributedTo: fixture.vera.id }).id],
    ['is for a quote', (above, reply) => stamp(above, reply, { type: 'QuoteAuthorization' }).id],
    [
      'says another address',
      (above, reply) =>
        stamp(above, reply, { id: `${fixture.rita.id}/elsewhere` }).id &&
        stampAt(fixture.remote, `/users/rita/authorizations/${stamps}`),
    ],
    ['is gone', (above, reply) => stamp(above, reply, { type: 'Tombstone' }).id],
    [
      'is an Accept by somebody else',
      (above, reply) => stamp(above, reply, { type: 'Accept', actor: fixture.vera.id, object: reply.id }).id,
    ],
    [
      'stands on another server',
      (above, reply) => {
        const id = stampAt(other, '/forged')
        const forged = { type: 'ReplyAuthorization', attributedTo: fixture.rita.id, interactionTarget: above.id }
        other.publish('/forged', {
          '@context': 'https://www.w3.org/ns/activitystreams',
          id,
          interactingObject: reply.id,
          ...forged,
        })
        return id
      },
    ],
  ])('stays hidden if its approval %s', async (_name, name) => {
    const above = await restricted()
    const reply = replyTo(above)
    expect(await send(olaf, 'Create', { ...reply, replyAuthorization: name(above, reply) })).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id), await notifications(reply.id)]).toEqual([false, 0, 0])
  })

  test('is shown when an Update adds its approval', async () => {
    const above = await restricted()
    const reply = await answered(above)
    expect(await send(olaf, 'Update', { ...reply, replyAuthorization: stamp(above, reply).id })).toMatch(/^done/)
    expect([await shown(reply.id), await isHome(reply.id), await repliesOf(above.id)]).toEqual([true, true, 1])
  })

  test('is shown after the public Accept by the author of the parent, and of no other account', async () => {
    const above = await restricted()
    const reply = await answered(above)
    const given = stamp(above, reply)
    expect(await send(fixture.vera, 'Accept', reply.id, { result: given.id })).toBe('refused never-asked')
    expect(await shown(reply.id)).toBe(false)
    expect(await send(fixture.rita, 'Accept', reply.id, { target: above.id, result: given.id })).toBe('done')
    expect([await shown(reply.id), await isHome(reply.id), await notifications(reply.id)]).toEqual([true, true, 1])
    expect(await send(fixture.rita, 'Accept', reply.id, { target: above.id, result: given.id })).toBe('done unchanged')
  })

  test('is not shown if the Accept names a missing approval', async () => {
    const above = await restricted()
    const reply = await answered(above)
    const result = stampAt(fixture.remote, '/authorizations/none')
    expect(await send(fixture.rita, 'Accept', reply.id, { result })).toBe('done')
    expect(await shown(reply.id)).toBe(false)
  })
})

describe('interop 6.5 a reply on a third server whose approval ends is hidden again', () => {
  test('by a Reject, until it is approved once more', async () => {
    const above = await restricted()
    const { answer: reply, given } = await approvedReply(above)
    expect(await send(fixture.vera, 'Reject', reply.id)).toBe('refused never-asked')
    expect(await shown(reply.id)).toBe(true)
    given.end()
    expect(await send(fixture.rita, 'Reject', reply.id)).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id), await below(above.id)]).toEqual([false, 0, []])
    expect(await send(fixture.rita, 'Accept', reply.id, { result: stamp(above, reply).id })).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id), await notifications(reply.id)]).toEqual([true, 1, 1])
  })

  test.each<[string, (request: Document, page: string) => Document | string]>([
    ['with the page of the reply', (request, page) => ({ ...request, instrument: page })],
    ['with a copy of the reply by its page', (request, url) => ({ ...request, instrument: { type: 'Note', url } })],
    ['by the page of the reply alone', (_request, page) => page],
    ['by a copy of the reply with its page', (_request, url) => ({ type: 'Note', url })],
    ['with an id', (request) => ({ ...request, id: `${olaf.id}/reply_requests/${request.instrument}` })],
    ['without an id', (request) => request],
    ['with a copy of the reply', (request) => ({ ...request, instrument: { id: request.instrument, type: 'Note' } })],
  ])('by a Reject of a request or reply, %s', async (_name, form) => {
    const above = await restricted()
    const { answer: reply, given, page } = await approvedReply(above)
    const request = form({ type: 'ReplyRequest', actor: olaf.id, object: above.id, instrument: reply.id }, page)
    expect(await send(fixture.vera, 'Reject', request)).not.toMatch(/^done/)
    expect(await shown(reply.id)).toBe(true)
    given.end()
    expect(await send(fixture.rita, 'Reject', request)).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([false, 0])
    expect(await send(fixture.rita, 'Accept', request, { result: stamp(above, reply).id })).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([true, 1])
  })

  test('by a Delete of the approval, permanently', async () => {
    const above = await restricted()
    const { answer: reply, full, given } = await approvedReply(above)
    const end = { id: given.id, type: 'ReplyAuthorization' }
    await send(fixture.vera, 'Delete', end)
    expect(await shown(reply.id)).toBe(true)
    expect(await send(fixture.rita, 'Delete', end)).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([false, 0])
    given.end()
    await send(olaf, 'Update', full)
    expect(await shown(reply.id)).toBe(false)
  })

  test('but not by the end of an earlier approval after a new one', async () => {
    const above = await restricted()
    const { answer: reply, given } = await approvedReply(above)
    const next = stamp(above, reply)
    expect(await send(fixture.rita, 'Accept', reply.id, { result: next.id })).toBe('done')
    given.end()
    expect(await send(fixture.rita, 'Delete', { id: given.id, type: 'ReplyAuthorization' })).toBe('done unknown-object')
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([true, 1])
    next.end()
    expect(await send(fixture.rita, 'Delete', { id: next.id, type: 'ReplyAuthorization' })).toBe('done')
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([false, 0])
  })

  test('by an Update without the approval, if that no longer exists', async () => {
    const above = await restricted()
    const { answer: reply, given } = await approvedReply(above)
    await send(olaf, 'Update', reply)
    expect(await shown(reply.id)).toBe(true)
    given.end()
    await send(olaf, 'Update', reply)
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([false, 0])
  })

  test('by an Update with another approval, until that is verified', async () => {
    const above = await restricted()
    const { answer: reply } = await approvedReply(above)
    const none = stampAt(fixture.remote, '/authorizations/none')
    await send(olaf, 'Update', { ...reply, replyAuthorization: none })
    expect(await shown(reply.id)).toBe(false)
    await send(olaf, 'Update', { ...reply, replyAuthorization: stamp(above, reply).id })
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([true, 1])
  })

  test('when the thread is opened days later and the approval is missing, and shown again when it is back', async () => {
    const above = await restricted()
    const { answer: reply, given } = await approvedReply(above)
    // Otherwise it would be missing on its own server too.
    fixture.remote.publish(new URL(above.id).pathname, above)
    given.end()
    await readAfter(2, above)
    expect(await shown(reply.id)).toBe(true)
    await readAfter(4, above)
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([false, 0])
    fixture.remote.publish(new URL(given.id).pathname, {
      id: given.id,
      type: 'ReplyAuthorization',
      attributedTo: fixture.rita.id,
      interactingObject: reply.id,
      interactionTarget: above.id,
    })
    await readAfter(5, above)
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([true, 1])
  })
})

describe('interop 6.5 a reply that needs no approval is shown at once', () => {
  test.each<[string, () => Promise<Document & { id: string }>]>([
    ['nothing is said', () => restricted(null)],
    ['everybody may', () => restricted({ automaticApproval: PUBLIC })],
    ['they are named', () => restricted({ automaticApproval: [fixture.rita.id, olaf.id], manualApproval: PUBLIC })],
    [
      'they are mentioned',
      () =>
        restricted(
          { automaticApproval: fixture.rita.id },
          { tag: [{ type: 'Mention', href: olaf.id }], cc: [olaf.id] },
        ),
    ],
  ])('if %s, without a fetch', async (_name, make) => {
    const above = await make()
    const claimed = stampAt(fixture.remote, '/authorizations/never-read')
    const reply = await answered(above, { approvedBy: claimed })
    expect([await shown(reply.id), await repliesOf(above.id), await notifications(reply.id)]).toEqual([true, 1, 1])
    expect(fixture.remote.requests.all.map((it) => it.path)).not.toContain(new URL(claimed).pathname)
    // A Reject without an earlier approval changes nothing.
    expect(await send(fixture.rita, 'Reject', reply.id)).toBe('done unchanged')
    expect(await shown(reply.id)).toBe(true)
  })

  test('of the author, but not of followers, which only their server knows', async () => {
    const above = await restricted({ automaticApproval: [fixture.rita.id, fixture.rita.followers] })
    const own = fixture.note(fixture.rita, { inReplyTo: above.id })
    expect(await send(fixture.rita, 'Create', own)).toBe('done')
    const reply = await answered(above)
    expect([await shown(own.id), await shown(reply.id)]).toEqual([true, false])
  })

  test('of all accounts, after the author permits everyone', async () => {
    const above = await restricted()
    const reply = await answered(above)
    expect(await shown(reply.id)).toBe(false)
    const open = { ...above, interactionPolicy: { canReply: { automaticApproval: PUBLIC } } }
    await send(fixture.rita, 'Update', open)
    expect([await shown(reply.id), await repliesOf(above.id)]).toEqual([true, 1])
  })
})

describe('interop 6.5 approvals and replies in any order', () => {
  test('replies that arrive before their parent are hidden, except those with an approval', async () => {
    const above = noteOf(asks(), { tag: [{ type: 'Mention', href: mona.id }], cc: [mona.id] })
    const uninvited = await answered(above)
    const named = await answered(above, {}, mona)
    const proved = replyTo(above)
    const { id } = stamp(above, proved)
    expect(await send(olaf, 'Create', { ...proved, replyAuthorization: id })).toBe('done')
    expect([await shown(uninvited.id), await shown(named.id), await shown(proved.id)]).toEqual([true, true, true])
    expect(await send(fixture.rita, 'Create', above)).toBe('done')
    expect([await shown(uninvited.id), await shown(named.id), await shown(proved.id)]).toEqual([false, true, true])
    expect([await repliesOf(above.id), await notifications(named.id)]).toEqual([2, 1])
  })

  test('an approval received before the reply counts, unless it was revoked meanwhile', async () => {
    const above = await restricted()
    const [reply, other] = [replyTo(above), replyTo(above)]
    const accept = (of: { id: string }) => send(fixture.rita, 'Accept', of.id, { result: stamp(above, of).id })
    expect([await accept(reply), await accept(other)]).toEqual(['done unknown-object', 'done unknown-object'])
    expect(await send(fixture.rita, 'Reject', other.id)).toBe('done unknown-object')
    for (const one of [reply, other]) expect(await send(olaf, 'Create', one)).toBe('done')
    expect([await shown(reply.id), await isHome(reply.id), await shown(other.id)]).toEqual([true, true, false])
  })

  test('all approvals of one author received before the replies count', async () => {
    const above = await restricted()
    const answers = Array.from({ length: 12 }, () => replyTo(above))
    for (const one of answers)
      expect(await send(fixture.rita, 'Accept', one.id, { result: stamp(above, one).id })).toBe('done unknown-object')
    const last = answers.at(-1) as { id: string }
    expect(await send(olaf, 'Create', last)).toBe('done')
    expect(await shown(last.id)).toBe(true)
  })

  test('an approval counts if the parent arrives last', async () => {
    const above = noteOf(asks())
    const [first, second] = [replyTo(above), replyTo(above)]
    const accept = (of: { id: string }) => send(fixture.rita, 'Accept', of.id, { result: stamp(above, of).id })
    expect(await accept(first)).toBe('done unknown-object')
    for (const one of [first, second]) expect(await send(olaf, 'Create', one)).toBe('done')
    expect(await accept(second)).toBe('done unknown-object')
    expect(await send(fixture.rita, 'Create', above)).toBe('done')
    expect([await shown(first.id), await shown(second.id), await repliesOf(above.id)]).toEqual([true, true, 2])
    expect(await send(fixture.rita, 'Accept', fixture.note(olaf).id, { result: first.id })).toBe('refused never-asked')
  })

  test('an approval of a request of another server is not stored for a later reply', async () => {
    const [above, reply] = [noteOf(asks()), { id: `${olaf.id}/statuses/asked` }]
    const id = `${olaf.id}/reply_requests/1`
    const asked = { type: 'ReplyRequest', id, actor: olaf.id, object: above.id, instrument: reply.id }
    const outcome = await send(fixture.rita, 'Accept', asked, { result: stamp(above, reply).id })
    expect(outcome).toBe('ignored not-an-answer-to-a-follow')
  })

  test('an approval by an account without local followers is not stored for an absent reply', async () => {
    const reply = replyTo(noteOf(asks()))
    const result = `${fixture.vera.id}/authorizations/1`
    expect(await send(fixture.vera, 'Accept', reply.id, { result })).toBe('refused never-asked')
  })

  test('a reply to a pending reply is pending as long as that is', async () => {
    const above = await restricted()
    const reply = await answered(above)
    const own = await answered(reply)
    const more = await answered(own, {}, mona)
    expect([await shown(own.id), await shown(more.id)]).toEqual([false, false])
    expect(await send(fixture.rita, 'Accept', reply.id, { result: stamp(above, reply).id })).toBe('done')
    expect([await shown(reply.id), await shown(own.id), await shown(more.id)]).toEqual([true, true, true])
    expect([await repliesOf(above.id), await repliesOf(reply.id), await notifications(more.id)]).toEqual([1, 1, 1])
  })

  test('a reply to a pending reply still needs its own approval', async () => {
    const above = await restricted()
    const middle = replyTo(above, {
      interactionPolicy: { canReply: { automaticApproval: olaf.id, manualApproval: PUBLIC } },
    })
    expect(await send(olaf, 'Create', middle)).toBe('done')
    const last = await answered(middle, {}, mona)
    expect(await send(fixture.rita, 'Accept', middle.id, { result: stamp(above, middle).id })).toBe('done')
    expect([await shown(middle.id), await shown(last.id)]).toEqual([true, false])
  })

  test('a pending reply that is edited is shown in its last version', async () => {
    const above = await restricted()
    const reply = await answered(above)
    const tag = [{ type: 'Mention', href: fixture.bob.uri }]
    const updated = new Date(Date.now() + 1_000).toISOString()
    expect(await send(olaf, 'Update', { ...reply, content: '<p>better</p>', tag, updated })).toBe('done edited')
    expect(await shown(reply.id)).toBe(false)
    expect(await send(fixture.rita, 'Accept', reply.id, { result: stamp(above, reply).id })).toBe('done')
    expect(await fixture.shown(reply.id)).toMatchObject({ content: '<p>better</p>', mentions: [{ username: 'bob' }] })
  })

  test('a pending reply can be deleted', async () => {
    const above = await restricted()
    const reply = await answered(above)
    expect(await send(olaf, 'Delete', { id: reply.id, type: 'Tombstone' })).toBe('done')
    expect(await repliesOf(above.id)).toBe(0)
    await send(fixture.rita, 'Accept', reply.id, { result: stamp(above, reply).id })
    expect(await shown(reply.id)).toBe(false)
  })
})
