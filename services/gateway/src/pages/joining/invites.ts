/** Settings page of the user's invites: list, create and deactivate. */
import { createInvite, expireInvite, type Invite, listInvites } from '@murmuration/contracts/accounts'
import { type Message, msg } from '@murmuration/messages'
import { problemsOf } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { dayOf } from '../core/parts/time.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

/** Lifetimes of an invite: seconds (empty for no limit) and label. */
const LIFETIMES: readonly [string, Message][] = [
  ['', msg('never')],
  ['1800', msg('30 minutes')],
  ['3600', msg('1 hour')],
  ['21600', msg('6 hours')],
  ['43200', msg('12 hours')],
  ['86400', msg('1 day')],
  ['604800', msg('1 week')],
]
const USES = ['', '1', '5', '10', '25', '50', '100']

const numberIn = (form: Readonly<Record<string, unknown>>, name: string): number | null => {
  const text = fieldOf(form, name, 20)
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

const rowOf = (invite: Invite, origin: string, csrfField: Html): Html => {
  const max =
    invite.max_uses === null
      ? html`${t('any number of uses')}`
      : t('{count, plural, one {# use} other {# uses}}', { count: invite.max_uses })
  const until = invite.expires_at ? html`${t('until {date}', { date: dayOf(invite.expires_at) })}` : html`${t('never')}`
  return html`<li><div><b><code>${origin}/invite/${invite.code}</code></b><span class="muted">${t('{uses} of {most}', { uses: invite.uses, most: max })}, ${
    invite.usable ? until : html`${t('over')}`
  }${invite.autofollow ? html`${t(', follows you')}` : ''}${invite.comment ? html` · ${invite.comment}` : ''}</span></div>${
    invite.usable
      ? html`<form method="post" action="/invites/${invite.id}">${csrfField}<button class="danger small" type="submit">${t('Deactivate')}</button></form>`
      : ''
  }</li>`
}

const show = async (context: SettingsContext, problem?: string): Promise<void> => {
  const { ctx, csrfField, session } = context
  const { invites } = await ctx.call(listInvites, { session })
  context.show({
    title: t('Invite people'),
    ...(problem ? { problem } : {}),
    body: html`${panel(
      t('New invite'),
      html`<p>${t('Anyone with the link can sign up, even while registrations are closed.')}</p>
<form method="post" action="/invites">${csrfField}
<label for="uses">${t('Max number of uses')}</label><select id="uses" name="max_uses">${USES.map((one) => html`<option value="${one}">${one || html`${t('no limit')}`}</option>`)}</select>
<label for="lasts">${t('Expire after')}</label><select id="lasts" name="expires_in">${LIFETIMES.map(([value, label]) => html`<option value="${value}"${value === '86400' ? html` selected` : ''}>${t(label)}</option>`)}</select>
<label for="comment">${t('Note for yourself (optional)')}</label><input id="comment" type="text" name="comment" maxlength="420">
<p><label><input type="checkbox" name="autofollow" value="1"> ${t('They follow you automatically')}</label></p>
<button type="submit">${t('Generate invite link')}</button></form>`,
    )}${
      invites.length
        ? panel(
            t('Your invites'),
            html`<ul class="rows">${invites.map((one) => rowOf(one, ctx.site.origin, csrfField))}</ul>`,
          )
        : ''
    }`,
  })
}

export const addInvites = (settings: Settings): void => {
  settings.add('get', '/invites', 'invites', (context) => show(context))
  settings.add('post', '/invites', 'invites', async (context, form) => {
    try {
      await context.ctx.call(createInvite, {
        session: context.session,
        max_uses: numberIn(form, 'max_uses'),
        expires_in: numberIn(form, 'expires_in'),
        autofollow: fieldOf(form, 'autofollow') === '1',
        comment: fieldOf(form, 'comment'),
      })
    } catch (error) {
      return show(context, problemsOf(error).join(' '))
    }
    context.done('/invites', t('The invite link was created.'))
  })
  const end = async (context: SettingsContext): Promise<void> => {
    await context.ctx.call(expireInvite, {
      session: context.session,
      id: idIn(context.req.params.id),
    })
    context.done('/invites', t('The invite was deactivated.'))
  }
  settings.add('post', '/invites/:id', 'invites', end)
  settings.add('delete', '/invites/:id', 'invites', end)
}
