/** Counts what one HTTP request costs inside: statements sent to PostgreSQL and requests between services. */
import { currentRequest } from '@murmuration/kernel'
import type { Cluster } from '@murmuration/testkit'

export interface Cost {
  queries: number
  requests: number
}

export interface Meter {
  /**
   * Counts while `work` runs, but only what is done for requests that carry this `X-Request-Id`. `steps` holds the text of each
   * statement and the subject of each bus request, sorted.
   */
  count<T>(requestId: string, work: () => Promise<T>): Promise<{ result: T; cost: Cost; steps: string[] }>
}

/** Puts the meter into every service of a cluster; before it is asked anything that counts. */
export const meterOf = (cluster: Cluster): Meter => {
  const taken = new Map<string, { cost: Cost; steps: string[] }>()
  const add = (requestId: string | undefined, what: keyof Cost, step: string): void => {
    const one = taken.get(requestId ?? '')
    if (!one) return
    one.cost[what]++
    one.steps.push(step)
  }
  for (const { ctx } of cluster.host.running) {
    const { db, nc } = ctx
    const counted = <R extends object>(reader: R): R => {
      for (const verb of ['rows', 'row', 'run', 'send'] as const) {
        const real = (reader as Record<string, unknown>)[verb]
        if (typeof real !== 'function') continue
        Object.assign(reader, {
          [verb]: (...given: unknown[]) => {
            // What goes on beside it at the same moment is not its cost.
            add(currentRequest()?.requestId, 'queries', (given[0] as { text: string }).text)
            return real.apply(reader, given)
          },
        })
      }
      return reader
    }
    counted(db)
    const transact = db.tx.bind(db)
    db.tx = (work) => transact((tx) => work(counted(tx)))
    const publish = nc.publish.bind(nc)
    nc.publish = (subject, payload, options) => {
      if (subject.startsWith('rpc.')) add(options?.headers?.get('Request-Id'), 'requests', subject)
      publish(subject, payload, options)
    }
  }
  return {
    async count(requestId, work) {
      const counted = { cost: { queries: 0, requests: 0 }, steps: [] as string[] }
      taken.set(requestId, counted)
      const result = await work()
      taken.delete(requestId)
      return { result, cost: counted.cost, steps: counted.steps.sort() }
    },
  }
}
