/** Local replies to remote statuses whose authors must approve replies (interaction policies). */
import { showAccount } from '@murmuration/contracts/accounts'
import {
  accountTimeline,
  addFavourite,
  addPin,
  addReblog,
  createStatus,
  deleteStatus,
  editStatus,
  homeTimeline,
  replyRequested,
  showStatus,
  showThread,
  statusRecords,
  tagTimeline,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

let fixture: Fixture
let ada: LocalAccount
let other: RemoteServer
let olaf: RemoteActor

beforeAll(async () => {
  fixture = await startFixture()
  ada = await fixture.harness.createAccount('ada')
  other = await fixture.harness.server()
  olaf = await other.addActor('olaf')
  expect(await fixture.harness.outcome(other, makeActivity(olaf, 'Follow', fixture.bob.uri), { as: olaf })).toBe('done')
})
afterAll(() => fixture.harness.stop())

/** A status of rita with such a policy, as it is known here. */
const restricted = async (canReply: Document | undefined, extra: Document = {}) => {
  const note = fixture.note(fixture.rita, { ...(canReply && { interactionPolicy: { canReply } }), ...extra })
  expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
  const [record] = (await fixture.harness.call(statusRecords, { uris: [note.id] })).records
  return { id: record?.id ?? '', note }
}
const asks = () => ({ automaticApproval: fixture.rita.id, manualApproval: PUBLIC })
const answer = async (to: string, input: Record<string, unknown> = {}) => {
  const it = await fixture.write({ status: 'an #answer', in_reply_to_id: to, ...input })
  await fixture.harness.waitForIdle()
  return it
}
/** Activities about a status that a server received, oldest first. */
const received = (server: RemoteServer, uri: string) =>
  server.inbox.all
    .map(
      (it) => it.activity as { id: string; type: string; object: { id?: string; approvedBy?: string; to?: string[] } },
    )
    .filter((it) => it.object?.id === uri)
const types = (server: RemoteServer, uri: string) => received(server, uri).map((it) => it.type)
const sees = (id: string, as: LocalAccount | undefined) =>
  fixture.harness.call(showStatus, { id }, as).then(
    (it) => it.visibility,
    (error: { code: string }) => error.code,
  )
const decide = async (type: 'Accept' | 'Reject', uri: string, extra: Document = {}) => {
  const outcome = await fixture.harness.outcome(fixture.remote, makeActivity(fixture.rita, type, uri, extra), {
    as: fixture.rita,
  })
  await fixture.harness.waitForIdle()
  return outcome
}
const approval = (name: string) => `${fixture.rita.id}/reply_approvals/${name}`
const document = async (uri: string, as?: RemoteActor) =>
  as
    ? (await (as === olaf ? other : fixture.remote).fetch(uri, { as })).status
    : (await fetch(uri, { headers: { accept: 'application/activity+json' } })).status
const openToSearch = async (id: string) =>
  (await fixture.harness
    .db('statuses')
    .row(sql`select 1 from status_search where status_id = ${id} and visibility = 0`)) !== null
const answersOf = async (id: string) => (await fixture.harness.call(showStatus, { id }, fixture.bob)).replies_count
const count = async () => (await fixture.harness.call(showAccount, { id: fixture.bob.id }, ada)).statuses_count

describe('interop 6.5 a local reply that needs approval', () => {
  let parent: Awaited<ReturnType<typeof restricted>>
  let held: { id: string; uri: string }
  let below: { id: string; uri: string }
  let before: number

  beforeAll(async () => {
    parent = await restricted(asks())
    before = await count()
    held = await answer(parent.id, { status: `@ada an #answer` })
    below = await answer(held.id, { status: 'and more' })
  })

  test('is sent only to the author of the parent, with its final addressing', () => {
    const [first, ...more] = received(fixture.remote, held.uri)
    expect(first).toMatchObject({ id: `${held.uri}#asking`, type: 'Create', object: { inReplyTo: parent.note.id } })
    expect(first?.object.to).toContain(PUBLIC)
    expect(first?.object.approvedBy).toBeUndefined()
    expect([more, types(other, held.uri), types(fixture.remote, below.uri), types(other, below.uri)]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })

  test('is announced once as pending, with the author of the parent', async () => {
    const rows = await fixture.harness.db('statuses').rows<{ data: string }>(sql`select data from outbox
      where subject = ${replyRequested.subject} and data::jsonb->>'id' = any(${[held.id, below.id]}::text[])`)
    expect(rows.map((row) => JSON.parse(row.data).id)).toEqual([held.id])
  })

  test('is visible here to its author only, not to mentioned accounts', async () => {
    expect([await sees(held.id, fixture.bob), await sees(held.id, ada), await sees(held.id, undefined)]).toEqual([
      'direct',
      'not_found',
      'not_found',
    ])
    const ids = (page: readonly { id: string }[]) => page.map((it) => it.id)
    const pages = [
      await fixture.harness.call(accountTimeline, { id: fixture.bob.id }, ada),
      await fixture.harness.call(tagTimeline, { hashtag: 'answer' }, ada),
      await fixture.harness.call(homeTimeline, {}, ada),
      (await fixture.harness.call(showThread, { id: parent.id }, ada)).descendants,
    ]
    for (const page of pages) expect(ids(page)).not.toContain(held.id)
    expect(ids((await fixture.harness.call(showThread, { id: parent.id }, fixture.bob)).descendants)).toEqual([
      held.id,
      below.id,
    ])
    expect([await answersOf(parent.id), (await count()) - before]).toEqual([0, 0])
  })

  test('can be fetched by the author of the parent only', async () => {
    expect([await document(held.uri), await document(held.uri, olaf), await document(held.uri, fixture.rita)]).toEqual([
      404, 404, 200,
    ])
    expect(await document(below.uri, fixture.rita)).toBe(404)
  })

  test('cannot be reblogged, pinned or favourited meanwhile, and can be edited', async () => {
    await expect(fixture.harness.call(addReblog, { id: held.id }, fixture.bob)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(fixture.harness.call(addPin, { id: held.id }, fixture.bob)).rejects.toMatchObject({
      code: 'unprocessable',
    })
    await expect(fixture.harness.call(addFavourite, { id: held.id }, ada)).rejects.toMatchObject({ code: 'not_found' })
    await fixture.harness.call(editStatus, { id: held.id, status: '@ada a better #answer' } as never, fixture.bob)
    await fixture.harness.waitForIdle()
    expect([types(fixture.remote, held.uri), types(other, held.uri)]).toEqual([['Create', 'Update'], []])
    expect(await openToSearch(held.id)).toBe(false)
  })

  test('is public after approval, with later edits, and names the approval', async () => {
    expect(await decide('Accept', held.uri, { result: approval('1') })).toBe('done')
    const [sent] = received(other, held.uri)
    expect(sent).toMatchObject({ id: `${held.uri}/activity`, type: 'Create', object: { approvedBy: approval('1') } })
    expect(types(other, below.uri)).toEqual(['Create'])
    expect([await sees(held.id, ada), await sees(below.id, undefined)]).toEqual(['public', 'public'])
    const shown = await fixture.harness.call(tagTimeline, { hashtag: 'answer' }, ada)
    expect(shown.map((it) => it.id)).toContain(held.id)
    expect([await answersOf(parent.id), await answersOf(held.id), (await count()) - before]).toEqual([1, 1, 2])
    expect([await document(held.uri), await openToSearch(held.id)]).toEqual([200, true])
  })

  test('is hidden again when the approval is revoked, until there is another one', async () => {
    const end = makeActivity(fixture.rita, 'Delete', approval('1'))
    expect(await fixture.harness.outcome(fixture.remote, end, { as: fixture.rita })).toBe('done')
    await fixture.harness.waitForIdle()
    expect([await sees(held.id, ada), await sees(held.id, fixture.bob), await answersOf(parent.id)]).toEqual([
      'not_found',
      'direct',
      0,
    ])
    expect(received(other, held.uri).at(-1)).toMatchObject({ type: 'Update' })
    expect(received(other, held.uri).at(-1)?.object.approvedBy).toBeUndefined()
    expect(await decide('Accept', held.uri, { result: approval('2') })).toBe('done')
    expect([await sees(held.id, ada), await answersOf(parent.id), (await count()) - before]).toEqual(['public', 1, 2])
    expect(types(other, held.uri).filter((type) => type === 'Create')).toHaveLength(1)
  })

  test('is found by search again, also when it was edited while the approval was gone', async () => {
    expect(await decide('Reject', held.uri)).toBe('done')
    expect(await openToSearch(held.id)).toBe(false)
    await fixture.harness.call(editStatus, { id: held.id, status: '@ada the last #answer' } as never, fixture.bob)
    await fixture.harness.waitForIdle()
    expect(await openToSearch(held.id)).toBe(false)
    expect(await decide('Accept', held.uri, { result: approval('3') })).toBe('done')
    expect(await openToSearch(held.id)).toBe(true)
  })
})

test('interop 6.5 a rejected reply stays visible to its author, and its Delete goes to its recipients', async () => {
  const parent = await restricted({ always: [fixture.rita.id], approvalRequired: [PUBLIC] })
  const before = await count()
  const refused = await answer(parent.id)
  expect(await decide('Reject', refused.uri)).toBe('done unchanged')
  expect([await sees(refused.id, fixture.bob), await sees(refused.id, ada)]).toEqual(['direct', 'not_found'])
  await fixture.harness.call(deleteStatus, { id: refused.id }, fixture.bob)
  await fixture.harness.waitForIdle()
  expect([types(fixture.remote, refused.uri), types(other, refused.uri)]).toEqual([['Create', 'Delete'], []])
  expect((await count()) - before).toBe(0)
})

test('interop 6.5 followers need an approval, because only the server of the author knows them', async () => {
  const parent = await restricted({ automaticApproval: [fixture.rita.id, fixture.rita.followers] })
  const asked = await answer(parent.id)
  expect([types(fixture.remote, asked.uri), types(other, asked.uri)]).toEqual([['Create'], []])
})

test('interop 6.5 a reply that the policy excludes is refused at once', async () => {
  const { id } = await restricted({ automaticApproval: fixture.rita.id })
  await expect(
    fixture.harness.call(createStatus, { status: 'an answer', in_reply_to_id: id } as never, fixture.bob),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('interop 6.5 mentioned and listed accounts, and all accounts without a policy, need no approval', async () => {
  const mention = { tag: [{ type: 'Mention', href: fixture.bob.uri }], cc: [fixture.bob.uri] }
  const open = [
    await restricted({ automaticApproval: fixture.rita.id }, mention),
    await restricted({ automaticApproval: [fixture.rita.id, fixture.bob.uri], manualApproval: PUBLIC }),
    await restricted({ automaticApproval: PUBLIC }),
    await restricted({}),
    await restricted(undefined),
  ]
  for (const { id } of open) {
    const free = await answer(id)
    expect([types(other, free.uri), await sees(free.id, ada)]).toEqual([['Create'], 'public'])
  }
})

test('interop 6.5 the policy of the newest version counts', async () => {
  const { id, note } = await restricted(undefined)
  const update = (canReply: Document | undefined) =>
    fixture.sendActivity(fixture.rita, 'Update', { ...note, ...(canReply && { interactionPolicy: { canReply } }) })
  expect(await update(asks())).toMatch(/^done/)
  const asked = await answer(id)
  expect(types(other, asked.uri)).toEqual([])
  expect(await update(undefined)).toMatch(/^done/)
  const free = await answer(id)
  expect(types(other, free.uri)).toEqual(['Create'])
})

test('interop 6.5 a pending reply cannot quote', async () => {
  const { id } = await restricted(asks())
  const input = { status: 'see', in_reply_to_id: id, quoted_status_id: fixture.post.id }
  await expect(fixture.harness.call(createStatus, input as never, fixture.bob)).rejects.toMatchObject({
    code: 'unprocessable',
  })
})
