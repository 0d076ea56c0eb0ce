/** Golden documents of all public entities of statuses, in each variant. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let far: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example', display_name: 'Dan' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const golden = (file: string, value: unknown, names: Record<string, string> = {}) =>
  expectGolden(file, value, harness.cluster.origin, { ann: ann.id, bob: bob.id, dan: far.id, ...names })

test('a plain status is rendered for its author and for anonymous viewers', async () => {
  const { id } = await harness.post(ann, {
    status: 'Hello @bob and @dan@far.example, see https://example.com/a/long/path/that/is/cut #World',
    spoiler_text: 'greetings',
    language: 'en',
  })
  await golden('status-own', await call(statuses.showStatus, { id }, harness.as(ann)), { status: id })
  await golden('status-anonymous', await call(statuses.showStatus, { id }), { status: id })
})

test('a status with media is rendered', async () => {
  const file = harness.fakes.file(ann, { description: 'A cat', blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' })
  const status = await harness.post(ann, { media_ids: [file.id], visibility: 'unlisted' })
  await golden('status-media', status, { status: status.id, file: file.id })
})

test('a reply, a direct status and a private status are rendered', async () => {
  const parent = await harness.post(bob, 'parent')
  const reply = await harness.post(ann, { status: '@bob yes', in_reply_to_id: parent.id })
  await golden('status-reply', reply, { status: reply.id, parent: parent.id })
  const direct = await harness.post(ann, { status: '@bob psst', visibility: 'direct' })
  await golden('status-direct', await call(statuses.showStatus, { id: direct.id }, harness.as(bob)), {
    status: direct.id,
  })
  const secret = await harness.post(ann, { status: 'followers', visibility: 'private' })
  await golden('status-private', secret, { status: secret.id })
})

test('a boost is rendered', async () => {
  const original = await harness.post(ann, 'original')
  await call(statuses.addFavourite, { id: original.id }, harness.as(bob))
  const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
  await golden('status-boost', boost, { boost: boost.id, original: original.id })
  await golden('status-boost-anonymous', await call(statuses.showStatus, { id: boost.id }), {
    boost: boost.id,
    original: original.id,
  })
})

test('a status with a poll is rendered before and after a vote', async () => {
  const status = await harness.post(ann, { status: 'which?', poll: { options: ['a', 'b'], expires_in: 600 } })
  const names = { status: status.id, poll: status.poll?.id ?? '' }
  await golden('status-poll', status, names)
  await golden('poll-voted', await call(statuses.vote, { id: names.poll, choices: ['1'] }, harness.as(bob)), names)
})

test('an edited status and its history are rendered', async () => {
  const { id } = await harness.post(ann, 'first')
  await golden('status-edited', await call(statuses.editStatus, { id, status: 'second' }, harness.as(ann)), {
    status: id,
  })
  await golden('status-history', await call(statuses.showHistory, { id }), { status: id })
})

test('a remote status is rendered', async () => {
  const { id } = await call(statuses.putRemoteStatus, {
    status: {
      uri: 'https://far.example/notes/1',
      url: 'https://far.example/@dan/1',
      author: far.id,
      html: '<p>From afar</p>',
      spoiler_text: '',
      sensitive: true,
      language: 'de',
      visibility: 'public',
      published: '2026-05-01T10:00:00Z',
      edited_at: null,
      in_reply_to: null,
      conversation: 'https://far.example/contexts/1',
      mentions: [{ id: ann.id, silent: false }],
      tags: [{ name: 'afar', display: 'Afar' }],
      emojis: [{ shortcode: 'blob', url: 'https://far.example/blob.png', updated: null }],
      attachments: [],
      poll: null,
      quote: null,
      quote_policy: { automatic: [], manual: [] },
      push: true,
    },
  })
  await golden('status-remote', await call(statuses.showStatus, { id }, harness.as(ann)), { status: id })
})

test('a thread, a source and a deleted status are rendered', async () => {
  const root = await harness.post(ann, 'root')
  const answer = await harness.post(bob, { status: 'answer', in_reply_to_id: root.id })
  const names = { root: root.id, answer: answer.id }
  await golden('thread', await call(statuses.showThread, { id: root.id }), names)
  await golden('source', await call(statuses.sourceOfStatus, { id: root.id }, harness.as(ann)), names)
  const deleted = await call(statuses.deleteStatus, { id: root.id }, harness.as(ann))
  expect(deleted).not.toHaveProperty('content')
  await golden('status-deleted', deleted, names)
})
