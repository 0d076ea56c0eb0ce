/** Settings page of severed relationships, with CSV exports of the lost accounts. */
import { listSeverances, severancePage } from '@murmuration/contracts/accounts'
import type { RelationshipSeveranceEvent } from '@murmuration/contracts/entities'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { dayOf } from '../core/parts/time.js'
import { panel, type Settings } from '../core/settings-frame.js'
import { sendTable, tableLink } from '../core/table.js'

const HERE = '/severed_relationships'

const WORDS: Readonly<Record<RelationshipSeveranceEvent['type'], (name: string) => Html>> = {
  domain_block: (name) => html`${t('The moderators of this server blocked {name}', { name: html`<b>${name}</b>` })}`,
  user_domain_block: (name) => html`${t('You blocked {name}', { name: html`<b>${name}</b>` })}`,
  account_suspension: (name) =>
    html`${t('The moderators of this server suspended {name}', { name: html`<b>@${name}</b>` })}`,
}

const row = (one: RelationshipSeveranceEvent): Html =>
  html`<li><div>${WORDS[one.type]?.(one.target_name) ?? one.target_name}<br><span class="muted small">${t('{date} · {followers, plural, one {# follower} other {# followers}} and {following, plural, one {# account you followed} other {# accounts you followed}} lost', { date: dayOf(one.created_at), followers: one.followers_count, following: one.following_count })}</span></div>
<div class="row">${
    one.purged
      ? html`<span class="muted small">${t('The list is no longer available.')}</span>`
      : html`${one.following_count ? tableLink(`${HERE}/${one.id}/following.csv`, t('Followed (CSV)')) : ''}${one.followers_count ? tableLink(`${HERE}/${one.id}/followers.csv`, t('Followers (CSV)')) : ''}`
  }</div></li>`

export const addSeverances = (settings: Settings): void => {
  settings.add('get', HERE, 'data', async (context) => {
    const { events } = await context.ctx.call(listSeverances, { session: context.session })
    context.show({
      title: t('Lost connections'),
      body: panel(
        t('Severed relationships'),
        events.length
          ? html`<p>${t('You can download the lists of lost connections. Use them to follow the accounts again from another server, or after the block has been removed.')}</p><ul class="rows">${events.map(row)}</ul>`
          : html`<p class="muted">${t('No follows were ended.')}</p>`,
      ),
    })
  })
  for (const which of ['following', 'followers'] as const)
    settings.add('get', `${HERE}/:id/${which}.csv`, 'data', async (context) => {
      const id = String(context.req.params.id ?? '')
      if (!/^\d{1,19}$/.test(id)) throw pageNotFound()
      await sendTable(context, `${which}.csv`, (after) =>
        context.ctx.call(severancePage, {
          session: context.session,
          id,
          which,
          ...(after === undefined ? {} : { after }),
        }),
      )
    })
}
