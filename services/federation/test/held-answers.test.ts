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
  expect(await fixture.say(fixture.rita, 'Create', note)).toBe('done')
  return note
}
const said = async (by: RemoteActor, type: string, object: Document | string, extra: Document = {}) => {
  const server = by === fixture.rita || by === fixture.vera ? fixture.remote : other
  const outcome = await fixture.harness.outcome(server, makeActivity(by, type, object, extra), { as: by })
  await fixture.harness.settle()
  return outcome
}
/** A reply by olaf, as his server sends it. */
const answerTo = (above: { id: string }, extra: Document = {}, by = olaf) =>
  fixture.note(by, { inReplyTo: above.id, cc: [by.followers, fixture.rita.id], ...extra })
const answered = async (above: { id: string }, extra: Document = {}, by = olaf) => {
  const answer = answerTo(above, extra, by)
  expect(await said(by, 'Create', answer)).toBe('done')
  return answer
}
const idOf = async (uri: string) => (await fixture.harness.call(statusRecords, { uris: [uri] })).records[0]?.id ?? ''
const shown = async (uri: string) => (await fixture.shown(uri)) !== null
const repliesOf = async (uri: string) => (await fixture.shown(uri))?.replies_count
const below = async (uri: string) => {
  const { descendants } = await fixture.harness.call(showThread, { id: await idOf(uri) }, fixture.bob)
  await fixture.harness.settle()
  return descendants.map((it) => it.uri)
}
const isHome = async (uri: string) =>
  (await fixture.harness.call(homeTimeline, {}, fixture.bob)).some((it) => it.uri === uri)
/** Number of events for a new status. */
const told = async (uri: string) =>
  (
    await fixture.harness.db('statuses').rows(sql`select 1 from outbox
      where subject = ${statusCreated.subject} and data::jsonb->>'uri' = ${uri}`)
  ).length
const stampAt = (server: RemoteServer, path: string) => `${server.origin}${path}`

let stamps = 0
/** Authorization of a reply, at an address on the server of rita. */
const stamp = (above: { id: string }, answer: { id: string }, extra: Document = {}) => {
  const path = `/users/rita/authorizations/${++stamps}`
  const document = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: stampAt(fixture.remote, path),
    type: 'ReplyAuthorization',
    attributedTo: fixture.rita.id,
    interactingObject: answer.id,
    interactionTarget: above.id,
    ...extra,
  }
  fixture.remote.publish(path, document)
  return { id: document.id, end: () => fixture.remote.publish(path, undefined) }
}
/** A reply that names an approval. */
const approvedReply = async (above: { id: string }) => {
  const answer = answerTo(above)
  const given = stamp(above, answer)
  const full = { ...answer, replyAuthorization: given.id }
  expect(await said(olaf, 'Create', full)).toBe('done')
  return { answer, full, given }
}

