/** Approvals of replies by local accounts (interaction policies), as other servers send them. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let answer: { id: string; uri: string }
let answered: string | undefined
const ACTIVITY = 'application/activity+json'

beforeAll(async () => {
  fixture = await startFixture()
  const object = fixture.note(fixture.rita)
  await fixture.sendActivity(fixture.rita, 'Create', object)
  const [known] = (await fixture.harness.call(statusRecords, { uris: [object.id] })).records
  answered = known?.id
  answer = await fixture.write({ status: 'an answer', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
})
afterAll(() => fixture.harness.stop())

const accept = (by: RemoteActor, result: string) =>
  fixture.harness.outcome(fixture.remote, makeActivity(by, 'Accept', answer.uri, { result }), { as: by })
const approvalOf = async (uri: string) =>
  ((await (await fetch(uri, { headers: { accept: ACTIVITY } })).json()) as { approvedBy?: string }).approvedBy
const shown = () => approvalOf(answer.uri)
const updates = () =>
  fixture.remote.inbox.all.map((it) => it.activity).filter((it) => it.type === 'Update') as unknown as {
    object: { id: string; approvedBy?: string }
  }[]

test('interop 6.5 g02 only the author of the parent approves, with an approval on their server', async () => {
  expect(await accept(fixture.vera, `${fixture.vera.id}/approvals/1`)).toBe('refused never-asked')
  expect(await accept(fixture.rita, 'https://elsewhere.example/approvals/1')).toBe('refused never-asked')
  expect(await shown()).toBeUndefined()
})

test('interop 6.5 g02 an approved reply names its approval, and its recipients receive one Update', async () => {
  const result = `${fixture.rita.id}/reply_approvals/1`
  expect(await accept(fixture.rita, result)).toBe('done')
  await fixture.harness.waitForIdle()
  expect(await shown()).toBe(result)
  const proof = { id: answer.uri, approvedBy: result, replyAuthorization: result }
  expect(updates().map((it) => it.object)).toEqual([expect.objectContaining(proof)])
  expect(await accept(fixture.rita, result)).toBe('done unchanged')
  await fixture.harness.waitForIdle()
  expect(updates()).toHaveLength(1)
})

test('interop 6.5 a revoked approval is removed from the reply, and only its author can revoke it', async () => {
  const reject = (by: RemoteActor) =>
    fixture.harness.outcome(fixture.remote, makeActivity(by, 'Reject', answer.uri), { as: by })
  expect(await reject(fixture.vera)).toBe('refused never-asked')
  expect(await shown()).toBeDefined()
  expect(await reject(fixture.rita)).toBe('done')
  await fixture.harness.waitForIdle()
  expect(await shown()).toBeUndefined()
  expect(updates()).toHaveLength(2)
})

test('activities 2 a Delete of an approval counts only from its author, and for that approval', async () => {
  const [approval, older] = [`${fixture.rita.id}/reply_approvals/2`, `${fixture.rita.id}/reply_approvals/1`]
  const clear = (by: RemoteActor, object: Parameters<typeof makeActivity>[2]) =>
    fixture.harness.outcome(fixture.remote, makeActivity(by, 'Delete', object), { as: by })
  expect(await accept(fixture.rita, approval)).toBe('done')
  await fixture.harness.waitForIdle()
  const before = updates().length
  expect(await clear(fixture.vera, approval)).not.toBe('done')
  expect(await clear(fixture.rita, older)).toBe('done unknown-object')
  expect(await shown()).toBe(approval)
  expect(await clear(fixture.rita, { id: approval, type: 'ReplyAuthorization' })).toBe('done')
  await fixture.harness.waitForIdle()
  expect(await shown()).toBeUndefined()
  expect(updates()).toHaveLength(before + 1)
  expect(updates().at(-1)?.object.approvedBy).toBeUndefined()
  // After that there is no approval to revoke.
  expect(await clear(fixture.rita, approval)).toBe('done unknown-object')
})

test('interop 6.5 a revocation counts, also if received before the approval or followed by a repetition of it', async () => {
  const late = await fixture.write({ status: 'a late answer', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
  const approval = `${fixture.rita.id}/reply_approvals/late`
  const accepts = (result: string) =>
    fixture.harness.outcome(fixture.remote, makeActivity(fixture.rita, 'Accept', late.uri, { result }), {
      as: fixture.rita,
    })
  const ends = (id: string) =>
    fixture.harness.outcome(fixture.remote, makeActivity(fixture.rita, 'Delete', { id, type: 'ReplyAuthorization' }), {
      as: fixture.rita,
    })
  expect(await ends(approval)).toBe('done unknown-object')
  expect(await accepts(approval)).toBe('done unchanged')
  expect(await approvalOf(late.uri)).toBeUndefined()
  // Another approval causes another Update.
  const next = `${fixture.rita.id}/reply_approvals/next`
  expect(await accepts(next)).toBe('done')
  expect(await approvalOf(late.uri)).toBe(next)
  expect(await ends(next)).toBe('done')
  expect(await accepts(next)).toBe('done unchanged')
  expect(await approvalOf(late.uri)).toBeUndefined()
})

test('interop 6.5 an Accept without a result, as older servers send it, is the approval itself; the Create may be named', async () => {
  const another = await fixture.write({ status: 'another answer', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
  const shown = () => approvalOf(another.uri)
  const accepts = (by: RemoteActor, object: string, id: string) =>
    fixture.harness.outcome(fixture.remote, makeActivity(by, 'Accept', object, { id }), { as: by })
  const id = `${fixture.rita.id}/accepts/1`
  expect(await accepts(fixture.vera, another.uri, `${fixture.vera.id}/accepts/1`)).toBe('refused never-asked')
  expect(await accepts(fixture.rita, another.uri, id)).toBe('done')
  expect(await shown()).toBe(id)
  const create = `${another.uri}/activity`
  const reject = makeActivity(fixture.rita, 'Reject', create)
  expect(await fixture.harness.outcome(fixture.remote, reject, { as: fixture.rita })).toBe('done')
  expect(await shown()).toBeUndefined()
  expect(await accepts(fixture.rita, create, `${fixture.rita.id}/accepts/2`)).toBe('done')
  expect(await shown()).toBe(`${fixture.rita.id}/accepts/2`)
})

test('interop 6.5 a Reject may name the reply as instrument of a ReplyRequest, by its id or its page', async () => {
  const { id, uri } = await fixture.write({ status: 'one more answer', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
  const send = (by: RemoteActor, type: string, object: Document, extra: Document = {}) =>
    fixture.harness.outcome(fixture.remote, makeActivity(by, type, object, extra), { as: by })
  for (const [n, instrument] of [uri, `${uri}/`, `${fixture.harness.origin}/@bob/${id}`].entries())
    for (const named of [{}, { id: `${fixture.rita.id}/reply_requests/${n}` }]) {
      const request = { type: 'ReplyRequest', actor: fixture.bob.uri, instrument, ...named }
      const result = `${fixture.rita.id}/reply_approvals/request${n}${'id' in named}`
      expect(await send(fixture.vera, 'Reject', request)).not.toMatch(/^done/)
      expect(await send(fixture.rita, 'Accept', request, { result })).toBe('done')
      expect(await approvalOf(uri)).toBe(result)
      expect(await send(fixture.rita, 'Reject', request)).toBe('done')
      expect(await approvalOf(uri)).toBeUndefined()
    }
})

test('interop 6.5 an Accept and a Reject may name the reply by its page', async () => {
  const { id, uri } = await fixture.write({ status: 'an answer with a page', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
  const url = `${fixture.harness.origin}/@bob/${id}`
  for (const [n, object] of [url, { type: 'Note', url }, { type: 'ReplyRequest', instrument: { url } }].entries()) {
    const result = `${fixture.rita.id}/reply_approvals/page${n}`
    const send = (type: string, extra: Document = {}) =>
      fixture.harness.outcome(fixture.remote, makeActivity(fixture.rita, type, object, extra), { as: fixture.rita })
    expect(await send('Accept', { result })).toBe('done')
    expect(await approvalOf(uri)).toBe(result)
    expect(await send('Reject')).toBe('done')
    expect(await approvalOf(uri)).toBeUndefined()
  }
})

test('interop 6.5 many approvals of one reply are not sent to its recipients each time', async () => {
  const before = updates().length
  const outcomes: string[] = []
  for (let n = 0; n < 20; n++) outcomes.push(await accept(fixture.rita, `${fixture.rita.id}/ever_new/${n}`))
  await fixture.harness.waitForIdle()
  expect(outcomes).toContain('refused answered-too-often')
  expect(updates().length - before).toBeLessThanOrEqual(10)
})

test('interop 6.5 an Accept received after a Reject that was signed later has no effect', async () => {
  const late = await fixture.write({ status: 'refused in the end', in_reply_to_id: answered })
  await fixture.harness.waitForIdle()
  const sendActivity = (type: string, secondsAgo: number) =>
    fixture.harness.outcome(
      fixture.remote,
      makeActivity(fixture.rita, type, late.uri, { result: `${fixture.rita.id}/reply_approvals/overtaken` }),
      { as: fixture.rita, now: new Date(Date.now() - secondsAgo * 1_000) },
    )
  await sendActivity('Reject', 5)
  expect(await sendActivity('Accept', 20)).toBe('ignored overtaken')
  expect(await approvalOf(late.uri)).toBeUndefined()
  expect(await sendActivity('Accept', 0)).toBe('done')
  expect(await approvalOf(late.uri)).toBeDefined()
})
