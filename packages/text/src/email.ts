/** E-mail addresses: one form to store, compare and count. */
import { domainToASCII } from 'node:url'
import { FOREIGN } from './domain.js'

export const MAX_EMAIL = 320

/**
 * Returns an e-mail address with its domain in ASCII (IDNA). The ASCII form of an address is stored, compared, counted
 * and used for sending. The rest of the text stays unchanged, even if it is no e-mail address.
 *
 * @example asciiEmail('ada@münchen.example') // 'ada@xn--mnchen-3ya.example'
 */
export const asciiEmail = (given: string): string => {
  const email = given.trim()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (at < 0 || email.length > MAX_EMAIL || !/[^\x00-\x7f]/.test(domain) || FOREIGN.test(domain)) return email
  const ascii = domainToASCII(domain)
  return ascii === '' ? email : `${email.slice(0, at)}@${ascii}`
}
