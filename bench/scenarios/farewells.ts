/** Deletion of accounts that nobody elsewhere ever heard of: nothing leaves the server. */
import { addRemoteFollowers, addUnheard } from '../lib/crowd.js'
import { figureOf, timed } from '../lib/measure.js'
import { startRemoteHosts } from '../lib/remote-hosts.js'
import { DELIVERING, type Scenario } from '../lib/scenario.js'
import { within } from '../lib/tables.js'

const HOSTS = 20
const ACCOUNTS = 100
const MOST_MS = 120_000

export const farewells: Scenario = {
  name: 'farewells',
  about: `requests sent when ${ACCOUNTS} accounts without audience are deleted; the limit deletes one with followers on ${HOSTS} hosts`,
  limitIs: 'requests sent for one account that was heard of',
  target: { kind: 'count', value: 0 },
  async run({ start }) {
    const { product, people, path } = await start({ first: DELIVERING })
    const remote = await startRemoteHosts({ hosts: HOSTS })
    await product.ctl('account', 'create', 'owner', '--email', 'owner@bench.example', '--confirmed', '--role', 'Owner')
    const scopes = 'read write admin:read admin:write'
    const { token } = (await product.ctl('token', 'create', 'owner', '--scopes', scopes)) as { token: string }
    const owner = { id: '', username: 'owner', token }
    const known = await people.make('known')
    await addRemoteFollowers(product.databaseUrl, known, remote.inboxes)
    const arrived = remote.hears(HOSTS)
    await people.as(known, 'POST', '/api/v1/statuses', { status: 'Heard by all hosts.' })
    await arrived

    const unheard = await addUnheard(product.databaseUrl, ACCOUNTS, 'unheard')
    const remove = async (id: string) => {
      await people.as(owner, 'POST', `/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })
      await people.as(owner, 'DELETE', `/api/v1/admin/accounts/${id}`)
    }
    const goneAre = (count: number) =>
      within(product.databaseUrl, 'federation', async (client) => {
        const end = performance.now() + MOST_MS
        for (;;) {
          const { rows } = await client.query<{ n: number }>('select count(*)::int as n from gone_actors')
          if ((rows[0]?.n ?? 0) >= count) return
          if (performance.now() > end) throw new Error(`${rows[0]?.n} of ${count} accounts are gone`)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      })
    try {
      const ours = await figureOf(path(), () =>
        timed(ACCOUNTS, async () => {
          await Promise.all(unheard.map(remove))
          await goneAre(ACCOUNTS)
        }),
      )
      const sent = await remote.extra()
      const heard = remote.hears(HOSTS)
      const limit = await figureOf(path(), async () => {
        await remove(known.id)
        return heard
      })
      await goneAre(ACCOUNTS + 1)
      return { ours: { ...ours, rate: sent }, limit: { ...limit, rate: HOSTS + (await remote.extra()) } }
    } finally {
      await remote.stop()
    }
  },
}
