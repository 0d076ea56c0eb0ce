/** Deliveries of an activity or status below `/admin`: state for each inbox, failures first. */
import { deliveryExplain, type NoDeliveryReason } from '@murmuration/contracts/federation'
import type { ResultOf } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { EXPLAIN, healthTabs, hostPath } from './federation-tabs.js'
import type { Admin, StaffVisit } from './frame.js'
import { badge, filtersIn, type Tone, table } from './table.js'

type Explained = ResultOf<(typeof deliveryExplain)['output']>
type Activity = Explained['activities'][number]
type State = Activity['deliveries'][number]['state']

const STATES: readonly (readonly [State, Message, Tone])[] = [
  ['refused', msg('Refused'), 'bad'],
  ['gave-up', msg('Given up'), 'bad'],
  ['pending', msg('Waiting'), 'warn'],
  ['delivered', msg('Delivered'), 'ok'],
  ['replaced', msg('Replaced'), 'calm'],
]
const stateBadge = (state: State): Html => {
  const [, label, tone] = STATES.find(([name]) => name === state) ?? STATES[0]!
  return badge(t(label), tone)
}

const RUNBOOK = 'docs/runbooks/one-post-not-delivered.md'

const reasonText = (reason: NoDeliveryReason): string => {
  const texts: Record<NoDeliveryReason, string> = {
    unknown: t('No post and no activity with this address is known here.'),
    remote: t('The post is from another server. This server sends only boosts of it by its own accounts.'),
    ended: t(
      'The post was deleted, or the boost undone: before it was sent, or so long ago that its deliveries are no longer kept.',
    ),
    'no-recipients': t(
      'No account elsewhere follows the author (of a boost: who boosted), and none is mentioned, answered, quoted or boosted. A public post is also sent to relays, but none is enabled.',
    ),
    'not-public': t('The post is for followers or mentioned accounts only, and none of them is on that server.'),
    blocked: t('That server is blocked, or federation is limited to other servers.'),
    'author-suspended': t('The author (of a boost: who boosted) is suspended.'),
    'not-processed': t(
      'The post is not processed yet, or its event failed for good. The page of the queues shows what waits, and the page of dead letters what failed.',
    ),
    'not-addressed': t(
      'No recipient is on that server: no follower of the author (of a boost: who boosted), and no mentioned, answered, quoted or boosted account. Or the author blocks the domain.',
    ),
    'not-kept': t('The post is older than thirty days: only servers that may have received it are known.'),
  }
  return texts[reason] ?? reason
}

/** URIs of which nothing was sent, with the possible reasons. */
const unsent = (it: Explained, source: string): Html | '' =>
  it.reasons === undefined
    ? ''
    : html`<section class="card"><h2>${t('Why a server may have received nothing')}</h2>${it.unsent?.map(
        (uri) => html`<p>${t('Nothing was sent of {uri}', { uri })}</p>`,
      )}<ul>${it.reasons.map((one) => html`<li>${reasonText(one)}</li>`)}</ul><p>${t('The checks are described in the source code: {link}', { link: html`<a href="${source}">${RUNBOOK}</a>` })}</p></section>`

const isNotSent = ({ counts }: Activity): boolean => Object.values(counts).every((n) => n === 0)

/** Deliveries of one activity; only those to `host`, unless it is empty. */
const activity = (one: Activity, host: string, now: number): Html =>
  html`<section><h2>${one.kind} <span class="soft">${timeOf(one.created_at)}</span></h2><p><code>${one.uri}</code>${one.boost_of === undefined ? '' : html` <span class="soft long">${t('Boost of {uri}', { uri: one.boost_of })}</span>`}</p><p class="states">${STATES.map(
    ([state, label, tone]) =>
      (one.counts[state] ?? 0) > 0
        ? html`<span class="badge ${tone}">${numberOf(one.counts[state] ?? 0)} ${t(label)}</span>`
        : '',
  )}</p>${table(
    t('Deliveries'),
    [t('State'), t('Inbox'), t('Attempts'), t('Status'), t('Time')],
    one.deliveries.map((it) => [
      stateBadge(it.state),
      html`<a href="${hostPath(it.host)}">${it.host}</a> <span class="soft">${it.inbox}</span>`,
      numberOf(it.attempts),
      it.status ?? html`<span class="soft">–</span>`,
      it.state === 'pending' ? html`${t('next: {time}', { time: timeOf(it.at) })}` : agoOf(it.at, now),
    ]),
    host !== '' && isNotSent(one)
      ? t('Nothing was sent to this server yet.')
      : t('The single deliveries are no longer kept.'),
  )}${one.more > 0 ? html`<p class="soft">${t('{count} more are not listed.', { count: numberOf(one.more) })}</p>` : ''}</section>`

const show = async (visit: StaffVisit): Promise<void> => {
  const { address = '', host = '' } = filtersIn(visit.req.query, ['address', 'host'])
  const explained: Explained =
    address === ''
      ? { activities: [] }
      : await visit.ask(deliveryExplain, { activity: address, limit: 500, ...(host && { host }) })
  const found = explained.activities
  visit.show({
    title: t('Explain a delivery'),
    current: 'hosts',
    body: html`${healthTabs(EXPLAIN)}<form class="card inline" method="get" action="${EXPLAIN}" role="search"><label class="unseen" for="address">${t('Address of a status or an activity')}</label><input id="address" type="text" name="address" value="${address}" placeholder="${t('Address of a status or an activity')}" maxlength="2000" autocapitalize="none" spellcheck="false" required><label class="unseen" for="host">${t('Server')}</label><input id="host" type="text" name="host" value="${host}" placeholder="${t('All servers')}" maxlength="255" autocapitalize="none" spellcheck="false"><button class="small" type="submit">${t('Explain')}</button></form>${
      address === ''
        ? html`<p class="soft">${t('Paste the address of a post of this server, or the id of an activity. The page shows to which servers the post and its boosts were sent.')}</p>`
        : found.length === 0
          ? html`<p class="card nothing">${t('Nothing about this address was sent to another server.')}</p>`
          : found.map((one) => activity(one, host, visit.now))
    }${explained.more_boosts ? html`<p class="soft">${t('Older boosts are not listed.')}</p>` : ''}${unsent(explained, visit.ctx.site.source)}`,
  })
}

export const addFederationExplain = (admin: Admin): void => admin.add('get', EXPLAIN, 'manage_federation', show)
