/**
 * Rules of domain blocks: which domains a block covers, which block is stricter, and how the public list shows a
 * domain.
 */
import { createHash } from 'node:crypto'
import { errorText, fieldText, invalidField } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'

export type Severity = 'noop' | 'silence' | 'suspend'
const SEVERITIES: readonly string[] = ['noop', 'silence', 'suspend']
const MAX_COMMENT = 2_000

export interface DomainBlock {
  domain: string
  severity: Severity
  reject_media: boolean
  reject_reports: boolean
  created_at: Date
}

/** Stamp of accounts that a block changed, so that removing the block undoes only its changes: the creation time of the block. */
export const blockStamp = (block: Pick<DomainBlock, 'created_at'>): string => block.created_at.toISOString()

/**
 * Normalised domain as entered by staff. Throws 422 for own domains, which cannot be blocked or allowed; `own` contains them in
 * normalised form.
 */
export const otherDomain = (given: string | null | undefined, own: ReadonlySet<string>): string => {
  if (!given?.trim()) throw invalidField("Domain can't be blank")
  const domain = normaliseDomain(given)
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  if (own.has(domain)) throw invalidField('Domain is that of this server')
  return domain
}

export const severityOf = (given: string): Severity => {
  if (!SEVERITIES.includes(given)) throw invalidField('Severity is not included in the list')
  return given as Severity
}

/** A comment on a domain block in its stored form: null if it is empty. */
export const commentOf = (name: string, given: string | null): string | null => {
  if (given !== null && [...given].length > MAX_COMMENT)
    throw invalidField(
      errorText('{field} is too long (maximum is {most} characters)', { field: fieldText(name), most: MAX_COMMENT }),
    )
  return given === '' ? null : given
}

/** The domain and its parents: `a.b.c` → `a.b.c`, `b.c`, `c`. A rule for any of these domains applies to the domain. */
export const withParents = (domain: string): string[] => {
  const labels = domain.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

type Measures = Pick<DomainBlock, 'severity' | 'reject_media' | 'reject_reports'>

/**
 * Whether a subdomain may have its own block: the block must not be weaker than the block of the parent domain.
 * `suspend` is never weaker, and `silence` is stronger than `noop`. At equal severity, `reject_media` and
 * `reject_reports` must not be missing.
 */
export const notWeaker = (one: Measures, other: Measures): boolean => {
  if (one.severity === 'suspend') return true
  if (one.severity !== other.severity) return SEVERITIES.indexOf(one.severity) > SEVERITIES.indexOf(other.severity)
  return (one.reject_media || !other.reject_media) && (one.reject_reports || !other.reject_reports)
}

/**
 * The block that prevents a new block: a block of the same domain, or a stricter block of the nearest parent domain
 * with a block. Null if there is none.
 */
export const conflictOf = <B extends Measures & { domain: string }>(
  fresh: Measures & { domain: string },
  nearest: B | null,
): B | null => (nearest && (nearest.domain === fresh.domain || !notWeaker(fresh, nearest)) ? nearest : null)

export const digestOf = (domain: string): string => createHash('sha256').update(domain).digest('hex')

/** The domain with its middle hidden; dots stay, so that its shape can be recognised. */
export const obfuscated = (domain: string): string => {
  const shown = Math.floor(domain.length / 4)
  return [...domain].map((char, i) => (char !== '.' && i > shown && i < domain.length - shown ? '*' : char)).join('')
}
