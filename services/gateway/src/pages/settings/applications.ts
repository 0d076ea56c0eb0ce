/** Settings page of authorized apps: list, and revocation of their access. The page also serves the list as JSON. */
import { type Grant, listGrants, revokeGrant } from '@murmuration/contracts/accounts'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { wantsJson } from '../core/page-request.js'
import { dayOf } from '../core/parts/time.js'
import { meaningOf } from '../core/scope-labels.js'
import { panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

const HERE = '/oauth/authorized_applications'

const row = ({ csrfField }: SettingsContext, { id, name, website, scopes, created_at, used_at }: Grant): Html =>
  html`<li><div><b>${website ? html`<a href="${website}" rel="noopener noreferrer nofollow">${name}</a>` : name}</b>
<span class="muted small">${t('Since {date} · {lastUse}', { date: dayOf(created_at), lastUse: used_at ? html`${t('last used {date}', { date: dayOf(used_at) })}` : html`${t('not used lately')}` })}</span>
<details><summary>${t('Permissions')}</summary><ul class="scopes">${[...scopes].sort().map((scope) => html`<li>${meaningOf(scope)} <span class="muted">(${scope})</span></li>`)}</ul></details></div>
<form method="post" action="${HERE}/${id}">${csrfField}<input type="hidden" name="_method" value="delete"><button class="danger small" type="submit">${t('Revoke')}<span class="visually-hidden"> ${name}</span></button></form></li>`

const json = ({ res }: SettingsContext, status: number, body: unknown): void => {
  res.statusCode = status
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (status !== 204) res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.end(status === 204 ? undefined : JSON.stringify(body))
}

const show = async (context: SettingsContext): Promise<void> => {
  const { grants } = await context.ctx.call(listGrants, { session: context.session })
  if (wantsJson(context.req))
    return json(
      context,
      200,
      grants.map(({ id, name, created_at }) => ({ id, name, created_at })),
    )
  context.show({
    title: t('Apps'),
    body: panel(
      t('Your authorized apps'),
      grants.length
        ? html`<p class="muted">${t('Revoke access for apps that you no longer use or do not recognize.')}</p><ul class="rows">${grants.map((one) => row(context, one))}</ul>`
        : html`<p class="muted">${t('No authorized apps yet. Open an app and enter the address {domain}.', { domain: html`<code>${context.ctx.site.webDomain}</code>` })}</p>`,
    ),
  })
}

const revoke = async (context: SettingsContext): Promise<void> => {
  await context.ctx.call(revokeGrant, {
    session: context.session,
    id: idIn(context.req.params.id),
  })
  if (wantsJson(context.req)) return json(context, 204, null)
  context.done(HERE, t('Access for the app was revoked.'))
}

export const addApplications = (settings: Settings): void => {
  settings.add('get', HERE, 'applications', show)
  settings.add('delete', `${HERE}/:id`, 'applications', revoke)
  settings.add('post', `${HERE}/:id`, 'applications', revoke)
}
