/** Answers of people here that the author of what they answer approves (interaction policies). */
import { statusRecords } from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
let answer: { id: string; uri: string }
const ACTIVITY = 'application/activity+json'

beforeAll(async () => {
  stage = await startStage()
  const object = stage.note(stage.rita)
  await stage.say(stage.rita, 'Create', object)
  const [known] = (await stage.world.call(statusRecords, { uris: [object.id] })).records
  answer = await stage.write({ status: 'an answer', in_reply_to_id: known?.id })
  await stage.world.settle()
})
afterAll(() => stage.world.stop())

const accept = (by: RemoteActor, result: string) =>
  stage.world.outcome(stage.remote, makeActivity(by, 'Accept', answer.uri, { result }), { as: by })
const shown = async () =>
  ((await (await fetch(answer.uri, { headers: { accept: ACTIVITY } })).json()) as { approvedBy?: string }).approvedBy
const updates = () =>
  stage.remote.inbox.all.map((it) => it.activity).filter((it) => it.type === 'Update') as unknown as {
    object: { id: string; approvedBy?: string }
  }[]

test('interop 6.5 g02 only who is answered approves, and the approval is on their server', async () => {
  expect(await accept(stage.vera, `${stage.vera.id}/approvals/1`)).toBe('refused never-asked')
  expect(await accept(stage.rita, 'https://elsewhere.example/approvals/1')).toBe('refused never-asked')
  expect(await shown()).toBeUndefined()
})

test('interop 6.5 g02 an approved answer says so, and those who have it hear of that once', async () => {
  const result = `${stage.rita.id}/reply_approvals/1`
  expect(await accept(stage.rita, result)).toBe('done')
  await stage.world.settle()
  expect(await shown()).toBe(result)
  expect(updates().map((it) => it.object)).toEqual([expect.objectContaining({ id: answer.uri, approvedBy: result })])
  expect(await accept(stage.rita, result)).toBe('done unchanged')
  await stage.world.settle()
  expect(updates()).toHaveLength(1)
})

test('interop 6.5 an approval that was taken back is said no more, and only by whom it was given', async () => {
  const reject = (by: RemoteActor) =>
    stage.world.outcome(stage.remote, makeActivity(by, 'Reject', answer.uri), { as: by })
  expect(await reject(stage.vera)).toBe('refused never-asked')
  expect(await shown()).toBeDefined()
  expect(await reject(stage.rita)).toBe('done')
  await stage.world.settle()
  expect(await shown()).toBeUndefined()
  expect(updates()).toHaveLength(2)
})

test('interop 6.5 ever new approvals of one answer are not told to everybody each time', async () => {
  const before = updates().length
  const outcomes: string[] = []
  for (let n = 0; n < 20; n++) outcomes.push(await accept(stage.rita, `${stage.rita.id}/ever_new/${n}`))
  await stage.world.settle()
  expect(outcomes).toContain('refused answered-too-often')
  expect(updates().length - before).toBeLessThanOrEqual(10)
})
