/** Finds the ActivityPub document of an HTML page. */

import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { attributeOf, walkHtml } from '@murmuration/text'
import { isDocumentType } from './fetched-document.rules.js'
import type { Read } from './reader.js'

/** Pages name it in their head. Later parts are ignored. */
const HEAD_BYTES = 131_072

const absolute = (href: string | undefined, base: Uri): Uri | null =>
  href !== undefined && URL.canParse(href, base) ? readUri(new URL(href, base).href) : null

/** The first `Link` header entry with rel=alternate and a document type (RFC 8288). */
const fromHeader = (link: string, base: Uri): Uri | null => {
  for (const [, target = '', parameters = ''] of link
    .slice(0, 8_192)
    .matchAll(/<([^>]{1,2048})>((?:\s*;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g)) {
    const value = (name: string) => new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;,"]+))`, 'i').exec(parameters)
    const [rel, type] = ['rel', 'type'].map((name) => value(name)?.[1] ?? value(name)?.[2] ?? '')
    if (rel?.split(/\s+/).includes('alternate') && isDocumentType(type ?? '')) return absolute(target, base)
  }
  return null
}

const fromPage = (html: string, base: Uri): Uri | null => {
  const found: Uri[] = []
  walkHtml(html, {
    open(name, attributes) {
      if (found.length > 0 || name !== 'link') return
      const isAlternate = (attributeOf(attributes, 'rel') ?? '').split(/\s+/).includes('alternate')
      if (!isAlternate || !isDocumentType(attributeOf(attributes, 'type') ?? '')) return
      const address = absolute(attributeOf(attributes, 'href'), base)
      if (address !== null) found.push(address)
    },
    close() {},
    text() {},
  })
  return found[0] ?? null
}

/** The address of the document behind a page, from its header or its head; null when it names none. */
export const alternateOf = (read: Read): Uri | null => {
  const header = fromHeader(read.link, read.final)
  if (header !== null || !/^text\/html\b/i.test(read.contentType)) return header
  return fromPage(read.body.subarray(0, HEAD_BYTES).toString('utf8'), read.final)
}
