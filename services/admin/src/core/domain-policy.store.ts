/** Reads the blocks and allows that apply to domains. */
import type { Reader } from '@murmuration/db'
import { allowsOf } from './domain-allow.store.js'
import { blocksOf } from './domain-block.store.js'
import { withParents } from './domain-name.rules.js'
import type { DomainPolicy } from './domain-policy.rules.js'

/** Blocks of each of these domains and its parents, and whether the domain is allowed. Blocks of parents are first. */
export const policiesOf = async (db: Reader, domains: readonly string[]): Promise<Map<string, DomainPolicy>> => {
  const wanted = [...new Set(domains)]
  if (wanted.length === 0) return new Map()
  const [blocks, allows] = await Promise.all([
    blocksOf(db, [...new Set(wanted.flatMap(withParents))]),
    allowsOf(db, wanted),
  ])
  const [blockOf, allowed] = [new Map(blocks.map((one) => [one.domain, one])), new Set(allows.map((one) => one.domain))]
  return new Map(
    wanted.map((domain) => [
      domain,
      {
        blocks: withParents(domain)
          .toReversed()
          .flatMap((one) => blockOf.get(one) ?? []),
        allowed: allowed.has(domain),
      },
    ]),
  )
}
