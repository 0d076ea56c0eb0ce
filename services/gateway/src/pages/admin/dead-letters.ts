/** Dead letters of all services below `/admin`: list, details, replay and removal of one or of a selection. */

import {
  type DeadLetter,
  dropDeadLetter,
  listDeadLetters,
  replayDeadLetter,
  showDeadLetter,
} from '@murmuration/contracts/admin'
import { OWNERS } from '@murmuration/contracts/kernel'
import { isId } from '@murmuration/contracts/kit'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import type { Admin, Fields, StaffRequest } from './frame.js'
import { DEAD_LETTERS, queueTabs, unavailableNote } from './queues.js'
import { definitionList, field, filtersIn, nextPage, select, table } from './table.js'

const ROWS = 50

const pathOf = (id: string): string => `${DEAD_LETTERS}/${id}`

const services = (): (readonly [string, string])[] => [
  ['', t('All services')],
  ...OWNERS.map((one) => [one, one] as const),
]

const row = (one: DeadLetter, now: number): readonly HtmlValue[] => [
  html`<label class="choice"><input type="checkbox" name="ids[]" value="${one.id}" form="letters" aria-label="${t('Select {name}', { name: one.id })}"></label>`,
  html`<a href="${pathOf(one.id)}">${one.id}</a>`,
  html`<code>${one.consumer}</code>`,
  html`<p class="quote">${one.reason}</p>`,
  numberOf(one.tries),
  agoOf(one.at, now),
]

const bulk = (request: StaffRequest, count: number): Html =>
  count === 0
    ? html``
    : html`<form id="letters" class="bulk" method="post" action="${DEAD_LETTERS}">${request.csrfField}<div class="acts"><span>${t('Selected dead letters:')}</span><button class="small" type="submit" name="do" value="replay">${t('Run again')}</button><button class="danger small" type="submit" name="do" value="drop">${t('Remove…')}</button></div></form>`

