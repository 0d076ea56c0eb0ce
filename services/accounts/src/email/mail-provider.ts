/**
 * Decides which e-mail providers are accepted: by configuration, by e-mail domain blocks of staff, and by whether the
 * domain accepts mail.
 */
import type { AccessRules } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { type Problem, problem } from '../core/problem.rules.js'
import type { MailHosts } from './mail-host.client.js'

/** Result of the check of an e-mail provider. `doubts`: staff must approve users with this provider. */
export interface ProviderCheck {
  readonly problems: readonly Problem[]
  readonly doubts: boolean
  /** Domains of the e-mail domain blocks that apply to this provider. */
  readonly blocks?: readonly string[]
}
export interface MailProviders {
  check(domain: string): Promise<ProviderCheck>
}

/** Parses domains separated by `|`, commas or spaces. Returns the domains in ASCII, like the domains of addresses. */
export const domainsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[|,\s]+/)
    .filter(Boolean)
    .map((one) => normaliseDomain(one) ?? one)

const isBelow = (domain: string, list: readonly string[]): boolean =>
  list.some((one) => domain === one || domain.endsWith(`.${one}`))

const fine = { problems: [], doubts: false }
const refused = { problems: [problem('email', 'ERR_BLOCKED', 'uses a disallowed e-mail provider')], doubts: false }
const unreachable = { problems: [problem('email', 'ERR_UNREACHABLE', 'does not seem to exist')], doubts: false }

export const createMailProviders = (options: {
  /** Domains of the only e-mail providers whose addresses are accepted. An empty list accepts all providers. */
  allowed: readonly string[]
  denied: readonly string[]
  access: () => Pick<AccessRules, 'emailDomain' | 'emailDomainBlock'>
  /** Looks up mail hosts in DNS; null if they are not looked up. */
  hosts: MailHosts | null
}): MailProviders => ({
  async check(given) {
    const { allowed, denied, access } = options
    const domain = given.toLowerCase()
    const own = access().emailDomain(domain)
    const blocksOf = (names: readonly string[]) => ({
      blocks: [...new Set(names.flatMap((name) => access().emailDomainBlock(name) ?? []))],
    })
    if ((allowed.length && !isBelow(domain, allowed)) || isBelow(domain, denied) || own === 'refused')
      return { ...refused, ...blocksOf([domain]) }
    // If DNS does not respond, the address is accepted, because the confirmation e-mail shows whether the address works.
    const hosts = (await options.hosts?.of(domain)) ?? null
    if (hosts === null) return own === 'approval' ? { ...fine, doubts: true, ...blocksOf([domain]) } : fine
    if (hosts.length === 0) return unreachable
    const checks = hosts.map((host) => access().emailDomain(host))
    const blocks = blocksOf([domain, ...hosts])
    if (checks.includes('refused') || hosts.some((host) => isBelow(host, denied))) return { ...refused, ...blocks }
    const doubts = own === 'approval' || checks.includes('approval')
    return doubts ? { ...fine, doubts, ...blocks } : fine
  },
})
