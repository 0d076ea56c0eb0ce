/** Servers that are known here, sorted; asked for at most every five minutes. */
import { accountDomains } from '@murmuration/contracts/accounts'
import type { BaseContext } from '@murmuration/kernel'
import { kept } from '../core/cached.js'

const MAX_AGE_MS = 300_000

/** All known domains, as their names begin. */
export const createPeers = (
  base: Pick<BaseContext<typeof accountDomains>, 'call' | 'clock'>,
): (() => Promise<readonly string[]>) =>
  kept(base.clock, MAX_AGE_MS, async () => (await base.call(accountDomains, {})).domains.toSorted())

/** Those whose name begins with `prefix`, found by halving; the list is sorted. */
export const beginningWith = (domains: readonly string[], prefix: string, most: number): string[] => {
  let [from, to] = [0, domains.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((domains[middle] as string) < prefix) from = middle + 1
    else to = middle
  }
  const found = domains.slice(from, from + most)
  return found.filter((domain) => domain.startsWith(prefix))
}
