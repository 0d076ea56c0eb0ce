/** Counts the requests to other servers when accounts are deleted that no other server knows. There must be none. */
import { rejectRegistration } from '@murmuration/contracts/accounts'
import { connectOperator } from '../../bin/control/operator.js'
import { addRemoteFollowers, addUnfollowed } from '../lib/accounts.js'
import { figureOf, timed } from '../lib/measure.js'
import { startRemoteHosts } from '../lib/remote-hosts.js'
import { DELIVERING, type Scenario } from '../lib/scenario.js'
import { withSchema } from '../lib/tables.js'

const HOSTS = 20
const ACCOUNTS = 100
const MAX_MS = 120_000

export const accountDeletions: Scenario = {
  name: 'account-deletions',
  about: `requests sent when ${ACCOUNTS} accounts without recipients are deleted`,
  limitIs: `requests sent for one status of an account with followers on ${HOSTS} hosts`,
  target: { kind: 'count', value: 0 },
  async run({ start }) {
    const { product, users, path } = await start({ first: DELIVERING })
    const remote = await startRemoteHosts({ hosts: HOSTS })
    const operator = await connectOperator({ ...process.env, ...product.env })
    const known = await users.create('known')
    await addRemoteFollowers(product.databaseUrl, known, remote.inboxes)
    const unfollowed = await addUnfollowed(product.databaseUrl, ACCOUNTS, 'unfollowed')
    // Rejecting a registration deletes its account. Federation handles this like any other deletion.
    await withSchema(product.databaseUrl, 'accounts', (client) =>
      client.query('update users set approved = false where account_id = any($1::bigint[])', [unfollowed]),
    )
    const remove = (id: string) => operator.call(rejectRegistration, { id })
    const awaitDeleted = (count: number) =>
      withSchema(product.databaseUrl, 'federation', async (client) => {
        const end = performance.now() + MAX_MS
        for (;;) {
          const { rows } = await client.query<{ n: number }>('select count(*)::int as n from gone_actors')
          if ((rows[0]?.n ?? 0) >= count) return
          if (performance.now() > end) throw new Error(`${rows[0]?.n} of ${count} accounts are deleted`)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      })
    try {
      const ours = await figureOf(path(), () =>
        timed(ACCOUNTS, async () => {
          await Promise.all(unfollowed.map(remove))
          await awaitDeleted(ACCOUNTS)
        }),
      )
      const sent = await remote.extra()
      const limit = await figureOf(path(), async () => {
        const arrived = remote.awaitDeliveries(HOSTS)
        await users.as(known, 'POST', '/api/v1/statuses', { status: 'To all hosts.' })
        return arrived
      })
      return { ours: { ...ours, rate: sent }, limit: { ...limit, rate: HOSTS + (await remote.extra()) } }
    } finally {
      await operator.close()
      await remote.stop()
    }
  },
}
