/** Normal form of addresses of files on other servers. */

const MAX_CHARACTERS = 2_048

/**
 * The address of a remote file in normal form; null if clients must not be sent to the address (A154), or if it is on
 * this server (A134).
 */
export const remoteAddress = (text: string, ownDomains: readonly string[]): string | null => {
  if (text.length > MAX_CHARACTERS || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  const host = url.hostname.replace(/\.$/, '')
  if (ownDomains.some((own) => own.toLowerCase() === url.host || own.toLowerCase().replace(/:\d+$/, '') === host))
    return null
  return url.href.length > MAX_CHARACTERS ? null : url.href
}
