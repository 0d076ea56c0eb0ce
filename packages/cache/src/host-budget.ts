/** How often other servers may be asked within a minute by the whole cluster, each of them and all together. */
import type { Counts } from './counts.js'

/** Requests to one host within a minute. */
const PER_HOST = 300
/** Of these, requests that nobody waits for: what people wait for must not stand behind them. */
const BEHIND_PER_HOST = 200

/** Never rejects. */
export interface HostBudget {
  /** False when this host, or all hosts together, were asked too often this minute. `behind` when nobody waits for it. */
  mayAsk(host: string, behind?: boolean): Promise<boolean>
}

/**
 * `inAll` and `perHost` (300 unless said) are requests within a minute; two thirds of those to one host are for what nobody waits for.
 *
 * @example
 * const budget = createHostBudget(counts, { inAll: 30_000 })
 * if (!(await budget.mayAsk('files.example', true))) comeAgainNextMinute()
 */
export const createHostBudget = (
  counts: Pick<Counts, 'add'>,
  { perHost = PER_HOST, inAll }: { perHost?: number; inAll: number },
): HostBudget => ({
  async mayAsk(host, behind = false) {
    if (behind && (await counts.add('behind', host)) > (perHost * BEHIND_PER_HOST) / PER_HOST) return false
    // A host that is asked too often uses up nothing of the others.
    return (await counts.add('host', host)) <= perHost && (await counts.add('all', 'hosts')) <= inAll
  },
})
