/** Access rules of staff: blocked IP addresses, e-mail domains, e-mail addresses and usernames. */

import { createHash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { AccessChunk } from '@murmuration/contracts/admin'
import { asciiEmail } from '@murmuration/text/email'
import { readTime } from '@murmuration/text/read-time'

export type IpSeverity = AccessChunk['ips'][number]['severity']
/** Result of a rule: refused, or approval required; null without a rule. */
export type AccessDecision = 'refused' | 'approval' | null

export interface AccessRules {
  /** Strictest rule for an IP address at `now` (milliseconds since 1970); null if no rule matches. */
  ip(address: string | null, now: number): IpSeverity | null
  /** Decision for the domain of an e-mail address, or for the host name of its mail server. Rules include subdomains. */
  emailDomain(domain: string): AccessDecision
  /** Domain of the rule that `emailDomain` applies; null if no rule matches. */
  emailDomainBlock(domain: string): string | null
  /** True when an address with the same canonical form as this address is blocked. */
  emailAddress(email: string): boolean
  username(name: string): AccessDecision
}

/**
 * SHA-256, in hexadecimal, of the canonical form of an e-mail address: lower case, the domain in ASCII, without dots in the local
 * part and without `+` and what follows it.
 * @example canonicalEmailHash('A.Lice+x@Mail.example') === canonicalEmailHash('alice@mail.example')
 */
export const canonicalEmailHash = (email: string): string => {
  const [local = '', domain = ''] = asciiEmail(email).toLowerCase().split('@')
  const canonical = `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain}`
  return createHash('sha256').update(canonical).digest('hex')
}

const STRICTNESS: readonly IpSeverity[] = ['sign_up_requires_approval', 'sign_up_block', 'no_access']

/** Adds a CIDR range to the list. Returns false if the text is no CIDR range. */
const addRange = (list: BlockList, cidr: string): boolean => {
  const [address = '', bits] = cidr.split('/')
  const version = isIP(address)
  const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits)
  if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (version === 6 ? 128 : 32)) return false
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4')
  return true
}

/** The domain itself and all of its parent domains: `a.b.c`, `b.c`, `c`. */
const suffixes = (domain: string): string[] => {
  const labels = domain.toLowerCase().split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

const decisionOf = (rule: { allow_with_approval: boolean } | undefined): AccessDecision =>
  rule === undefined ? null : rule.allow_with_approval ? 'approval' : 'refused'

/** Access rules from the chunks of the instance policy. Invalid CIDR ranges are ignored. */
export const accessRulesOf = (chunks: readonly AccessChunk[]): AccessRules => {
  // Rules with the same severity and expiry share a list, because the lists are searched for every request.
  const groups = new Map<string, { severity: IpSeverity; until: number; list: BlockList }>()
  for (const rule of chunks.flatMap((chunk) => chunk.ips)) {
    const until = rule.expires_at ? readTime(rule.expires_at) : Number.POSITIVE_INFINITY
    const key = `${rule.severity} ${until}`
    const group = groups.get(key) ?? { severity: rule.severity, until, list: new BlockList() }
    if (addRange(group.list, rule.ip)) groups.set(key, group)
  }
  const ips = [...groups.values()]
  const domains = new Map(
    chunks.flatMap((chunk) => chunk.email_domains.map((rule) => [rule.domain.toLowerCase(), rule])),
  )
  const blockOf = (domain: string) =>
    suffixes(domain)
      .map((one) => domains.get(one))
      .find((rule) => rule !== undefined)
  const emails = new Set(chunks.flatMap((chunk) => chunk.canonical_emails))
  const names = chunks
    .flatMap((chunk) => chunk.usernames)
    .map((rule) => ({ ...rule, username: rule.username.toLowerCase() }))
  return {
    ip(address, now) {
      if (ips.length === 0) return null
      const version = isIP(address ?? '')
      if (address === null || version === 0) return null
      const hits = ips.filter((rule) => rule.until > now && rule.list.check(address, version === 6 ? 'ipv6' : 'ipv4'))
      return STRICTNESS.findLast((severity) => hits.some((rule) => rule.severity === severity)) ?? null
    },
    emailDomain: (domain) => decisionOf(blockOf(domain)),
    emailDomainBlock: (domain) => blockOf(domain)?.domain ?? null,
    emailAddress: (email) => emails.has(canonicalEmailHash(email)),
    username(name) {
      const wanted = name.toLowerCase()
      const hits = names.filter((rule) => (rule.exact ? rule.username === wanted : wanted.includes(rule.username)))
      return decisionOf(hits.find((rule) => !rule.allow_with_approval) ?? hits[0])
    },
  }
}
