/** Deliveries of an activity or status below `/admin`: state for each inbox, failures first. */
import { type Ended, explainDelivery, type LookedAt, type NoDeliveryReason } from '@murmuration/contracts/federation'
import { fail, type ResultOf } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { EXPLAIN, healthTabs, hostPath } from './federation-tabs.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { badge, definitionList, filtersIn, type Tone, table } from './table.js'

type Explained = ResultOf<(typeof explainDelivery)['output']>
type Activity = Explained['activities'][number]
type State = Activity['deliveries'][number]['state']

const STATES: readonly (readonly [State, Message, Tone])[] = [
  ['refused', msg('Refused'), 'bad'],
  ['gave-up', msg('Given up'), 'bad'],
  ['pending', msg('Waiting'), 'warn'],
  ['delivered', msg('Delivered'), 'ok'],
  ['replaced', msg('Replaced'), 'neutral'],
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
    ended: t('The post was deleted, or the boost undone, before it was sent.'),
    'not-boosted': t('The account has no boost of this post.'),
    'no-recipients': t(
      'No account elsewhere follows the author (of a boost: who boosted), and none is mentioned, answered, quoted or boosted. An enabled relay also receives public posts, but no boosts.',
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

/** Section about posts and activities that were sent to no server, with the possible reasons. */
const unsent = (it: Explained, source: string): Html | '' =>
  it.reasons === undefined
    ? ''
    : html`<section class="card"><h2>${t('Why a server may have received nothing')}</h2>${it.unsent?.map(
        (uri) => html`<p>${t('Nothing was sent of {uri}', { uri })}</p>`,
      )}<ul>${it.reasons.map((one) => html`<li>${reasonText(one)}</li>`)}</ul>${
        it.ended_since === undefined
          ? ''
          : html`<p>${t('Deleted posts and undone boosts are kept for thirty days. Of those that ended before {time}, nothing is known.', { time: timeOf(it.ended_since) })}</p>`
      }<p>${t('The checks are described in the source code: {link}', { link: html`<a href="${source}">${RUNBOOK}</a>` })}</p></section>`

const isNotSent = ({ counts }: Activity): boolean => Object.values(counts).every((n) => n === 0)

const whyText = (why: LookedAt['hosts'][number]['why'][number], name: string): string => {
  const texts: Record<typeof why, string> = {
    inbox: t('It has inboxes of this name.'),
    handle: t('Accounts with handles of {name} have their inboxes there.', { name }),
    actor: t('Accounts whose actor ids are on {name} have their inboxes there.', { name }),
    'shared-inbox': t('The shared inbox of {name} is there. It receives the posts for the account.', { name }),
    'own-inbox': t('The own inbox of {name} is there. It is used if there is no shared inbox.', { name }),
  }
  return texts[why] ?? why
}

/** Section with the hosts of the inboxes that belong to the server or handle that staff entered. */
const lookedAt = ({ name, is_known, is_partial, blocked, hosts }: LookedAt): Html =>
  html`<h2>${t('Where it was looked')}</h2><section class="card">${is_known ? '' : html`<p>${t('The account {name} is not known here, so its domain was looked up.', { name })}</p>`}${
    is_partial ? html`<p>${t('The accounts cannot be read now. Only a server with this name was looked up.')}</p>` : ''
  }${blocked ? html`<p>${badge(t('Blocked'), 'bad')} ${name}</p>` : ''}${
    hosts.length === 0
      ? html`<p>${t('No inbox of {name} is known: nothing was ever sent there, and no known account has it in its handle or actor id.', { name })}</p>`
      : html`<ul>${hosts.map(
          (one) =>
            html`<li>${one.is_used ? html`<a href="${hostPath(one.host)}">${one.host}</a>` : one.host}${one.blocked ? html` ${badge(t('Blocked'), 'bad')}` : ''} <span class="muted">${one.why.map((why) => whyText(why, name)).join(' ')}${one.is_used ? '' : ` ${t('Nothing was sent to this server yet.')}`}</span></li>`,
        )}</ul>`
  }</section>`

const countsOf = ({ delivered, servers }: { delivered: number; servers: number }): string =>
  t('delivered to {delivered} of {servers, plural, one {# server} other {# servers}}', {
    delivered: numberOf(delivered),
    servers,
  })

const endText = (end: NonNullable<Ended['end']>): string => {
  const failed = end.servers - end.delivered - end.pending
  return [
    end.servers === 0 ? t('sent to no server') : countsOf(end),
    end.pending > 0 ? t('waits for {count}', { count: numberOf(end.pending) }) : '',
    failed > 0 ? t('failed for {count}', { count: numberOf(failed) }) : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Section about a deleted post or an undone boost: deliveries of the original activity, and of the Delete or Undo. */
const ended = (one: Ended): Html =>
  html`<h2>${one.is_boost ? t('The boost was undone') : t('The post was deleted')} <span class="muted">${timeOf(one.at)}</span></h2><section class="card"><p><code>${one.uri}</code></p>${definitionList(
    [
      [
        t('Before'),
        one.before === null
          ? t('not sent')
          : one.before.is_folded
            ? t('may have been delivered to {servers, plural, one {# server} other {# servers}}', {
                servers: one.before.delivered,
              })
            : countsOf(one.before),
      ],
      [
        one.is_boost ? t('Undo activity') : t('Delete activity'),
        one.end === null ? t('None is stored. Its event is not processed yet, or failed for good.') : endText(one.end),
      ],
      [t('Known until'), timeOf(one.kept_until)],
    ],
  )}</section>`

const explainPath = (address: string, host = ''): string =>
  `${EXPLAIN}?${new URLSearchParams({ address, ...(host && { host }) })}`

/** Posts and boosts of an account, also deleted ones, each with a link to its deliveries. */
const statuses = (it: Explained, by: string): Html =>
  html`<h2>${t('Posts and boosts')}</h2>${table(
    t('Posts and boosts'),
    [t('Time'), t('Address'), t('State')],
    (it.statuses ?? []).map((one) => [
      timeOf(one.created_at),
      html`<a href="${explainPath(one.uri)}">${one.uri}</a>${one.boost_of === null ? '' : html` <span class="muted long">${t('Boost of {uri}', { uri: one.boost_of })}</span>`}`,
      one.ended_at === null
        ? badge(one.visibility)
        : badge(one.uri.endsWith('/activity') ? t('Undone') : t('Deleted'), 'warn'),
    ]),
    t('{name} wrote and boosted nothing in the last day.', { name: `@${by.replace(/^@/, '')}` }),
  )}${it.more_statuses ? html`<p class="muted">${t('Later ones are not listed.')}</p>` : ''}${
    it.ends_until === undefined
      ? ''
      : html`<p class="muted">${t('Posts that were deleted and boosts that were undone after {time} were not looked at.', { time: timeOf(it.ends_until) })}</p>`
  }`

/** Deliveries of one activity. If `host` is not empty, only the deliveries to this host. */
const activity = (one: Activity, host: string, now: number): Html =>
  html`<section><h2>${one.kind} <span class="muted">${timeOf(one.created_at)}</span></h2><p><code>${one.uri}</code>${one.boost_of === undefined ? '' : html` <span class="muted long">${t('Boost of {uri}', { uri: one.boost_of })}</span>`}</p><p class="states">${STATES.map(
    ([state, label, tone]) =>
      (one.counts[state] ?? 0) > 0
        ? html`<span class="badge ${tone}">${numberOf(one.counts[state] ?? 0)} ${t(label)}</span>`
        : '',
  )}</p>${table(
    t('Deliveries'),
    [t('State'), t('Inbox'), t('Attempts'), t('Status'), t('Time')],
    one.deliveries.map((it) => [
      stateBadge(it.state),
      html`<a href="${hostPath(it.host)}">${it.host}</a> <span class="muted">${it.inbox}</span>`,
      numberOf(it.attempts),
      it.status ?? html`<span class="muted">–</span>`,
      it.state === 'pending' ? html`${t('next: {time}', { time: timeOf(it.at) })}` : agoOf(it.at, now),
    ]),
    host !== '' && isNotSent(one)
      ? t('Nothing was sent to this server yet.')
      : t('The single deliveries are no longer kept.'),
  )}${one.more > 0 ? html`<p class="muted">${t('{count} more are not listed.', { count: numberOf(one.more) })}</p>` : ''}</section>`

interface Entered {
  address: string
  host: string
  by: string
}

const input = (name: keyof Entered, value: string, label: string, hint = label): Html =>
  html`<label class="visually-hidden" for="${name}">${label}</label><input id="${name}" type="text" name="${name}" value="${value}" placeholder="${hint}" maxlength="2000" autocapitalize="none" spellcheck="false">`

const form = ({ address, host, by }: Entered): Html =>
  html`<form class="card inline" method="get" action="${EXPLAIN}" role="search">${input('address', address, t('Address of a status or an activity'))}${input('host', host, t('Server, or an account there'), t('All servers'))}${input('by', by, t('Local account, such as alice'), t('All accounts'))}<button class="small" type="submit">${t('Explain')}</button></form>`

/** Result page for the address of an activity or status. */
const result = (request: StaffRequest, explained: Explained, host: string): Html => {
  const found = explained.activities
  return html`${explained.looked_at ? lookedAt(explained.looked_at) : ''}${explained.ended?.map(ended) ?? ''}${
    found.length === 0
      ? html`<p class="card nothing">${t('Nothing about this address was sent to another server.')}</p>`
      : found.map((one) => activity(one, host, request.now))
  }${explained.more_boosts ? html`<p class="muted">${t('Older boosts are not listed.')}</p>` : ''}${
    explained.ends_from === undefined
      ? ''
      : html`<p class="muted">${t('Boosts that were undone before {time} were not looked at.', { time: timeOf(explained.ends_from) })}</p>`
  }${unsent(explained, request.ctx.site.source)}`
}

const show = async (request: StaffRequest): Promise<void> => {
  const { address = '', host = '', by = '' } = filtersIn(request.req.query, ['address', 'host', 'by'])
  const query = { activity: address, limit: 500, ...(host && address && { host }), ...(by && { by }) }
  let explained: Explained = { activities: [] }
  const problem =
    address === '' && by === ''
      ? null
      : await attempt(async () => {
          explained = await request.callApi(explainDelivery, query)
          if (address !== '' && by !== '' && explained.by === undefined)
            throw fail(
              'unavailable',
              'The federation service is of an older release, which cannot find the boosts of one account. Try again after its update',
            )
        })
  request.show({
    title: t('Explain a delivery'),
    current: 'hosts',
    problem,
    body: html`${healthTabs(EXPLAIN)}${form({ address, host, by })}${
      problem !== null
        ? ''
        : address !== ''
          ? result(request, explained, host)
          : by !== ''
            ? statuses(explained, by)
            : html`<p class="muted">${t('Paste the address of a post of this server, or the id of an activity. The page shows to which servers the post and its boosts were sent.')} ${t('With a local account, it shows only the boosts of the post by this account, also undone ones. With the account alone, it lists the posts and boosts of the last day.')}</p>`
    }`,
  })
}

export const addFederationExplain = (admin: Admin): void => admin.add('get', EXPLAIN, 'manage_federation', show)
