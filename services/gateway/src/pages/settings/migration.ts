/** Settings pages for account migration: moving to another account, cancelling the redirect, and aliases. */
import {
  type Alias,
  addAlias,
  beginMove,
  cancelMove,
  listAliases,
  type Residence,
  removeAlias,
  showMove,
} from '@murmuration/contracts/accounts'
import { attempt } from '../core/attempt.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { dayOf } from '../core/parts/time.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'
import { passwordField } from './second-factor.js'

const HERE = '/settings/migration'
const ALIASES = '/settings/aliases'

const awayPanel = (context: SettingsContext, moved: Alias): Html =>
  panel(
    t('You have moved'),
    html`<p>${t('This account redirects to {link}. It cannot be used from apps, and nobody can follow it.', { link: html`<a href="${moved.url}" rel="noopener noreferrer">@${moved.acct}</a>` })}</p>
<details><summary>${t('Cancel the redirect')}</summary><form method="post" action="${HERE}/cancel">${context.csrfField}<p>${t('You can use this account again. Followers who already moved stay with the other account.')}</p><button class="danger" type="submit">${t('Use this account again')}</button></form></details>`,
  )

const goPanel = (context: SettingsContext, { followers_count, passwordless }: Residence, acct: string): Html =>
  panel(
    t('Move to another account'),
    html`<p>${t('Your profile will redirect to the other account, and your {count, plural, one {# follower} other {# followers}} will follow that account. Your posts stay here. Afterwards you cannot use this account in apps, and you cannot move again for 30 days.', { count: followers_count })}</p>
<p>${t('{first} add {alias} as an alias in the settings of the other account.', { first: html`<strong>${t('First')}</strong>`, alias: html`<code>@${context.user.username}@${context.ctx.site.localDomain}</code>` })}</p>
<form method="post" action="${HERE}">${context.csrfField}<label for="acct">${t('Handle of the other account')}</label><input id="acct" type="text" name="acct" value="${acct}" placeholder="you@another.example" autocapitalize="none" autocomplete="off" maxlength="400" required>
${passwordField(context, 'move-password', !passwordless)}<button class="danger" type="submit">${t('Move my followers')}</button></form>`,
  )

const past = ({ past: moves }: Residence): Html | '' =>
  moves.length
    ? panel(
        t('Earlier moves'),
        html`<ul class="rows">${moves.map(
          (one) =>
            html`<li><div><b>@${one.acct}</b><span class="muted small">${dayOf(one.at)} · ${t('{count, plural, one {# follower} other {# followers}}', { count: one.followers })} · ${one.done ? html`${t('all followers on this server have moved')}` : html`${t('not all followers on this server have moved')}`}</span></div></li>`,
        )}</ul>`,
      )
    : ''

const show = async (context: SettingsContext, acct = '', problem?: string): Promise<void> => {
  const home = await context.ctx.call(showMove, { session: context.session })
  const rest = home.next_at
    ? panel(
        t('Move to another account'),
        html`<p>${t('You moved recently. You can move again on {date}.', { date: dayOf(home.next_at) })}</p>`,
      )
    : goPanel(context, home, acct)
  context.show({
    title: t('Move account'),
    ...(problem ? { problem } : {}),
    body: html`${home.moved ? awayPanel(context, home.moved) : rest}${panel(
      t('Move here from another account'),
      html`<p>${t('Say here which other account is yours, then begin the move there.')}</p><p><a class="button quiet" href="${ALIASES}">${t('Aliases')}</a></p>`,
    )}${past(home)}`,
  })
}

const aliasRow = (context: SettingsContext, one: Alias): Html =>
  html`<li><div><b><a href="${one.url}" rel="noopener noreferrer">${one.acct.includes('/') ? one.acct : `@${one.acct}`}</a></b></div><form method="post" action="${ALIASES}/remove">${context.csrfField}<input type="hidden" name="uri" value="${one.uri}"><button class="quiet small" type="submit">${t('Remove')}<span class="visually-hidden"> ${one.acct}</span></button></form></li>`

const aliases = async (context: SettingsContext, acct = '', problem?: string): Promise<void> => {
  const list = (await context.ctx.call(listAliases, { session: context.session })).aliases
  context.show({
    title: t('Aliases'),
    ...(problem ? { problem } : {}),
    body: panel(
      t('Other accounts that are yours'),
      html`<p>${t('An alias lets you move from that account to this one. Everybody can see it. It changes nothing by itself.')}</p>
${list.length ? html`<ul class="rows">${list.map((one) => aliasRow(context, one))}</ul>` : ''}
<form method="post" action="${ALIASES}">${context.csrfField}<label for="acct">${t('Handle of the other account')}</label><input id="acct" type="text" name="acct" value="${acct}" placeholder="you@another.example" autocapitalize="none" autocomplete="off" maxlength="400" required><button type="submit">${t('Add alias')}</button></form>
<p><a href="${HERE}">${t('Move account')}</a></p>`,
    ),
  })
}

export const addMigration = (settings: Settings): void => {
  settings.add('get', HERE, 'move', (context) => show(context))
  settings.add(
    'post',
    HERE,
    'move',
    async (context, form) => {
      const acct = fieldOf(form, 'acct', 400)
      await context.limit({ viewerId: context.user.viewer.id })
      const problem = await attempt(() =>
        context.ctx.call(beginMove, { session: context.session, acct, password: fieldOf(form, 'password') }),
      )
      if (problem !== null) return show(context, acct, problem)
      context.done(HERE, t('You have moved. Your followers are being moved.'))
    },
    'search',
  )
  settings.add('post', `${HERE}/cancel`, 'move', async (context) => {
    const { cancelled } = await context.ctx.call(cancelMove, { session: context.session })
    context.done(HERE, cancelled ? t('This account can be used again.') : t('This account has no redirect.'))
  })
  settings.add('get', ALIASES, 'move', (context) => aliases(context))
  settings.add(
    'post',
    ALIASES,
    'move',
    async (context, form) => {
      const acct = fieldOf(form, 'acct', 400)
      await context.limit({ viewerId: context.user.viewer.id })
      const problem = await attempt(() => context.ctx.call(addAlias, { session: context.session, acct }))
      if (problem !== null) return aliases(context, acct, problem)
      context.done(ALIASES, t('The alias was added. You can begin the move on the other account now.'))
    },
    'search',
  )
  settings.add('post', `${ALIASES}/remove`, 'move', async (context, form) => {
    await context.ctx.call(removeAlias, { session: context.session, uri: fieldOf(form, 'uri') })
    context.done(ALIASES, t('The alias was removed.'))
  })
}
