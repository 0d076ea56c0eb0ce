/** Decisions of staff about a host. Only this module of federation reads domain blocks and the allow list. */
import type { DomainRule } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Policy } from '@murmuration/kernel'
import type { Config } from '../../config.js'

export interface HostRules {
  readonly policy: Pick<Policy, 'loaded' | 'domainRule' | 'allows'>
  readonly config: Pick<Config, 'limitedFederation' | 'allowAddresses'>
}

/** `unknown` until the instance policy was read. While it is `unknown`, every request is refused. */
export type HostAccess = 'open' | 'blocked' | 'unknown'

const bare = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

/** Whether a host is open, blocked or unknown. Ports are ignored, and a domain rule includes all subdomains. */
export const hostAccess = ({ policy, config }: HostRules, host: string): HostAccess => {
  if (!policy.loaded()) return 'unknown'
  if (config.limitedFederation) return policy.allows(bare(host)) ? 'open' : 'blocked'
  return policy.domainRule(bare(host))?.severity === 'suspend' ? 'blocked' : 'open'
}

/** The domain rule that applies to a host, with its restrictions, or null. */
export const hostRule = ({ policy }: HostRules, host: string): DomainRule | null => policy.domainRule(bare(host))

/** Throws `forbidden` for a blocked host, and `unavailable` (retry after 5 s) while the instance policy is not loaded. */
export const requireOpenHost = (rules: HostRules, host: string): void => {
  const access = hostAccess(rules, host)
  if (access === 'blocked')
    throw fail('forbidden', 'This server is not served here', { cause: { reason: 'blocked', host } })
  if (access === 'unknown') throw notReady()
}

export const notReady = () => fail('unavailable', 'Try again in a moment', { retryAfter: 5 })
