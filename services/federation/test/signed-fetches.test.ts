/** A non-public status is fetched with the key of a local account that may see it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

/** Key ids of the requests for an address. */
const askedWith = (uri: string): string[] =>
  fixture.remote.requests.all
    .filter((it) => it.method === 'GET' && it.path === new URL(uri).pathname)
    .map((it) => /keyId="([^"]+)"/.exec(String(it.headers.signature))?.[1] ?? '')

test('objects 1 a non-public status sent as address only is fetched with the key of a follower or an addressee', async () => {
  const { remote, rita, vera, bob, sendActivity, shown } = fixture
  const key = `${bob.uri}#main-key`
  const followers = { to: [rita.followers], cc: [] }
  const forFollowers = remote.addNote(rita, '<p>for followers</p>', followers)
  expect(await sendActivity(rita, 'Create', forFollowers.id, followers)).toBe('done')
  expect(askedWith(forFollowers.id)).toEqual([key])
  expect(await shown(forFollowers.id)).toMatchObject({ visibility: 'private' })

  const us = { to: [bob.uri], cc: [], tag: [{ type: 'Mention', href: bob.uri }] }
  const direct = remote.addNote(vera, '<p>for bob</p>', us)
  expect(await sendActivity(vera, 'Create', direct.id, { to: [bob.uri], cc: [] })).toBe('done')
  expect(askedWith(direct.id)).toEqual([key])
  expect(await shown(direct.id)).toMatchObject({ visibility: 'direct' })
})

test('signatures 6 a public status is fetched with the key of the instance actor', async () => {
  const { remote, rita, harness, sendActivity } = fixture
  const open = remote.addNote(rita, '<p>open</p>')
  expect(await sendActivity(rita, 'Create', open.id, { to: open.to, cc: open.cc })).toBe('done')
  expect(askedWith(open.id)).toEqual([`${harness.origin}/actor#main-key`])
})

test('signatures 6 a reblogged own status is fetched with the key of a follower', async () => {
  const { remote, rita, bob, sendActivity, shown } = fixture
  const own = remote.addNote(rita, '<p>mine</p>', { to: [rita.followers], cc: [] })
  expect(await sendActivity(rita, 'Announce', own.id, { to: [rita.followers], cc: [] })).toBe('done')
  expect(askedWith(own.id)).toContain(`${bob.uri}#main-key`)
  expect(await shown(own.id)).toMatchObject({ visibility: 'private' })
})
