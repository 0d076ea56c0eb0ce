/**
 * Web intents: pages to which other sites link to follow, reply or share from this server. The pages show the URL or text to
 * open in an app. The pages send no requests to other servers, so that a link on a site cannot cause such requests.
 */
import { fail } from '@murmuration/contracts/kit'
import { addressGuard, guardUrl, type UrlPolicy } from '@murmuration/outbound'
import { normaliseDomain, parseHandle } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { Page, Pages } from '../core/page-request.js'

/** Maximum number of characters of a shared text that are shown. */
const MAX_TEXT = 5_000
/**
 * Maximum number of characters of a text that is passed in the URL of the form. It is low, because the URL may encode
 * each character as several.
 */
const MAX_SHARED = 500
const ADDRESSES: UrlPolicy = {
  allowed: addressGuard([]),
  allowHttp: true,
  ports: new Set([80, 443]),
  allowLocalNames: false,
}

interface Target {
  /** Text that the user can enter in the search field of an app: a URL or a handle. */
  readonly text: string
  /** URL of the page to open in an app; null if the text is a handle. */
  readonly link: string | null
}

type Site = Parameters<Page>[0]['ctx']['site']

const targetOf = (given: unknown, { localDomain, origin }: Site): Target | null => {
  if (typeof given !== 'string' || given.length > 2_048) return null
  const text = given.trim()
  // URLs on this server are exempt from the check for private addresses, because this server itself may have a private IP address.
  if (text.startsWith(`${origin}/`) && URL.canParse(text)) return { text, link: text }
  if (/^https?:\/\//i.test(text)) {
    try {
      const { href } = guardUrl(text, ADDRESSES)
      return { text: href, link: href }
    } catch {
      return null
    }
  }
  const handle = parseHandle(text.replace(/^acct:/i, ''))
  if (!handle) return null
  const domain = handle.domain ?? normaliseDomain(localDomain)
  return { text: `@${handle.username}@${domain}`, link: null }
}

const showCard = (request: Parameters<Page>[0], title: string, body: Html): void =>
  sendPage(request.ctx, request.res, { title, indexed: false, body: card(title, body) })

const interaction: Page = (request) => {
  const target = targetOf(request.req.query.uri, request.ctx.site)
  if (target === null) throw fail('invalid', 'This is not the address of a person or a post.')
  showCard(
    request,
    t('Open this in your app'),
    html`<p>${t('Search for this in your app, then follow or reply from there:')}</p>
<p><code class="big">${target.text}</code></p><p><a class="button" href="/home/search?q=${encodeURIComponent(target.text)}">${t('Open in this browser')}</a></p>${
      target.link === null
        ? ''
        : html`<p><a href="${target.link}" rel="nofollow noopener">${t('Open the original page')}</a></p>`
    }`,
  )
}

/** The text to share. Share buttons of other sites send a title and a URL beside the text, or instead of it. */
const sharedText = ({ title, text, url }: Readonly<Record<string, unknown>>): string =>
  [title, text, url].filter((part) => typeof part === 'string' && part.trim() !== '').join(' ')

const share: Page = (request) => {
  const text = sharedText(request.req.query)
  if (text === '') throw fail('invalid', 'There is nothing to share.')
  showCard(
    request,
    t('Share this from your app'),
    html`<p>${t('Copy this into a new post in your app:')}</p>
<p><textarea rows="8" readonly aria-label="${t('Text to share')}">${text.slice(0, MAX_TEXT)}</textarea></p><p><a class="button" href="/home/compose?text=${encodeURIComponent(text.slice(0, MAX_SHARED).toWellFormed())}">${t('Post in this browser')}</a></p>`,
  )
}

export const addShare = (pages: Pages): void => {
  pages.add('get', '/authorize_interaction', interaction)
  pages.add('get', '/share', share)
}
