/** Stores new publishers of scored links, and applies decisions about publishers to their links. */
import type { Tx } from '@murmuration/db'
import { decisionFor, domainsOf, hostOf } from './rules.js'
import { decisionsAbout, insertPublishers } from './store.js'

interface Link {
  url?: string
  allowed: boolean | null
}

/**
 * The links with the decision of staff that applies to each: about the link itself, otherwise about its publisher.
 * Stores rows for hosts without one.
 */
export const applyPublishers = async <L extends Link>(
  tx: Tx,
  links: readonly L[],
  nextId: () => string,
): Promise<L[]> => {
  const hosts = [...new Set(links.flatMap((link) => hostOf(link.url ?? '') ?? []))]
  await insertPublishers(tx, hosts, nextId)
  const decided = await decisionsAbout(tx, [...new Set(hosts.flatMap(domainsOf))])
  return links.map((link) => ({ ...link, allowed: link.allowed ?? decisionFor(hostOf(link.url ?? ''), decided) }))
}
