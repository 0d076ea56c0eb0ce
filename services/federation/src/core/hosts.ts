/** Decisions of staff about a host: the only place where domain blocks and the allow list are read. */
import type { DomainRule } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Policy } from '@murmuration/kernel'
import type { Config } from '../config.js'

export interface HostRules {
  readonly policy: Pick<Policy, 'loaded' | 'domainRule' | 'allows'>
  readonly config: Pick<Config, 'limitedFederation' | 'allowAddresses'>
}

/** `unknown` until the policy was read: nothing may be decided in anybody's favour then. */
export type HostStanding = 'open' | 'blocked' | 'unknown'

const bare = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

/** How a host stands; ports do not matter, and a rule for a domain holds for everything below it. */
export const hostStanding = ({ policy, config }: HostRules, host: string): HostStanding => {
  if (!policy.loaded()) return 'unknown'
  if (config.limitedFederation) return policy.allows(bare(host)) ? 'open' : 'blocked'
  return policy.domainRule(bare(host))?.severity === 'suspend' ? 'blocked' : 'open'
}

/** The rule for a host that is not blocked: what it may do less than others. */
export const hostRule = ({ policy }: HostRules, host: string): DomainRule | null => policy.domainRule(bare(host))

/** Passes for open hosts, refuses blocked ones, and asks to come back while nothing is known. */
export const admitHost = (rules: HostRules, host: string): void => {
  const standing = hostStanding(rules, host)
  if (standing === 'blocked')
    throw fail('forbidden', 'This server is not served here', { cause: { reason: 'blocked', host } })
  if (standing === 'unknown') throw notReady()
}

export const notReady = () => fail('unavailable', 'Try again in a moment', { retryAfter: 5 })