const show = async (request: StaffRequest): Promise<void> => {
  const { max_id, ...query } = filtersIn(request.req.query, ['service', 'queue', 'max_id'])
  if (!OWNERS.some((one) => one === query.service)) delete query.service
  const { dead_letters, next_max_id, unavailable } = await request.callApi(listDeadLetters, {
    ...query,
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  request.show({
    title: t('Dead letters'),
    current: 'queues',
    body: html`${queueTabs(DEAD_LETTERS)}${unavailableNote(unavailable)}<p class="muted">${t('Messages that were given up after their last attempt. Running one again is harmless if it was done before.')}</p><form class="card filters" method="get" action="${DEAD_LETTERS}" role="search">${select(
      { name: 'service', label: t('Service'), value: query.service ?? '' },
      services(),
    )}${field({ name: 'queue', label: t('Consumer'), value: query.queue ?? '' })}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${DEAD_LETTERS}">${t('Reset')}</a></div></form>${table(
      t('Dead letters'),
      [t('Select'), t('Dead letter'), t('Consumer'), t('Reason'), t('Attempts'), t('Time')],
      dead_letters.map((one) => row(one, request.now)),
      t('There are no dead letters.'),
    )}${bulk(request, dead_letters.length)}${nextPage(DEAD_LETTERS, query, { max_id: next_max_id })}`,
  })
}

const showOne = async (request: StaffRequest): Promise<void> => {
  const one = await request.callApi(showDeadLetter, { id: String(request.req.params.id ?? '').slice(0, 60) })
  request.show({
    title: one.id,
    above: html`<a href="${DEAD_LETTERS}">${t('Dead letters')}</a>`,
    current: 'queues',
    body: html`<form class="acts" method="post" action="${DEAD_LETTERS}">${request.csrfField}<input type="hidden" name="ids[]" value="${one.id}"><button type="submit" name="do" value="replay">${t('Run again')}</button><button class="danger" type="submit" name="do" value="drop">${t('Remove…')}</button></form><section class="card">${definitionList(
      [
        [t('Consumer'), html`<code>${one.consumer}</code>`],
        [t('Subject'), html`<code>${one.subject}</code>`],
        [t('Message'), html`<code>${one.message_id}</code>`],
        [t('Reason'), one.reason],
        [t('Attempts'), numberOf(one.tries)],
        [t('Time'), timeOf(one.at)],
      ],
    )}</section><section class="card"><h2>${t('Content')}</h2>${
      one.hidden > 0 ? html`<p class="muted">${t('Texts that may be private are hidden.')}</p>` : ''
    }<pre class="data">${JSON.stringify(one.content, null, 2)}</pre></section>`,
  })
}

const idsIn = (form: Fields): string[] =>
  [form.ids ?? []]
    .flat()
    .flatMap((one) => (typeof one === 'string' && one.length <= 60 ? one : []))
    .slice(0, ROWS)

/** Confirmation page that lists the dead letters that would be removed. */
const confirmDrop = async (request: StaffRequest, ids: string[]): Promise<void> => {
  const { dead_letters, unavailable } = await request.callApi(dropDeadLetter, { ids, dry_run: true })
  request.show({
    title: t('Remove dead letters'),
    above: html`<a href="${DEAD_LETTERS}">${t('Back without a change')}</a>`,
    current: 'queues',
    body: html`${unavailableNote(unavailable)}<section class="card"><div class="preview" role="note"><p>${t('{deadLetters} would be removed. What it was about is never done.', { deadLetters: html`<b>${t('{count, plural, one {# dead letter} other {# dead letters}}', { count: dead_letters.length })}</b>` })}</p></div><ul class="plain-list">${dead_letters.map(
      (one) =>
        html`<li><span>${one.id} <code>${one.consumer}</code></span><span class="n">${agoOf(one.at, request.now)}</span></li>`,
    )}</ul><form method="post" action="${DEAD_LETTERS}">${request.csrfField}${dead_letters.map(
      ({ id }) => html`<input type="hidden" name="ids[]" value="${id}">`,
    )}<p class="acts"><button class="danger" type="submit" name="do" value="drop-confirmed">${t('Remove')}</button><a class="button quiet" href="${DEAD_LETTERS}">${t('Cancel')}</a></p></form></section>`,
  })
}

interface Result {
  readonly done: readonly string[]
  readonly queued?: readonly string[] | undefined
  readonly failed: readonly string[]
}

const resultText = ({ done, queued = [], failed }: Result, verb: 'replayed' | 'removed'): string => {
  const count = done.length - queued.length
  const sum =
    verb === 'replayed'
      ? t('{count, plural, one {# dead letter} other {# dead letters}} run again.', { count })
      : t('{count, plural, one {# dead letter} other {# dead letters}} removed.', { count })
  return [
    sum,
    ...(queued.length > 0 ? [t('{queued} not finished yet.', { queued: numberOf(queued.length) })] : []),
    ...(failed.length > 0 ? [t('{failed} failed.', { failed: numberOf(failed.length) })] : []),
  ].join(' ')
}

const act = async (request: StaffRequest, form: Fields): Promise<void> => {
  const ids = idsIn(form)
  if (ids.length === 0) return request.done(DEAD_LETTERS, t('No dead letter was selected.'))
  switch (form.do) {
    case 'replay':
      return request.done(DEAD_LETTERS, resultText(await request.callApi(replayDeadLetter, { ids }), 'replayed'))
    case 'drop':
      return confirmDrop(request, ids)
    case 'drop-confirmed':
      return request.done(DEAD_LETTERS, resultText(await request.callApi(dropDeadLetter, { ids }), 'removed'))
    default:
      throw pageNotFound()
  }
}

export const addDeadLetters = (admin: Admin): void => {
  admin.add('get', DEAD_LETTERS, 'view_devops', show)
  admin.add('post', DEAD_LETTERS, 'view_devops', act)
  admin.add('get', `${DEAD_LETTERS}/:id`, 'view_devops', showOne)
}