describe('interop 6.5 a reply on a third server that needs approval', () => {
  test('is neither shown, counted nor notified without one', async () => {
    const above = await restricted()
    const mention = { type: 'Mention', href: fixture.bob.uri }
    const answer = await answered(above, {
      cc: [olaf.followers, fixture.bob.uri],
      tag: [mention, { type: 'Hashtag', name: '#uninvited' }],
    })
    expect([await shown(answer.id), await isHome(answer.id), await below(above.id)]).toEqual([false, false, []])
    expect([await repliesOf(above.id), await told(answer.id)]).toEqual([0, 0])
    const pages = [
      await fixture.harness.call(
        accountTimeline,
        { id: (await fixture.harness.account(olaf.id))?.id ?? '' },
        fixture.bob,
      ),
      await fixture.harness.call(tagTimeline, { hashtag: 'uninvited' }, fixture.bob),
    ]
    for (const page of pages) expect(page.map((it) => it.uri)).not.toContain(answer.id)
    await expect(fixture.harness.call(showStatus, { id: await idOf(answer.id) })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await said(mona, 'Announce', answer.id)).not.toBe('done')
  })

  test('is shown with a valid approval at its address', async () => {
    const above = await restricted()
    const { answer } = await approvedReply(above)
    expect([await shown(answer.id), await isHome(answer.id), await below(above.id)]).toEqual([true, true, [answer.id]])
    expect([await repliesOf(above.id), await told(answer.id)]).toEqual([1, 1])
  })

  test.each<[string, (above: { id: string }, answer: { id: string }) => Document | null]>([
    [
      'approvedBy, which names a ReplyApproval',
      (above, answer) => {
        const given = stamp(above, answer, { type: 'ReplyApproval', object: answer.id, target: above.id })
        return { approvedBy: given.id }
      },
    ],
    [
      'approvedBy, which names the Accept itself',
      (above, answer) => {
        const given = stamp(above, answer, { type: 'Accept', actor: fixture.rita.id, object: answer.id })
        return { approvedBy: given.id }
      },
    ],
  ])('is shown with approvals of older servers: %s', async (_name, proof) => {
    const above = await restricted()
    const answer = answerTo(above)
    expect(await said(olaf, 'Create', { ...answer, ...proof(above, answer) })).toBe('done')
    expect(await shown(answer.id)).toBe(true)
  })

  test.each<[string, (above: { id: string }, answer: { id: string }) => string]>([
    ['is nowhere', () => stampAt(fixture.remote, '/authorizations/none')],
    ['is of another answer', (above) => stamp(above, { id: `${olaf.id}/statuses/other` }).id],
    ['is for another status', (_above, answer) => stamp({ id: `${fixture.rita.id}/statuses/other` }, answer).id],
    ['is by somebody else', (above, answer) => stamp(above, answer, { attributedTo: fixture.vera.id }).id],
    ['is for a quote', (above, answer) => stamp(above, answer, { type: 'QuoteAuthorization' }).id],
    [
      'says another address',
      (above, answer) =>
        stamp(above, answer, { id: `${fixture.rita.id}/elsewhere` }).id &&
        stampAt(fixture.remote, `/users/rita/authorizations/${stamps}`),
    ],
    ['is gone', (above, answer) => stamp(above, answer, { type: 'Tombstone' }).id],
    [
      'is an Accept by somebody else',
      (above, answer) => stamp(above, answer, { type: 'Accept', actor: fixture.vera.id, object: answer.id }).id,
    ],
    [
      'stands on another server',
      (above, answer) => {
        const id = stampAt(other, '/forged')
        const forged = { type: 'ReplyAuthorization', attributedTo: fixture.rita.id, interactionTarget: above.id }
        other.publish('/forged', {
          '@context': 'https://www.w3.org/ns/activitystreams',
          id,
          interactingObject: answer.id,
          ...forged,
        })
        return id
      },
    ],
  ])('stays hidden if its approval %s', async (_name, name) => {
    const above = await restricted()
    const answer = answerTo(above)
    expect(await said(olaf, 'Create', { ...answer, replyAuthorization: name(above, answer) })).toBe('done')
    expect([await shown(answer.id), await repliesOf(above.id), await told(answer.id)]).toEqual([false, 0, 0])
  })

  test('is shown when an Update adds its approval', async () => {
    const above = await restricted()
    const answer = await answered(above)
    expect(await said(olaf, 'Update', { ...answer, replyAuthorization: stamp(above, answer).id })).toMatch(/^done/)
    expect([await shown(answer.id), await isHome(answer.id), await repliesOf(above.id)]).toEqual([true, true, 1])
  })

  test('is shown after the public Accept by the author of the parent, and of no other account', async () => {
    const above = await restricted()
    const answer = await answered(above)
    const given = stamp(above, answer)
    expect(await said(fixture.vera, 'Accept', answer.id, { result: given.id })).toBe('refused never-asked')
    expect(await shown(answer.id)).toBe(false)
    expect(await said(fixture.rita, 'Accept', answer.id, { target: above.id, result: given.id })).toBe('done')
    expect([await shown(answer.id), await isHome(answer.id), await told(answer.id)]).toEqual([true, true, 1])
    expect(await said(fixture.rita, 'Accept', answer.id, { target: above.id, result: given.id })).toBe('done unchanged')
  })

  test('is not shown if the Accept names a missing approval', async () => {
    const above = await restricted()
    const answer = await answered(above)
    const result = stampAt(fixture.remote, '/authorizations/none')
    expect(await said(fixture.rita, 'Accept', answer.id, { result })).toBe('done')
    expect(await shown(answer.id)).toBe(false)
  })
})

