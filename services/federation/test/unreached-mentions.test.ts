/** Mentions of accounts whose server does not respond are added when it does, unless the status has changed. */
import { sql } from '@murmuration/db'
import type { BaseContext } from '@murmuration/kernel'
import { app as statuses } from '@murmuration/statuses'
import type { Document, RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
/** A server that does not respond at first, with a new account for each test. */
let away: RemoteServer
let carol: RemoteActor
let n = 0
beforeAll(async () => {
  fixture = await startFixture()
  away = await fixture.harness.server({ name: 'localhost' })
})
afterAll(() => fixture.harness.stop())
afterEach(() => context().clock.moveTo(0))

const context = () =>
  fixture.harness.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as BaseContext

/** A status that mentions carol while her server does not respond. */
const named = async (status = 503): Promise<Document & { id: string }> => {
  carol = await away.addActor(`carol${++n}`)
  away.behave({ kind: 'status', status })
  const page = `<p><a href="${carol.document.url}" class="u-url mention">@${carol.name}</a> look</p>`
  const tag = [{ type: 'Mention', href: carol.id, name: `@${carol.name}@${new URL(away.origin).host}` }]
  const note = fixture.note(fixture.rita, { content: page, tag })
  expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
  expect(await mentions(note)).toEqual([])
  return note
}
const mentions = async (note: { id: string }) =>
  ((await fixture.shown(note.id)) as { mentions: { username: string; url: string }[] } | null)?.mentions
const asks = () => away.requests.all.filter((one) => one.path.includes(carol.name)).length
const waiting = () =>
  fixture.harness
    .db('statuses')
    .rows<{ tries: number }>(sql`select tries from unreached_mentions where uri = ${carol.id}`)

/** Runs look-ups that are due within the given number of seconds. */
const later = async (seconds: number) => {
  // A failed fetch is cached for some seconds.
  await fixture.harness.clear()
  context().clock.moveTo(seconds * 1_000)
  await statuses.manifest.ticks.find((one) => one.name === 'statuses.seek-unreached')?.run(context())
  await fixture.harness.waitForIdle()
}

test('a mention of an account whose server was down is added when the server is up', async () => {
  const note = await named()
  await later(40)
  expect([await mentions(note), await waiting()]).toEqual([[], [{ tries: 1 }]])
  away.repair()
  await later(110)
  expect(await mentions(note)).toMatchObject([{ username: carol.name }])
  const [{ url } = { url: '' }] = (await mentions(note)) ?? []
  expect((await fixture.shown(note.id))?.content).toContain(`href="${url}"`)
  expect(await waiting()).toEqual([])
})

test('no local account is notified, and the author is not contacted', async () => {
  const note = await named()
  const posts = () => away.inbox.all.length + fixture.remote.inbox.all.length
  const before = posts()
  away.repair()
  await later(40)
  expect(await mentions(note)).toHaveLength(1)
  expect(posts()).toBe(before)
})

test('an edit without the mention, or the Delete of the status, wins', async () => {
  const [edited, ended] = [await named(), await named()]
  const updated = new Date().toISOString()
  expect(
    await fixture.sendActivity(fixture.rita, 'Update', { ...edited, content: '<p>nobody</p>', tag: [], updated }),
  ).toBe('done edited')
  expect(await fixture.sendActivity(fixture.rita, 'Delete', ended.id)).toBe('done')
  away.repair()
  const before = away.requests.all.length
  await later(40)
  expect(await mentions(edited)).toEqual([])
  expect(await fixture.shown(ended.id)).toBe(null)
  expect(away.requests.all.length).toBe(before)
})

test.each([404, 410, 403])('an account with the response %s is not fetched again', async (status) => {
  await named(status)
  expect(await waiting()).toEqual([])
  const before = asks()
  away.repair()
  await later(4_000)
  expect(asks()).toBe(before)
})

test('a server that was blocked meanwhile is not requested', async () => {
  const note = await named()
  const rule = { domain: 'localhost', severity: 'suspend' as const, reject_media: false, reject_reports: false }
  await fixture.harness.policy({ blocks: [rule] })
  away.repair()
  const before = asks()
  await later(40)
  expect(asks()).toBe(before)
  await fixture.harness.policy({})
  expect([await mentions(note), await waiting()]).toEqual([[], []])
})

test('an unavailable server is not requested', async () => {
  const note = await named()
  away.repair()
  const host = new URL(away.origin).host
  const queue = (since: string | null) =>
    fixture.harness
      .db('federation')
      .run(sql`insert into lanes (id, host, unavailable_since) values (1, ${host}, ${since})
      on conflict (host) do update set unavailable_since = excluded.unavailable_since`)
  await queue('2026-01-01')
  const before = asks()
  await later(40)
  expect([asks() - before, await waiting()]).toEqual([0, [{ tries: 1 }]])
  await queue(null)
  await later(110)
  expect(await mentions(note)).toHaveLength(1)
})
