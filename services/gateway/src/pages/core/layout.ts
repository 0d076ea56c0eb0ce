/** The frame of every page: one style sheet, scripts only where a page names them, strict security headers. */
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
   * `settings` has a list of pages beside it; `staff` too, and is wide enough for tables. `embed` has no frame of ours and may
   * stand in frames of others.
   */
  readonly shape?: 'settings' | 'staff' | 'embed'
  /** The signed-in user, if the page knows it. With `proof`, the hidden field of our forms, the page has a sign-out button. */
  readonly viewer?: { readonly username: string; readonly proof?: Html }
  /** Addresses of our own script files; nothing else ever runs. */
  readonly scripts?: readonly string[]
  readonly status?: number
  /** Origins or schemes besides our own to which a form of this page may lead. */
  readonly formTargets?: readonly string[]
  /** `Cache-Control` header; `private, no-store` by default. */
  readonly cache?: string
  /** False for pages that search engines should pass by. */
  readonly indexed?: boolean
}

/** For pages that are the same for everybody. */
export const SHARED = 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400'

type Frame = Pick<Context, 'site' | 'policy' | 'mediaOrigin' | 'config'>

/** Pictures come from us, and from where the blob store publishes them. */
const mediaHosts = ({ mediaOrigin }: Frame): string => (mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`)

const policyOf = (frame: Frame, { formTargets = [], scripts = [], shape }: PageContent): string => {
  const media = mediaHosts(frame)
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(scripts.length ? ["script-src 'self'", "connect-src 'self'"] : []),
    `img-src ${media}`,
    `media-src ${media}`,
    "manifest-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    `frame-ancestors ${shape === 'embed' ? '*' : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

const accountLinks = ({ viewer }: PageContent, signIn: string): Html => {
  if (!viewer) return html`<a href="${signIn}">${t('Sign in')}</a>`
  const out = viewer.proof
    ? html`<form method="post" action="/auth/sign_out">${viewer.proof}<button class="plain" type="submit">${t('Sign out')}</button></form>`
    : ''
  return html`<a href="/home">${t('Home')}</a><a href="/settings">@${viewer.username}</a>${out}`
}

const shapeOf = ({ wide, shape }: PageContent): string => shape ?? (wide ? 'wide' : 'narrow')

interface Given {
  readonly site: string
  readonly signIn: string
}

/**
 * Pages on the way from a web client to its consent page. A client that opened them in a popup polls `window.closed` of
 * that popup. Any policy but `unsafe-none` ends the relation to the opener, and the popup then looks closed.
 */
const SIGN_IN_PAGES = /^\/(?:auth|oauth|settings\/second_factor)(?:[/?]|$)/i

const openerPolicy = (address: string): string => (SIGN_IN_PAGES.test(address) ? 'unsafe-none' : 'same-origin')

/** The body with what stands around it on pages of our own. */
const framed = (
  page: PageContent,
  { site, signIn }: Given,
): Html => html`<a class="skip" href="#content">${t('Skip to the content')}</a>
<header class="bar"><div><a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28">${site}</a><nav aria-label="${t('Site')}"><a href="/about">${t('About')}</a>${accountLinks(page, signIn)}</nav></div></header>
<main id="content">
${page.body}
</main>
<footer class="site"><a href="/about">${t('About')}</a><a href="/privacy-policy">${t('Privacy policy')}</a><span>${t('Runs on Murmuration')}</span></footer>`

const document = (page: PageContent, given: Given): Html => html`<!doctype html>
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

/** Writes a whole page. */
export const sendPage = (frame: Frame, res: ServerResponse, page: PageContent): void => {
  const bytes = Buffer.from(
    document(page, { site: frame.policy.settings().site_title, signIn: signInPath(frame.config) }).text,
  )
  const headers = [
    ...guardHeaders(frame.site.https),
    'Content-Security-Policy',
    policyOf(frame, page),
    ...(page.shape === 'embed' ? [] : ['X-Frame-Options', 'DENY']),
    'Cross-Origin-Opener-Policy',
    openerPolicy(res.req.url ?? '/'),
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(bytes.length),
    'Cache-Control',
    page.cache ?? 'private, no-store',
  ]
  for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i] as string, headers[i + 1] as string)
  // Shared caches keep one copy for each language.
  if (page.cache) res.appendHeader('Vary', 'Accept-Language')
  res.statusCode = page.status ?? 200
  res.end(res.req.method === 'HEAD' ? undefined : bytes)
}

/** A page with one card and nothing else. */
export const card = (heading: string, body: Html): Html => html`<div class="card"><h1>${heading}</h1>${body}</div>`
