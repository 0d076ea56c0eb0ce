/** Addresses of files of other servers in one spelling. */

const LONGEST = 2_048

/** The address in its one spelling, or null when it is none that a client may be sent to (A154) or one of our own (A134). */
export const remoteAddress = (text: string, ownDomains: readonly string[]): string | null => {
  if (text.length > LONGEST || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  const host = url.hostname.replace(/\.$/, '')
  if (ownDomains.some((own) => own.toLowerCase() === url.host || own.toLowerCase().replace(/:\d+$/, '') === host))
    return null
  return url.href.length > LONGEST ? null : url.href
}
