/** HTML document and security headers of every page. */
import type { ServerResponse } from 'node:http'
import type { Context } from '../../context.js'
import { guardHeaders } from '../../edge/response/headers.js'
import { STYLE_PATH } from './assets.js'
import { type Html, html } from './html.js'
import { languageNow, t } from './language.js'
import { signInPath } from './providers.js'

export interface PageContent {
  readonly title: string
  readonly body: Html
  readonly head?: Html
  readonly wide?: boolean
  /**
   * Layout of the page. `settings` has a navigation list. `staff` has it too, and is wide enough for tables. `embed`
   * has neither header nor footer, and other sites may show it in a frame.
   */
  readonly shape?: 'settings' | 'staff' | 'embed'
  /**
   * The signed-in user, if the page looked the user up. `csrfField` is the hidden CSRF field. If it is given, the page
   * has a sign-out button.
   */
  readonly viewer?: { readonly username: string; readonly csrfField?: Html }
  /** Paths of script files on this server that the page may run. The CSP blocks all other scripts. */
  readonly scripts?: readonly string[]
  readonly status?: number
  /**
   * True if a form of this page may lead to an app at any address. The page then has no CSP `form-action`: browsers also
   * check the redirects after a form, and the redirect URI of an app may redirect to another origin or scheme.
   */
  readonly leadsToApp?: boolean
  /** Value of the `Cache-Control` header of the page; `private, no-store` by default. */
  readonly cache?: string
  /** False if search engines must not index the page. */
  readonly indexed?: boolean
}

/** `Cache-Control` of pages that are the same for all visitors. */
export const SHARED = 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400'

type Frame = Pick<Context, 'site' | 'policy' | 'mediaOrigin' | 'config' | 'termsInForce'>

/** CSP sources of media: this server, and the origin of the blob store. */
const mediaHosts = ({ mediaOrigin }: Frame): string => (mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`)

const policyOf = (frame: Frame, { leadsToApp = false, scripts = [], shape }: PageContent): string => {
  const media = mediaHosts(frame)
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(scripts.length ? ["script-src 'self'", "connect-src 'self'"] : []),
    `img-src ${media}`,
    `media-src ${media}`,
    "manifest-src 'self'",
    ...(leadsToApp ? [] : ["form-action 'self'"]),
    `frame-ancestors ${shape === 'embed' ? '*' : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

const accountLinks = ({ viewer }: PageContent, { signIn, target }: SiteLinks): Html => {
  if (!viewer) return html`<a href="${signIn}">${t('Sign in')}</a>`
  const out = viewer.csrfField
    ? html`<form method="post" action="/auth/sign_out">${viewer.csrfField}<button class="plain" type="submit">${t('Sign out')}</button></form>`
    : ''
  return html`<a href="/home"${target}>${t('Home')}</a><a href="/settings"${target}>@${viewer.username}</a>${out}`
}

const shapeOf = ({ wide, shape }: PageContent): string => shape ?? (wide ? 'wide' : 'narrow')

interface SiteLinks {
  readonly site: string
  readonly signIn: string
  /** True if the footer links the terms of service. */
  readonly terms: boolean
  /** Attributes of links to pages other than those of the sign-in. */
  readonly target: Html | ''
}

/** Attributes of a link that opens in a new window. */
export const NEW_WINDOW = html` target="_blank" rel="noopener"`

/**
 * Matches the pages on the way from a web client to its consent page. A client that opened the consent page in a popup
 * polls `window.closed`. Any Cross-Origin-Opener-Policy other than `unsafe-none` would separate the popup from the
 * client, for which it would then look closed. For the same reason, their links to other pages open in a new window.
 */
const SIGN_IN_PAGES = /^\/(?:auth|oauth|settings\/second_factor)(?:[/?]|$)/i

/** Returns the body of a page between the header and the footer of the site. */
const framed = (page: PageContent, links: SiteLinks): Html => {
  const { site, terms, target } = links
  return html`<a class="skip" href="#content">${t('Skip to the content')}</a>
<header class="bar"><div><a class="brand" href="/"${target}><img src="/favicon.svg" alt="" width="28" height="28">${site}</a><nav aria-label="${t('Site')}"><a href="/about"${target}>${t('About')}</a>${accountLinks(page, links)}</nav></div></header>
<main id="content">
${page.body}
</main>
<footer class="site"><a href="/about"${target}>${t('About')}</a><a href="/privacy-policy"${target}>${t('Privacy policy')}</a>${terms && html`<a href="/terms-of-service"${target}>${t('Terms of service')}</a>`}<span>${t('Runs on Murmuration')}</span></footer>`
}

const document = (page: PageContent, given: SiteLinks): Html => html`<!doctype html>
<html lang="${languageNow()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#1f6f75">
<title>${page.title === given.site ? given.site : `${page.title} · ${given.site}`}</title>
${page.indexed === false ? html`<meta name="robots" content="noindex, noarchive">` : ''}
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="/favicon.ico" sizes="48x48">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/manifest">
${(page.scripts ?? []).map((address) => html`<script src="${address}" defer></script>`)}
${page.head}
</head>
<body class="${shapeOf(page)}">
${page.shape === 'embed' ? html`<main id="content">${page.body}</main>` : framed(page, given)}
</body>
</html>
`

/** Sends a page as the response. */
export const sendPage = (frame: Frame, res: ServerResponse, page: PageContent): void => {
  const isSignIn = SIGN_IN_PAGES.test(res.req.url ?? '/')
  const bytes = Buffer.from(
    document(page, {
      site: frame.policy.settings().site_title,
      signIn: signInPath(frame.config),
      terms: frame.termsInForce(),
      target: isSignIn && page.shape === undefined ? NEW_WINDOW : '',
    }).text,
  )
  const headers = [
    ...guardHeaders(frame.site.https),
    'Content-Security-Policy',
    policyOf(frame, page),
    ...(page.shape === 'embed' ? [] : ['X-Frame-Options', 'DENY']),
    'Cross-Origin-Opener-Policy',
    isSignIn ? 'unsafe-none' : 'same-origin',
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(bytes.length),
    'Cache-Control',
    page.cache ?? 'private, no-store',
  ]
  for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i] as string, headers[i + 1] as string)
  // Because of `Vary`, shared caches store one copy of the page for each language.
  if (page.cache) res.appendHeader('Vary', 'Accept-Language')
  res.statusCode = page.status ?? 200
  res.end(res.req.method === 'HEAD' ? undefined : bytes)
}

/** Body of a page with a single card. */
export const card = (heading: string, body: Html): Html => html`<div class="card"><h1>${heading}</h1>${body}</div>`
