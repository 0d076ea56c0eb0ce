/** Statuses of a server whose handles are on another domain than its addresses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ LOCAL_DOMAIN: 'handles.example', WEB_DOMAIN: 'web.example' })
})
afterAll(() => harness.stop())

test.each(['alice', 'alice@handles.example', 'alice@web.example', 'Alice@WEB.example'])(
  'from: and mentions of @%s name the local account',
  async (handle) => {
    const alice = harness.fakes.fakeAccount('alice')
    const { id } = await harness.post(alice, 'a pineapple')
    await harness.cluster.settle()
    const found = await harness.cluster.call(
      statuses.search,
      { q: `from:@${handle} pineapple`, type: 'statuses' },
      harness.as(alice),
    )
    expect(found.statuses.map((one) => one.id)).toContain(id)
    expect((await harness.post(alice, `hello @${handle}`)).mentions).toMatchObject([{ id: alice.id, acct: 'alice' }])
  },
)
