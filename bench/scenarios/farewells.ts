/** Deletion of accounts that nobody elsewhere ever heard of: nothing leaves the server. */
import { registrationReject } from '@murmuration/contracts/accounts'
import { connectOperator } from '../../bin/control/operator.js'
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
  about: `requests sent when ${ACCOUNTS} accounts without audience are deleted`,
  limitIs: `requests sent for one status of somebody with followers on ${HOSTS} hosts`,
  target: { kind: 'count', value: 0 },
  async run({ start }) {
    const { product, people, path } = await start({ first: DELIVERING })
    const remote = await startRemoteHosts({ hosts: HOSTS })
    const operator = await connectOperator({ ...process.env, ...product.env })
    const known = await people.make('known')
    await addRemoteFollowers(product.databaseUrl, known, remote.inboxes)
    const unheard = await addUnheard(product.databaseUrl, ACCOUNTS, 'unheard')
    // Staff deletes accounts that wait for approval; to other servers it is the same news.
    await within(product.databaseUrl, 'accounts', (client) =>
      client.query('update users set approved = false where account_id = any($1::bigint[])', [unheard]),
    )
    const remove = (id: string) => operator.ask(registrationReject, { id })
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
      const limit = await figureOf(path(), async () => {
        const heard = remote.hears(HOSTS)
        await people.as(known, 'POST', '/api/v1/statuses', { status: 'Heard by all hosts.' })
        return heard
      })
      return { ours: { ...ours, rate: sent }, limit: { ...limit, rate: HOSTS + (await remote.extra()) } }
    } finally {
      await operator.close()
      await remote.stop()
    }
  },
}