describe('interop 6.5 a reply on a third server whose approval ends is hidden again', () => {
  test('by a Reject, until it is approved once more', async () => {
    const above = await restricted()
    const { answer, given } = await approvedReply(above)
    expect(await said(fixture.vera, 'Reject', answer.id)).toBe('refused never-asked')
    expect(await shown(answer.id)).toBe(true)
    given.end()
    expect(await said(fixture.rita, 'Reject', answer.id)).toBe('done')
    expect([await shown(answer.id), await repliesOf(above.id), await below(above.id)]).toEqual([false, 0, []])
    expect(await said(fixture.rita, 'Accept', answer.id, { result: stamp(above, answer).id })).toBe('done')
    expect([await shown(answer.id), await repliesOf(above.id), await told(answer.id)]).toEqual([true, 1, 1])
  })

  test('by a Delete of the approval, permanently', async () => {
    const above = await restricted()
    const { answer, full, given } = await approvedReply(above)
    const end = { id: given.id, type: 'ReplyAuthorization' }
    await said(fixture.vera, 'Delete', end)
    expect(await shown(answer.id)).toBe(true)
    expect(await said(fixture.rita, 'Delete', end)).toBe('done')
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([false, 0])
    given.end()
    await said(olaf, 'Update', full)
    expect(await shown(answer.id)).toBe(false)
  })

  test('but not by the end of an earlier approval after a new one', async () => {
    const above = await restricted()
    const { answer, given } = await approvedReply(above)
    const next = stamp(above, answer)
    expect(await said(fixture.rita, 'Accept', answer.id, { result: next.id })).toBe('done')
    given.end()
    expect(await said(fixture.rita, 'Delete', { id: given.id, type: 'ReplyAuthorization' })).toBe('done unknown-object')
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([true, 1])
    next.end()
    expect(await said(fixture.rita, 'Delete', { id: next.id, type: 'ReplyAuthorization' })).toBe('done')
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([false, 0])
  })

  test('by an Update without the approval, if that no longer exists', async () => {
    const above = await restricted()
    const { answer, given } = await approvedReply(above)
    await said(olaf, 'Update', answer)
    expect(await shown(answer.id)).toBe(true)
    given.end()
    await said(olaf, 'Update', answer)
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([false, 0])
  })

  test('by an Update with another approval, until that is verified', async () => {
    const above = await restricted()
    const { answer } = await approvedReply(above)
    const none = stampAt(fixture.remote, '/authorizations/none')
    await said(olaf, 'Update', { ...answer, replyAuthorization: none })
    expect(await shown(answer.id)).toBe(false)
    await said(olaf, 'Update', { ...answer, replyAuthorization: stamp(above, answer).id })
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([true, 1])
  })

  test('when the thread is opened days later and the approval is missing, and shown again when it is back', async () => {
    const above = await restricted()
    const { answer, given } = await approvedReply(above)
    // Otherwise it would be missing on its own server too.
    fixture.remote.publish(new URL(above.id).pathname, above)
    given.end()
    await readAfter(2, above)
    expect(await shown(answer.id)).toBe(true)
    await readAfter(4, above)
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([false, 0])
    fixture.remote.publish(new URL(given.id).pathname, {
      id: given.id,
      type: 'ReplyAuthorization',
      attributedTo: fixture.rita.id,
      interactingObject: answer.id,
      interactionTarget: above.id,
    })
    await readAfter(5, above)
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([true, 1])
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
    const answer = await answered(above, { approvedBy: claimed })
    expect([await shown(answer.id), await repliesOf(above.id), await told(answer.id)]).toEqual([true, 1, 1])
    expect(fixture.remote.requests.all.map((it) => it.path)).not.toContain(new URL(claimed).pathname)
    // A Reject without an earlier approval changes nothing.
    expect(await said(fixture.rita, 'Reject', answer.id)).toBe('done unchanged')
    expect(await shown(answer.id)).toBe(true)
  })

  test('of the author, but not of followers, which only their server knows', async () => {
    const above = await restricted({ automaticApproval: [fixture.rita.id, fixture.rita.followers] })
    const own = fixture.note(fixture.rita, { inReplyTo: above.id })
    expect(await said(fixture.rita, 'Create', own)).toBe('done')
    const answer = await answered(above)
    expect([await shown(own.id), await shown(answer.id)]).toEqual([true, false])
  })

  test('of all accounts, after the author permits everyone', async () => {
    const above = await restricted()
    const answer = await answered(above)
    expect(await shown(answer.id)).toBe(false)
    const open = { ...above, interactionPolicy: { canReply: { automaticApproval: PUBLIC } } }
    await said(fixture.rita, 'Update', open)
    expect([await shown(answer.id), await repliesOf(above.id)]).toEqual([true, 1])
  })
})

