/** Parses WebFinger documents (RFC 7033), and the template of WebFinger in host-meta (RFC 6415). */

import { isJsonObject, listOf, prop } from './json.js'
import { readHandle } from './read-actor.js'
import { readUri, type Uri } from './uri.js'

export type IncomingWebFinger = {
  readonly subject: { readonly username: string; readonly domain: string }
  /** Actor ids in the `self` links, in order. Servers with groups may return two. */
  readonly actors: readonly Uri[]
}

const documentType =
  /^application\/(?:activity\+json|ld\+json\s*;\s*profile\s*=\s*(?:"https:\/\/www\.w3\.org\/ns\/activitystreams"|https:\/\/www\.w3\.org\/ns\/activitystreams))\s*(?:;|$)/i

const isDocument = (type: unknown): boolean => typeof type === 'string' && documentType.test(type)

/** Parses a WebFinger document; null without a valid subject or a link to an actor. */
export const readWebFinger = (value: unknown): IncomingWebFinger | null => {
  if (!isJsonObject(value)) return null
  const subject = readHandle(prop(value, 'subject'))
  const actors = listOf(prop(value, 'links'), 100)
    .filter((it) => isJsonObject(it) && prop(it, 'rel') === 'self' && isDocument(prop(it, 'type')))
    .map((it) => (isJsonObject(it) ? readUri(prop(it, 'href')) : null))
    .filter((it) => it !== null)
  return subject === null || actors.length === 0 ? null : { subject, actors: actors.slice(0, 5) }
}

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"<]{1,2048})"|'([^'<]{1,2048})')`).exec(tag)
  return found?.[1] ?? found?.[2] ?? null
}

/**
 * Address of the WebFinger query for `resource`, from the first `lrdd` template of a host-meta document (XML); null without one.
 *
 * No XML parser is used, so that entities and external parts have no effect.
 */
export const webFingerFromHostMeta = (xml: string, resource: string): Uri | null => {
  const tags = xml.slice(0, 65_536).match(/<(?:\w+:)?Link\s[^<>]{1,4096}>/g) ?? []
  const template = tags
    .filter((tag) => attribute(tag, 'rel') === 'lrdd')
    .map((tag) => attribute(tag, 'template')?.replaceAll('&amp;', '&'))
    .find((it) => it?.includes('{uri}'))
  return readUri(template?.replace('{uri}', encodeURIComponent(resource)))
}
