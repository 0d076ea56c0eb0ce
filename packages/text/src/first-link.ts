/** Finds the link of a status that gets a preview card: the first link that is not a mention, hashtag or quote. */
import { attributeOf } from './html-attribute.js'
import { walkHtml } from './html-walk.js'
import { webUrl } from './link.js'

/** Maximum length of a link in UTF-16 units. A longer link is skipped. */
const MAX_URL = 2_692

const wordsOf = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/\s+/)

/** The address if it is valid, else in the form of the URL standard, which encodes white space; null if it is no web address. */
const linked = (href: string | undefined): string | null => {
  const url = URL.parse(href ?? '')
  if (url === null || url.username !== '' || url.password !== '') return null
  return webUrl(href) ?? webUrl(url.href)
}

const isQuoteLine = (name: string, classes: readonly string[]): boolean =>
  (name === 'p' || name === 'span') && classes.includes('quote-inline')

/**
 * The address of the link for the preview card, as written in the HTML of a status, with white space encoded; null if
 * there is none.
 *
 * @param isOurs returns whether an address is of this server; such links are skipped
 */
export function firstLink(html: string, isOurs: (url: URL) => boolean): string | null {
  let found: string | null = null
  /**
   * Element that contains the link of the quoted status, with the number of open elements of its name. Null outside of
   * such an element.
   */
  let line: { name: string; depth: number } | null = null
  walkHtml(html, {
    open(name, attributes) {
      if (found !== null) return
      const classes = wordsOf(attributeOf(attributes, 'class'))
      if (name === 'p') line = null
      if (line?.name === name) line.depth++
      else if (line === null && isQuoteLine(name, classes)) line = { name, depth: 1 }
      if (name !== 'a' || line !== null) return
      if (classes.includes('mention') || classes.includes('u-url') || classes.includes('hashtag')) return
      if (wordsOf(attributeOf(attributes, 'rel')).includes('tag')) return
      const url = linked(attributeOf(attributes, 'href'))
      if (url !== null && url.length <= MAX_URL && !isOurs(new URL(url))) found = url
    },
    close(name) {
      if (name === 'p') line = null
      else if (line?.name === name && --line.depth === 0) line = null
    },
    text: () => {},
  })
  return found
}
