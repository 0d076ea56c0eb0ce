/** Measures the delay of deliveries while other hosts accept requests and never respond. */
import { addRemoteFollowers } from '../lib/accounts.js'
import { alternate, figureOf } from '../lib/measure.js'
import { startRemoteHosts } from '../lib/remote-hosts.js'
import { DELIVERING, type Scenario } from '../lib/scenario.js'
import { withSchema } from '../lib/tables.js'

const HOSTS = 350
const UNRESPONSIVE = 150
const INBOXES = 10
const ROUNDS = 3

export const deadHosts: Scenario = {
  name: 'dead-hosts',
  about: `p99 of arrival at ${HOSTS * INBOXES} inboxes while 30 % of all hosts never respond`,
  limitIs: 'the same inboxes without the hosts that never respond',
  target: { kind: 'tail', value: 1.1 },
  async run({ start }) {
    const { product, users, path, analyze } = await start({ first: DELIVERING })
    const remote = await startRemoteHosts({ hosts: HOSTS, unresponsive: UNRESPONSIVE, inboxesEach: INBOXES })
    const control = await users.create('control')
    const author = await users.create('author')
    await addRemoteFollowers(product.databaseUrl, control, remote.inboxes)
    await addRemoteFollowers(product.databaseUrl, author, [...remote.inboxes, ...remote.unresponsive])
    let n = 0
    const reach = (sender: typeof control) =>
      figureOf(path(), async () => {
        const all = remote.awaitDeliveries(remote.inboxes.length)
        await users.as(sender, 'POST', '/api/v1/statuses', { status: `To all hosts, ${n++}, and a few more words.` })
        return all
      })
    /**
     * Waits until no host queue is leased. Then gives up pending deliveries and resets the failures of all hosts, so
     * that each round starts without them.
     */
    const resetHosts = () =>
      withSchema(product.databaseUrl, 'federation', async (client) => {
        const isIdle = async () => {
          const { rows } = await client.query('select 1 from lanes where holder is not null limit 1')
          return rows.length === 0
        }
        while (!(await isIdle())) await new Promise((resolve) => setTimeout(resolve, 200))
        await client.query('update deliveries set state = 3 where state = 0')
        await client.query(`update lanes set failures = 0, paused_until = null, failed_days = '{}', due_at = null`)
      })
    const ours = async () => {
      const figure = await reach(author)
      await resetHosts()
      return figure
    }
    try {
      await reach(control)
      await ours()
      await analyze()
      return await alternate(ROUNDS, ours, () => reach(control))
    } finally {
      await remote.stop()
    }
  },
}
