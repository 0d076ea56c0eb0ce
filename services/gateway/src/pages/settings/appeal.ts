/** Page of a strike for the link in its e-mail, with a form for an appeal. The token in the link replaces a sign-in. */
import { createAppealOfHolder, showStrikeByLink } from '@murmuration/contracts/admin'
import { attempt } from '../core/attempt.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { appealForm, strikeCard } from '../core/parts/strike.js'
import type { Sessions } from '../core/session.js'
import { fieldOf } from '../core/settings-frame.js'

const PATH = '/appeal'
const MAX_TOKEN = 512

const showInvalidLink = ({ ctx, res }: PageRequest): void =>
  sendPage(ctx, res, {
    title: t('Moderation decision'),
    status: 404,
    indexed: false,
    body: card(
      t('This link is no longer valid'),
      html`<p>${t('Decisions about your account are also in your {link}.', { link: html`<a href="/settings/strikes">${t('settings')}</a>` })}</p>`,
    ),
  })

interface Shown {
  readonly token: string
  readonly text?: string
  readonly problem?: string | null
  readonly isSent?: boolean
}

const show = async (
  request: PageRequest,
  sessions: Sessions,
  { token, text = '', problem = null, isSent = false }: Shown,
): Promise<void> => {
  const { ctx, req, res } = request
  const { found } = await ctx.call(showStrikeByLink, { token })
  if (found === null) return showInvalidLink(request)
  const { warning } = found.strike
  const hidden = html`${sessions.csrfField(req, res)}<input type="hidden" name="token" value="${token}">`
  sendPage(ctx, res, {
    title: t('Moderation decision'),
    status: problem ? 422 : 200,
    indexed: false,
    body: html`<h1>${t('Moderation decision')}</h1><p class="muted">@${warning.target_account.username}@${ctx.site.localDomain}</p>${
      problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''
    }${isSent ? html`<p class="flash" role="status">${t('Your appeal was sent to the moderators.')}</p>` : ''}${strikeCard(found.strike, appealForm(PATH, warning.id, hidden, text))}`,
  })
}

export const addAppeal = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', PATH, async (request) => {
    const { token } = request.req.query
    if (typeof token !== 'string' || token.length > MAX_TOKEN) return showInvalidLink(request)
    await show(request, sessions, { token })
  })
  pages.add(
    'post',
    PATH,
    async (request) => {
      const form = await sessions.form(request.req)
      await request.limit()
      const token = fieldOf(form, 'token', MAX_TOKEN)
      const text = fieldOf(form, 'text', 10_000).replaceAll('\r\n', '\n')
      const { found } = await request.ctx.call(showStrikeByLink, { token })
      if (found === null) return showInvalidLink(request)
      const { account, strike } = found
      const problem = await attempt(() =>
        request.ctx.call(createAppealOfHolder, { account, id: strike.warning.id, text }),
      )
      await show(request, sessions, { token, text, problem, isSent: problem === null })
    },
    'write',
  )
}
