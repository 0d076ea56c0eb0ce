/** Reports of other servers about local accounts and replies to them, with the statuses that the reporting server can see. */
import { createCollection } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { sql } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
/** Instance actor of another server, which signs its reports. */
let office: RemoteActor

beforeAll(async () => {
  fixture = await startFixture()
  office = await fixture.remote.addActor('office', { type: 'Application' })
})
afterAll(() => fixture.harness.stop())

const announced = async () => {
  const row = await fixture.harness
    .db('federation')
    .row<{ data: string }>(
      sql`select data from outbox where subject = ${flagReceived.subject} order by id desc limit 1`,
    )
  return row && (JSON.parse(row.data) as { target: string; statusUris: string[]; collectionIds: string[] })
}
const idOf = async (actor: RemoteActor) => (await fixture.harness.account(actor.id))?.id

test('moderation 7 a remote reply to a local account may be reported, another remote status may not', async () => {
  const { vera, sendActivity, note, post } = fixture
  const answer = note(vera, { inReplyTo: post.uri })
  await sendActivity(vera, 'Create', answer)
  expect(await sendActivity(office, 'Flag', vera.id, { object: [vera.id, answer.id] })).toBe('done')
  expect(await announced()).toMatchObject({ target: await idOf(vera), statusUris: [answer.id] })
  const other = note(fixture.rita)
  await sendActivity(fixture.rita, 'Create', other)
  expect(await sendActivity(office, 'Flag', fixture.rita.id, { object: [fixture.rita.id, other.id] })).toBe(
    'ignored not-about-us',
  )
})

test('a guessed address of a hidden status does not report its author', async () => {
  for (const visibility of ['private', 'direct'] as const) {
    const hidden = await fixture.write({ status: 'secret', visibility })
    expect(await fixture.sendActivity(office, 'Flag', hidden.uri, { object: [hidden.uri] })).toBe(
      'ignored not-about-us',
    )
  }
})

test('I5 each report without an id counts separately', async () => {
  const { bob, remote, harness } = fixture
  const { id: _, ...flag } = makeActivity(office, 'Flag', bob.uri, { content: 'again' })
  // The repeated second request is the same report.
  const start = Math.floor(Date.now() / 1_000) * 1_000
  for (const n of [0, 1, 1]) {
    const now = new Date(start + n * 1_000)
    expect((await harness.deliver(remote, flag, { as: office, now })).status).toBe(202)
  }
  await harness.waitForIdle()
  const rows = await harness.db('federation').rows<{ data: string }>(sql`select data from outbox
    where subject = ${flagReceived.subject} and data::jsonb->>'comment' = 'again'`)
  expect(rows.map((row) => JSON.parse(row.data).uri)).toEqual([null, null])
})

test('reports of different objects, or with different comments, count under one id', async () => {
  const { bob, write, harness } = fixture
  const id = `${office.id}#flag`
  const posts = await Promise.all(['one', 'two'].map((status) => write({ status, visibility: 'public' })))
  const flags = posts.map(({ uri }) => ({ id, object: [bob.uri, uri] }))
  for (const flag of [...flags, { ...flags[1], content: 'another comment' }])
    expect(await fixture.sendActivity(office, 'Flag', bob.uri, flag)).toBe('done')
  await harness.waitForIdle()
  const rows = await harness.db('federation').rows<{ data: string }>(sql`select data from outbox
    where subject = ${flagReceived.subject} and data::jsonb->>'uri' = ${id} order by id`)
  const [one, two] = posts.map(({ uri }) => ({ statusUris: [uri], comment: '' }))
  expect(rows.map((row) => JSON.parse(row.data))).toMatchObject([one, two, { ...two, comment: 'another comment' }])
})

test('moderation 7 a report keeps statuses that mention accounts of its server, and followers-only ones if it has followers', async () => {
  const { bob, rita, vera, sendActivity, write, harness } = fixture
  const toVera = await write({ status: 'between us', visibility: 'direct' })
  await harness
    .db('statuses')
    .run(sql`insert into mentions (status_id, account_id, silent) values (${toVera.id}, ${await idOf(vera)}, false)`)
  const forFollowers = await write({ status: 'for followers', visibility: 'private' })
  const toNobody = await write({ status: 'for me', visibility: 'direct' })
  const object = [bob.uri, toVera.uri, forFollowers.uri, toNobody.uri]
  expect(await sendActivity(office, 'Flag', bob.uri, { object })).toBe('done')
  expect((await announced())?.statusUris).toEqual([toVera.uri])
  await sendActivity(rita, 'Follow', bob.uri)
  expect(await sendActivity(office, 'Flag', bob.uri, { object })).toBe('done')
  expect((await announced())?.statusUris.sort()).toEqual([toVera.uri, forFollowers.uri].sort())
})

test('moderation 7 a report keeps collections of accounts of its target, also without statuses (FEP-7aa9)', async () => {
  const { bob, sendActivity, harness } = fixture
  const cara = await harness.createAccount('cara')
  const create = async (as: typeof bob, input: object = {}) =>
    (await harness.call(createCollection, { name: 'Birds', ...input } as never, as)).collection
  const [open, hidden, others] = [await create(bob), await create(bob, { discoverable: false }), await create(cara)]
  const report = async (object: string[], extra: object = {}) => {
    expect(await sendActivity(office, 'Flag', bob.uri, { object, ...extra })).toBe('done')
    const it = await announced()
    return [it?.target, it?.collectionIds.sort()]
  }
  const both = [open.id, hidden.id].sort()
  expect(await report([bob.uri, open.uri, hidden.uri, others.uri])).toEqual([bob.id, both])
  for (const address of [open.uri, `${open.uri}/`, `${harness.origin}/collections/${open.id}?page=1`])
    expect(await report([address])).toEqual([bob.id, [open.id]])
  expect(await report([bob.uri, `${cara.uri}/collections/${open.id}`, `${bob.uri}/collections/1`])).toEqual([
    bob.id,
    [],
  ])
  expect(await report(undefined as never, { objects: [bob.uri, open.uri] })).toEqual([bob.id, [open.id]])
})
