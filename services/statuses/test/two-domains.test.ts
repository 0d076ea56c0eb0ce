/** Statuses of a server whose handles are on another domain than its addresses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let dora: FakeAccount
beforeAll(async () => {
  harness = await startHarness({
    LOCAL_DOMAIN: 'handles.example',
    WEB_DOMAIN: 'web.example',
    ALTERNATE_DOMAINS: 'old.example, bücher.example',
  })
  dora = harness.fakes.fakeAccount('dora')
})
afterAll(() => harness.stop())

test.each([
  'alice',
  'alice@handles.example',
  'alice@web.example',
  'Alice@WEB.example',
  'alice@old.example',
  'alice@Bücher.example',
])('from: and mentions of @%s name the local account', async (handle) => {
  const alice = harness.fakes.fakeAccount('alice')
  const { id } = await harness.post(alice, 'a pineapple')
  await harness.cluster.waitForIdle()
  const found = await harness.cluster.call(
    statuses.search,
    { q: `from:@${handle} pineapple`, type: 'statuses' },
    harness.as(alice),
  )
  expect(found.statuses.map((one) => one.id)).toContain(id)
  expect((await harness.post(alice, `hello @${handle}`)).mentions).toMatchObject([{ id: alice.id, acct: 'alice' }])
})

describe.each([
  'https://web.example',
  'http://web.example',
  'HTTP://Web.example',
  'https://handles.example',
  'http://handles.example',
  'https://old.example',
  'http://xn--bcher-kva.example',
  'https://bücher.example',
])('addresses below %s', (origin) => {
  const find = (q: string) => harness.cluster.call(statuses.search, { q, resolve: true } as never, harness.as(dora))

  test('a search finds the local status and account', async () => {
    const { id } = await harness.post(dora, 'hello')
    harness.fakes.asked.length = 0
    for (const path of [`/@dora/${id}`, `/users/dora/statuses/${id}`, `/web/statuses/${id}?page=1#top`]) {
      const found = await find(`${origin}${path}`)
      expect([path, found.statuses.map((one) => one.id)]).toEqual([path, [id]])
    }
    for (const path of ['/@dora', '/users/dora/']) {
      const found = await find(`${origin}${path}`)
      expect([path, found.accounts.map((one) => one.id)]).toEqual([path, [dora.id]])
    }
    expect(harness.fakes.asked).not.toContain('federation.fetch.object')
  })

  test('an embed shows the local status', async () => {
    const { id } = await harness.post(dora, 'hello')
    const { html } = await harness.cluster.call(statuses.showOEmbed, { url: `${origin}/@dora/${id}` } as never)
    expect(html).toContain(`/@dora/${id}/embed`)
  })
})

test.each(['https://web.example:8443', 'https://other.example', 'https://sub.handles.example'])(
  'an address below %s is not one of this server',
  async (origin) => {
    const { id } = await harness.post(dora, 'hello')
    const q = `${origin}/@dora/${id}`
    const found = await harness.cluster.call(statuses.search, { q, resolve: true } as never, harness.as(dora))
    expect(found.statuses).toEqual([])
  },
)
