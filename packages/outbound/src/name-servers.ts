/** Queries name servers for both address families in parallel, over sockets and not on libuv's thread pool. */

import { promises } from 'node:dns'

/** Addresses of a name, with their time to live. */
export type Found = { addresses: readonly string[]; ttlMs: number }

const renewAfterMs = 60_000
const otherFamilyMs = 1_000

/**
 * Creates a function that queries the A and AAAA records of a name. After the response to one query, the function waits
 * at most one second for the other. Rejects with the resolver's error (`code` as in `node:dns`) when neither query
 * yields an address. The system's list of name servers is read again every minute.
 */
export function createNameServers(now: () => number, servers?: readonly string[]): (name: string) => Promise<Found> {
  let resolver = newResolver(servers)
  let madeAt = now()

  return async (name) => {
    if (Math.abs(now() - madeAt) > renewAfterMs) {
      resolver = newResolver(servers)
      madeAt = now()
    }
    const records: { address: string; ttl: number }[] = []
    const collect = (found: { address: string; ttl: number }[]) => {
      for (const record of found) records.push(record)
    }
    await withPatience([
      resolver.resolve4(name, { ttl: true }).then(collect),
      resolver.resolve6(name, { ttl: true }).then(collect),
    ])
    const shortest = records.reduce((least, record) => Math.min(least, record.ttl), 60)
    return { addresses: records.map((record) => record.address), ttlMs: Math.max(1, shortest) * 1_000 }
  }
}

function newResolver(servers?: readonly string[]): promises.Resolver {
  const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return resolver
}

/**
 * Waits for all queries, but at most one second after the first success. If all fail, rejects with an error other than "no such
 * record" if there is one.
 */
async function withPatience(work: Promise<void>[]): Promise<void> {
  const failures: { code?: string }[] = []
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    const patience = () => {
      timer ??= setTimeout(resolve, otherFamilyMs)
    }
    Promise.all(work.map((one) => one.then(patience, (error) => failures.push(error)))).then(() => resolve())
  })
  clearTimeout(timer)
  if (failures.length < work.length) return
  // If the query for one address family failed, "no such record" for the other family does not prove that the name is
  // missing. So the error of the failed query is thrown.
  throw failures.find((error) => error.code !== 'ENODATA' && error.code !== 'ENOTFOUND') ?? failures[0]
}
