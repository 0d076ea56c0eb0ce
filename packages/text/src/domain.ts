/** Domain names: one form to compare and store, and one form to show. */
import { domainToASCII, domainToUnicode } from 'node:url'

const MAX_DOMAIN = 253
const MAX_LABEL = 63
const PLAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const NUMERIC_END = /(^|\.)(0x[0-9a-f]*|[0-9]+)$/
/** Characters that no domain contains. A URL parser would cut them off, decode them or treat them as syntax. */
export const FOREIGN = /[\s/?#@%\\[\]<>^|:]/

/**
 * The normal form of a domain: ASCII (IDNA), lower case, without port and trailing dot; null if invalid. IPv4 addresses
 * in any notation become dotted decimal. IPv6 addresses are refused.
 *
 * @example normaliseDomain('MÜNCHEN.example.:443') // 'xn--mnchen-3ya.example'
 */
export function normaliseDomain(domain: string): string | null {
  if (domain.length > 4 * MAX_DOMAIN) return null
  const bare = domain
    .trim()
    .replace(/:\d{1,5}$/, '')
    .toLowerCase()
  if (FOREIGN.test(bare)) return null
  const ascii = (needsIdna(bare) ? domainToASCII(bare) : bare).replace(/\.$/, '')
  return isHostName(ascii) ? ascii : null
}

const needsIdna = (name: string): boolean => !PLAIN.test(name) || name.includes('xn--') || NUMERIC_END.test(name)

function isHostName(name: string): boolean {
  if (name.length > MAX_DOMAIN || !PLAIN.test(name)) return false
  // Subdomains may contain an underscore, top-level domains never do.
  if (name.lastIndexOf('_') > name.lastIndexOf('.')) return false
  return name.split('.').every((label) => label.length <= MAX_LABEL && !label.startsWith('-') && !label.endsWith('-'))
}

// Scripts that are written together (UTS 39, "highly restrictive"), each with Latin.
const TOGETHER = [
  /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{M}\p{Nd}ー・_-]*$/u,
  /^[\p{sc=Latin}\p{sc=Han}\p{sc=Hangul}\p{M}\p{Nd}_-]*$/u,
  /^[\p{sc=Latin}\p{sc=Han}\p{sc=Bopomofo}\p{M}\p{Nd}_-]*$/u,
]

const SINGLE = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Georgian',
  'Armenian',
  'Ethiopic',
  'Khmer',
  'Mongolian',
  'Oriya',
].map((script) => new RegExp(`^[\\p{sc=${script}}\\p{M}\\p{Nd}_\\-\\u200c\\u200d]*$`, 'u'))

/**
 * A domain for display: Unicode, but ASCII if a label mixes scripts, so that look-alikes are visible.
 *
 * @example displayDomain('xn--mnchen-3ya.example') // 'münchen.example'
 */
export function displayDomain(domain: string): string {
  const ascii = normaliseDomain(domain)
  if (ascii === null || !ascii.includes('xn--')) return ascii ?? ''
  const shown = domainToUnicode(ascii)
  return shown !== '' && shown.split('.').every(isOneScript) ? shown : ascii
}

const isOneScript = (label: string): boolean => [...TOGETHER, ...SINGLE].some((pattern) => pattern.test(label))
