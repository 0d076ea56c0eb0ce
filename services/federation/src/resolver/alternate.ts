/** Finds the address of the ActivityPub document of an HTML page. */

import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { attributeOf, walkHtml } from '@murmuration/text'
import type { Read } from './document-fetcher.js'
import { isDocumentType } from './fetched-document.rules.js'

/** Maximum number of bytes of a page that are searched for the link, which is in the head. */
const HEAD_BYTES = 131_072

const absolute = (href: string | undefined, base: Uri): Uri | null =>
  href !== undefined && URL.canParse(href, base) ? readUri(new URL(href, base).href) : null

const TARGET = /<([^>]{1,2048})>/g
/** One parameter of a link: `name=value`, `name="value"`, `name*=value`, a name alone, or nothing. */
const PARAMETER = /\s*;\s*(?:([\w!#$&+.^`|~-]+\*?)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y

type Parameters = ReadonlyMap<string, string>

const isAlternate = (rel: string | undefined): boolean => (rel ?? '').toLowerCase().split(/\s+/).includes('alternate')

/** Links of a `Link` header (RFC 8288), each with its parameters by lower-case name. The first of equal names counts. */
const linksIn = (header: string): { target: string; parameters: Parameters }[] => {
  const links: { target: string; parameters: Parameters }[] = []
  for (let at = 0; ; ) {
    TARGET.lastIndex = at
    const [whole = '', target = ''] = TARGET.exec(header) ?? []
    if (whole === '') return links
    at = TARGET.lastIndex
    const parameters = new Map<string, string>()
    for (;;) {
      PARAMETER.lastIndex = at
      const found = PARAMETER.exec(header)
      if (found === null) break
      at = PARAMETER.lastIndex
      const [, name = '', quoted, bare = ''] = found
      const key = name.toLowerCase()
      if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare)
    }
    links.push({ target, parameters })
  }
}

/** Address of the first entry of a `Link` header with rel=alternate and a document type. */
const fromHeader = (header: string, base: Uri): Uri | null => {
  const found = linksIn(header.slice(0, 8_192)).find(
    ({ parameters }) => isAlternate(parameters.get('rel')) && isDocumentType(parameters.get('type') ?? ''),
  )
  return found === undefined ? null : absolute(found.target, base)
}

const fromPage = (html: string, base: Uri): Uri | null => {
  const found: Uri[] = []
  walkHtml(html, {
    open(name, attributes) {
      if (found.length > 0 || name !== 'link') return
      if (!isAlternate(attributeOf(attributes, 'rel')) || !isDocumentType(attributeOf(attributes, 'type') ?? '')) return
      const address = absolute(attributeOf(attributes, 'href'), base)
      if (address !== null) found.push(address)
    },
    close() {},
    text() {},
  })
  return found[0] ?? null
}

/** Address of the document of a page, from the `Link` header, else from the head of the page; null if there is none. */
export const alternateOf = (read: Read): Uri | null => {
  const header = fromHeader(read.link, read.final)
  if (header !== null || !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(read.contentType)) return header
  return fromPage(read.body.subarray(0, HEAD_BYTES).toString('utf8'), read.final)
}
