/** Publishers of scored links: rows for new ones, and their decision for links without one of their own. */
import type { Tx } from '@murmuration/db'
import { decisionFor, domainsOf, hostOf } from './rules.js'
import { decisionsAbout, insertPublishers } from './store.js'

interface Link {
  url?: string
  allowed: boolean | null
}

/** The links with the decision that counts for each: its own, else that of its publisher. */
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
