/** Finds the links with rel="me" of a page, without building a document tree. */
import { attributeOf, walkHtml } from '@murmuration/text'

/** Maximum number of characters of a page that are read. */
const MAX_CHARACTERS = 1_048_576
const MAX_LINKS = 200

/** Addresses of `a` and `link` elements whose rel includes `me`, in document order. */
export const meLinks = (html: string): string[] => {
  const found: string[] = []
  walkHtml(
    html,
    {
      open(name, attributes) {
        if ((name !== 'a' && name !== 'link') || found.length >= MAX_LINKS) return
        const rel = (attributeOf(attributes, 'rel') ?? '').toLowerCase().split(/\s+/)
        if (rel.includes('me')) found.push((attributeOf(attributes, 'href') ?? '').trim())
      },
      close() {},
      text() {},
    },
    MAX_CHARACTERS,
  )
  return found
}

/** True if one of these links is the address of the profile. Letter case is ignored. */
export const namesProfile = (links: readonly string[], profile: string): boolean =>
  links.some((link) => link.toLowerCase() === profile.toLowerCase())
