/** Counts the cost of one HTTP request: statements sent to PostgreSQL, and requests between services. */
import { currentRequest } from '@murmuration/kernel'
import type { Cluster } from '@murmuration/testkit'

export interface Cost {
  queries: number
  requests: number
}

export interface Meter {
  /**
   * Counts statements and bus requests while `work` runs, but only those of requests with this `X-Request-Id`. `steps` contains
   * the text of each statement and the subject of each bus request, sorted.
   */
  count<T>(requestId: string, work: () => Promise<T>): Promise<{ result: T; cost: Cost; steps: string[] }>
}

/** Installs the meter in every service of a cluster. To be called before the requests that are counted. */
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
            // Counted by request id, so that concurrent requests are not included.
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
