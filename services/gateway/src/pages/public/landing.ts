/** Landing page: description of the server, sign-up and sign-in links, and the latest local posts. */
import type { SessionUser } from '@murmuration/contracts/accounts'
import { publicTimeline } from '@murmuration/contracts/statuses'
import { registrationsMode } from '@murmuration/kernel'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import type { Page, PageRequest, Pages } from '../core/page-request.js'
import { openGraph } from '../core/parts/open-graph.js'
import { statusArticle } from '../core/parts/status.js'
import { signInPath } from '../core/providers.js'
import { orNull, publicOnly } from '../core/public-data.js'
import type { Sessions } from '../core/session.js'

const SIZE = 10

/** The latest public local posts; empty if anonymous visitors may not see the local timeline, or before it is known. */
const latest = async ({ ctx }: PageRequest) => {
  const { membersOnly, limitedFederation } = ctx.config
  if (membersOnly || limitedFederation || !ctx.policy.loaded()) return []
  if (ctx.policy.settings().local_live_feed_access !== 'public') return []
  return publicOnly((await orNull(ctx.call(publicTimeline, { local: true, limit: SIZE }))) ?? [])
}

const invitation = ({ ctx }: PageRequest): string =>
  ({
    open: t('Anyone can create an account on this server.'),
    approved: t('You can request an account on this server. Moderators review every request.'),
    none: ctx.policy.settings().closed_registrations_message || t('Registrations are closed.'),
  })[registrationsMode(ctx.config, ctx.policy.settings())]

const welcome = (request: PageRequest, user: SessionUser | null): Html => {
  const { site_title: title, site_short_description: description } = request.ctx.policy.settings()
  const accountLinks = user
    ? html`<p>${t('You are signed in as {username}.', { username: html`<strong>@${user.username}</strong>` })}</p><p class="row"><a class="button" href="/home">${t('Home')}</a><a class="button quiet" href="/settings">${t('Settings')}</a></p>`
    : html`<p class="row"><a class="button" href="${signInPath(request.ctx.config)}">${t('Sign in')}</a>${registrationsMode(request.ctx.config, request.ctx.policy.settings()) === 'none' ? '' : html`<a class="button quiet" href="/auth/sign_up">${t('Sign up')}</a>`}<a class="button quiet" href="/about">${t('About this server')}</a></p><p class="muted small">${invitation(request)}</p>`
  return html`<section class="card hero"><img src="/headers/original/missing.png" alt="" width="1500" height="500">
<div><h1>${title}</h1><p>${description || t('A social network server at {domain}.', { domain: request.ctx.site.localDomain })}</p>${accountLinks}</div></section>`
}

const landing =
  (sessions: Sessions): Page =>
  async (request) => {
    const { ctx, req, res } = request
    const own = sessions.tokenOf(req) !== null
    const [statuses, user] = await Promise.all([latest(request), own ? sessions.user(req) : null])
    const { site_title: title, site_short_description: description } = ctx.policy.settings()
    const { localDomain, origin } = ctx.site
    res.setHeader('Vary', 'Cookie')
    sendPage(ctx, res, {
      title,
      wide: true,
      ...(own ? {} : { cache: SHARED }),
      head: openGraph({
        type: 'website',
        title,
        description: description || t('A social network server at {domain}.', { domain: localDomain }),
        url: `${origin}/`,
        site: title,
        image: `${origin}/icon-512.png`,
      }),
      body: html`${welcome(request, user)}
${statuses.length ? html`<h2>${t('Latest posts')}</h2>` : ''}
${statuses.map((status) => statusArticle(status, { domain: localDomain }))}`,
    })
  }

export const addLanding = (pages: Pages, sessions: Sessions): void => pages.add('get', '/', landing(sessions))