describe('interop 6.5 approvals and replies in any order', () => {
  test('replies that arrive before their parent are hidden, except those with an approval', async () => {
    const above = noteOf(asks(), { tag: [{ type: 'Mention', href: mona.id }], cc: [mona.id] })
    const uninvited = await answered(above)
    const named = await answered(above, {}, mona)
    const proved = answerTo(above)
    const { id } = stamp(above, proved)
    expect(await said(olaf, 'Create', { ...proved, replyAuthorization: id })).toBe('done')
    expect([await shown(uninvited.id), await shown(named.id), await shown(proved.id)]).toEqual([true, true, true])
    expect(await said(fixture.rita, 'Create', above)).toBe('done')
    expect([await shown(uninvited.id), await shown(named.id), await shown(proved.id)]).toEqual([false, true, true])
    expect([await repliesOf(above.id), await told(named.id)]).toEqual([2, 1])
  })

  test('an approval received before the reply counts, unless it was revoked meanwhile', async () => {
    const above = await restricted()
    const [answer, other] = [answerTo(above), answerTo(above)]
    const accept = (of: { id: string }) => said(fixture.rita, 'Accept', of.id, { result: stamp(above, of).id })
    expect([await accept(answer), await accept(other)]).toEqual(['done unknown-object', 'done unknown-object'])
    expect(await said(fixture.rita, 'Reject', other.id)).toBe('done unknown-object')
    for (const one of [answer, other]) expect(await said(olaf, 'Create', one)).toBe('done')
    expect([await shown(answer.id), await isHome(answer.id), await shown(other.id)]).toEqual([true, true, false])
  })

  test('all approvals of one author received before the replies count', async () => {
    const above = await restricted()
    const answers = Array.from({ length: 12 }, () => answerTo(above))
    for (const one of answers)
      expect(await said(fixture.rita, 'Accept', one.id, { result: stamp(above, one).id })).toBe('done unknown-object')
    const last = answers.at(-1) as { id: string }
    expect(await said(olaf, 'Create', last)).toBe('done')
    expect(await shown(last.id)).toBe(true)
  })

  test('an approval counts if the parent arrives last', async () => {
    const above = noteOf(asks())
    const [first, second] = [answerTo(above), answerTo(above)]
    const accept = (of: { id: string }) => said(fixture.rita, 'Accept', of.id, { result: stamp(above, of).id })
    expect(await accept(first)).toBe('done unknown-object')
    for (const one of [first, second]) expect(await said(olaf, 'Create', one)).toBe('done')
    expect(await accept(second)).toBe('done unknown-object')
    expect(await said(fixture.rita, 'Create', above)).toBe('done')
    expect([await shown(first.id), await shown(second.id), await repliesOf(above.id)]).toEqual([true, true, 2])
    expect(await said(fixture.rita, 'Accept', fixture.note(olaf).id, { result: first.id })).toBe('refused never-asked')
  })

  test('an answer to a request of another server is not stored for a later reply', async () => {
    const [above, answer] = [noteOf(asks()), { id: `${olaf.id}/statuses/asked` }]
    const id = `${olaf.id}/reply_requests/1`
    const asked = { type: 'ReplyRequest', id, actor: olaf.id, object: above.id, instrument: answer.id }
    const outcome = await said(fixture.rita, 'Accept', asked, { result: stamp(above, answer).id })
    expect(outcome).toBe('ignored not-an-answer-to-a-follow')
  })

  test('an approval by an account without local followers is not stored for an absent reply', async () => {
    const answer = answerTo(noteOf(asks()))
    const result = `${fixture.vera.id}/authorizations/1`
    expect(await said(fixture.vera, 'Accept', answer.id, { result })).toBe('refused never-asked')
  })

  test('a reply to a pending reply is pending as long as that is', async () => {
    const above = await restricted()
    const answer = await answered(above)
    const own = await answered(answer)
    const more = await answered(own, {}, mona)
    expect([await shown(own.id), await shown(more.id)]).toEqual([false, false])
    expect(await said(fixture.rita, 'Accept', answer.id, { result: stamp(above, answer).id })).toBe('done')
    expect([await shown(answer.id), await shown(own.id), await shown(more.id)]).toEqual([true, true, true])
    expect([await repliesOf(above.id), await repliesOf(answer.id), await told(more.id)]).toEqual([1, 1, 1])
  })

  test('a reply to a pending reply still needs its own approval', async () => {
    const above = await restricted()
    const middle = answerTo(above, {
      interactionPolicy: { canReply: { automaticApproval: olaf.id, manualApproval: PUBLIC } },
    })
    expect(await said(olaf, 'Create', middle)).toBe('done')
    const last = await answered(middle, {}, mona)
    expect(await said(fixture.rita, 'Accept', middle.id, { result: stamp(above, middle).id })).toBe('done')
    expect([await shown(middle.id), await shown(last.id)]).toEqual([true, false])
  })

  test('a pending reply that is edited is shown in its last version', async () => {
    const above = await restricted()
    const answer = await answered(above)
    const tag = [{ type: 'Mention', href: fixture.bob.uri }]
    const updated = new Date(Date.now() + 1_000).toISOString()
    expect(await said(olaf, 'Update', { ...answer, content: '<p>better</p>', tag, updated })).toBe('done edited')
    expect(await shown(answer.id)).toBe(false)
    expect(await said(fixture.rita, 'Accept', answer.id, { result: stamp(above, answer).id })).toBe('done')
    expect(await fixture.shown(answer.id)).toMatchObject({ content: '<p>better</p>', mentions: [{ username: 'bob' }] })
  })

  test('a pending reply can be deleted', async () => {
    const above = await restricted()
    const answer = await answered(above)
    expect(await said(olaf, 'Delete', { id: answer.id, type: 'Tombstone' })).toBe('done')
    expect(await repliesOf(above.id)).toBe(0)
    await said(fixture.rita, 'Accept', answer.id, { result: stamp(above, answer).id })
    expect(await shown(answer.id)).toBe(false)
  })
})
