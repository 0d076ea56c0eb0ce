/** Sorted domains of known servers, read from accounts at most every five minutes. */
import { accountDomains } from '@murmuration/contracts/accounts'
import type { BaseContext } from '@murmuration/kernel'
import { cached } from '../core/cached.js'

const MAX_AGE_MS = 300_000

/** Creates the cached list of known domains. */
export const createPeers = (
  base: Pick<BaseContext<typeof accountDomains>, 'call' | 'clock'>,
): (() => Promise<readonly string[]>) =>
  cached(base.clock, MAX_AGE_MS, async () => (await base.call(accountDomains, {})).domains.toSorted())

/** At most `max` domains that begin with `prefix`, by binary search in the sorted list. */
export const withPrefix = (domains: readonly string[], prefix: string, max: number): string[] => {
  let [from, to] = [0, domains.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((domains[middle] as string) < prefix) from = middle + 1
    else to = middle
  }
  const found = domains.slice(from, from + max)
  return found.filter((domain) => domain.startsWith(prefix))
}
