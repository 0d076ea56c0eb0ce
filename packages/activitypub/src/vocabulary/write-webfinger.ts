/** Writes WebFinger documents (RFC 7033) and host-meta (RFC 6415). */

import { escapeHtml } from './read-text.js'

export type WebFingerSource = {
  username: string
  /** Domain in the handles of local accounts. */
  handleDomain: string
  /** Origin of the web pages, such as `https://social.example`. */
  webOrigin: string
  /** Actor id of the account. */
  uri: string
  /** Address of the HTML profile page of the account. */
  url: string
  /** `avatar` is null if there is none, or if anonymous clients must not see it. */
  avatar: { url: string; mediaType: string } | null
}

const selfLink = (uri: string) => ({ rel: 'self', type: 'application/activity+json', href: uri })

/** Writes the document of an account. Servers compare `subject` with the handle, and the `self` link with the actor id. */
export const writeWebFinger = (it: WebFingerSource) => ({
  subject: `acct:${it.username}@${it.handleDomain}`,
  aliases: [it.url, it.uri],
  links: [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: it.url },
    selfLink(it.uri),
    { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${it.webOrigin}/authorize_interaction?uri={uri}` },
    { rel: 'https://w3id.org/fep/3b86/Create', template: `${it.webOrigin}/share?text={content}` },
    { rel: 'https://w3id.org/fep/3b86/Object', template: `${it.webOrigin}/authorize_interaction?uri={object}` },
    ...(it.avatar ? [{ rel: 'http://webfinger.net/rel/avatar', type: it.avatar.mediaType, href: it.avatar.url }] : []),
  ],
})

/** Writes the document of the instance actor, whose user name is the domain. */
export const writeInstanceWebFinger = (it: { handleDomain: string; uri: string; url: string }) => ({
  subject: `acct:${it.handleDomain}@${it.handleDomain}`,
  aliases: [it.uri],
  links: [{ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: it.url }, selfLink(it.uri)],
})

const template = (webOrigin: string): string => `${webOrigin}/.well-known/webfinger?resource={uri}`

/** Writes host-meta with the WebFinger template, as XML. */
export const writeHostMeta = (webOrigin: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">\n  <Link rel="lrdd" template="${escapeHtml(template(webOrigin))}"/>\n</XRD>\n`

/** Writes host-meta with the WebFinger template, as JSON. */
export const writeHostMetaJson = (webOrigin: string) => ({ links: [{ rel: 'lrdd', template: template(webOrigin) }] })
