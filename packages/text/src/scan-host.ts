/** Reads a host name in plain text, for links and handles. */
import { codePointAt, isWord, unitsOf } from './character.js'
import { normaliseDomain } from './domain.js'

// Maximum number of characters to read. The Unicode form of a domain is never longer than its ASCII form.
const MAX_READ = 254

/**
 * A host in a text. `end`: offset after it; `read`: offset up to which the text was read; `domain`: ASCII form, or null
 * if invalid.
 */
export type Host = { end: number; read: number; domain: string | null }

/**
 * Reads word characters of any script, joined by single dots and hyphens. A last label that starts in ASCII ends at the
 * first character of another script. Because top-level domains do not mix scripts, such characters belong to the text
 * after the host, as in languages without spaces.
 */
export function readHost(text: string, from: number): Host {
  const read = readCharacters(text, from)
  let end = read
  while (end > from && isJoiner(text.charCodeAt(end - 1))) end--
  const host = unmixed(text.slice(from, end))
  return { end: from + host.length, read, domain: host === '' ? null : normaliseDomain(host) }
}

/** Cuts off characters of another script that directly follow an ASCII top-level domain. */
function unmixed(host: string): string {
  const label = host.lastIndexOf('.') + 1
  const ascii = /^[a-z0-9-]+(?=[^\x00-\u024f\u1e00-\u1eff])/i.exec(host.slice(label))
  return ascii ? host.slice(0, label + ascii[0].length) : host
}

/** Returns the offset after the last character that can belong to a host name. An empty label (`..`) ends the scan. */
function readCharacters(text: string, from: number): number {
  let at = from
  while (at < text.length && at - from < MAX_READ) {
    const codePoint = codePointAt(text, at)
    if (isJoiner(codePoint) ? at === from || isEmptyLabel(text, at) : !isWord(codePoint)) break
    at += unitsOf(codePoint)
  }
  return at
}

const DOT = 0x2e

const isJoiner = (code: number): boolean => code === DOT || code === 0x2d

const isEmptyLabel = (text: string, at: number): boolean =>
  text.charCodeAt(at) === DOT && text.charCodeAt(at - 1) === DOT
