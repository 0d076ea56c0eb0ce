/** Decides which profile fields can be verified by a link back, and keeps existing verifications. */
import { attributeOf, walkHtml } from '@murmuration/text'

export interface Provable {
  value: string
  verified_at: string | null
}

/** Maximum number of links in profile fields that are checked for one profile. */
const MAX_LINKS = 8
const MAX_CHARACTERS = 2_048

/** Whether an address is https, without credentials, and with its host in normalised form. */
const isProvable = (address: string): boolean => {
  const host = /^https:\/\/([^/?#\s]+)[^\s]*$/.exec(address)?.[1]
  return (
    host !== undefined && address.length <= MAX_CHARACTERS && URL.canParse(address) && new URL(address).host === host
  )
}

/** Returns the address of a link, if the HTML consists of only this link and the link text is its address; else null. */
export const soleLink = (html: string): string | null => {
  let href: string | undefined
  let text = ''
  let links = 0
  let inside = false
  let outside = false
  walkHtml(html, {
    open(name, attributes) {
      if (name === 'a') {
        links++
        inside = true
        href ??= attributeOf(attributes, 'href')
      } else if (!inside) outside = true
    },
    close(name) {
      if (name === 'a') inside = false
    },
    text(piece) {
      if (inside) text += piece
      else outside = true
    },
  })
  return links === 1 && !outside && href !== undefined && href === text ? href : null
}

/** The address that a profile field can verify, else null. Local fields contain text, remote ones HTML. */
export const provableLink = (value: string, local: boolean): string | null => {
  const address = local ? value : soleLink(value)
  return address !== null && isProvable(address) ? address : null
}

/** Addresses of profile fields that are not verified yet, without duplicates, at most `MAX_LINKS`. */
export const linksToProve = (fields: readonly Provable[], local: boolean): string[] => {
  const links = fields
    .filter((field) => field.verified_at === null)
    .map((field) => provableLink(field.value, local))
    .filter((link) => link !== null)
  return [...new Set(links)].slice(0, MAX_LINKS)
}

/** Copies the verification of profile fields to the new fields whose value is unchanged. */
export const keepProofs = <F extends { value: string }>(
  fields: readonly F[],
  before: readonly Provable[],
): (F & { verified_at: string | null })[] => {
  const known = new Map(before.map((field) => [field.value, field.verified_at]))
  return fields.map((field) => ({ ...field, verified_at: known.get(field.value) ?? null }))
}
