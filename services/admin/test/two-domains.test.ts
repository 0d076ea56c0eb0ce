/** Announcements of a server whose handles are on another domain than its addresses. */
import { createAnnouncement, listAnnouncements } from '@murmuration/contracts/admin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ env: { LOCAL_DOMAIN: 'handles.example', WEB_DOMAIN: 'web.example' } })
})
afterAll(() => harness.cluster.stop())

test.each(['alice', 'alice@handles.example', 'Alice@web.example'])(
  'an announcement with @%s links and names the local account',
  async (handle) => {
    const { id } = await harness.cluster.call(createAnnouncement, { text: `thanks to @${handle}` })
    const listed = await harness.cluster.call(listAnnouncements, {}, as(who(harness, '101')))
    const shown = listed.find((one) => one.id === id)
    expect(shown?.content).toContain('class="u-url mention"')
    expect(shown?.mentions.map(({ acct }) => acct)).toEqual(['alice'])
  },
)
