/** Dead letters below `/admin`: listed across services, shown, run again or removed one by one or as a selection. */
import {
  type DeadLetter,
  deadLetterDrop,
  deadLetterList,
  deadLetterReplay,
  deadLetterShow,
} from '@murmuration/contracts/admin'
import { OWNERS } from '@murmuration/contracts/kernel'
import { type Html, html } from '../core/html.js'
import { say, sayOf } from '../core/language.js'
import { agoOf, countOf, numberOf, timeOf } from '../core/parts/time.js'
import { nothingHere } from '../core/visit.js'
import type { Admin, Fields, StaffVisit } from './frame.js'
import { awayNote, DEAD_LETTERS, queueTabs } from './queues.js'
import { facts, field, filtersIn, nextPage, select, table } from './table.js'

const ROWS = 50

const pathOf = (id: string): string => `${DEAD_LETTERS}/${id}`

const SERVICES: readonly (readonly [string, string])[] = [
  ['', 'All services'],
  ...OWNERS.map((one) => [one, one] as const),
]

const row = (one: DeadLetter, now: number): readonly unknown[] => [
  html`<label class="choice"><input type="checkbox" name="ids[]" value="${one.id}" form="letters" aria-label="${sayOf('Select %s', one.id)}"></label>`,
  html`<a href="${pathOf(one.id)}">${one.id}</a>`,
  html`<code>${one.consumer}</code>`,
  html`<p class="quote">${one.reason}</p>`,
  numberOf(one.tries),
  agoOf(one.at, now),
]

const bulk = (visit: StaffVisit, count: number): Html =>
  count === 0
    ? html``
    : html`<form id="letters" class="bulk" method="post" action="${DEAD_LETTERS}">${visit.proof}<div class="acts"><span>Selected dead letters:</span><button class="small" type="submit" name="do" value="replay">Run again</button><button class="danger small" type="submit" name="do" value="drop">Remove…</button></div></form>`

const show = async (visit: StaffVisit): Promise<void> => {
  const { max_id, ...query } = filtersIn(visit.req.query, ['service', 'queue', 'max_id'])
  if (!OWNERS.some((one) => one === query.service)) delete query.service
  const { dead_letters, next_max_id, unavailable } = await visit.ask(deadLetterList, {
    ...query,
    ...(max_id && /^\d{1,19}$/.test(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  visit.show({
    title: 'Dead letters',
    current: 'queues',
    body: html`${queueTabs(DEAD_LETTERS)}${awayNote(unavailable)}<p class="soft">Messages that were given up after their last attempt. Running one again is harmless if it was done before.</p><form class="card filters" method="get" action="${DEAD_LETTERS}" role="search">${select(
      { name: 'service', label: 'Service', value: query.service ?? '' },
      SERVICES,
    )}${field({ name: 'queue', label: 'Consumer', value: query.queue ?? '' })}<div class="acts"><button type="submit">Filter</button><a class="button quiet" href="${DEAD_LETTERS}">Reset</a></div></form>${table(
      'Dead letters',
      ['Select', 'Dead letter', 'Consumer', 'Reason', 'Attempts', 'Time'],
      dead_letters.map((one) => row(one, visit.now)),
      'There are no dead letters.',
    )}${bulk(visit, dead_letters.length)}${nextPage(DEAD_LETTERS, query, { max_id: next_max_id })}`,
  })
}

const showOne = async (visit: StaffVisit): Promise<void> => {
  const one = await visit.ask(deadLetterShow, { id: String(visit.req.params.id ?? '').slice(0, 60) })
  visit.show({
    title: one.id,
    above: html`<a href="${DEAD_LETTERS}">Dead letters</a>`,
    current: 'queues',
    body: html`<form class="acts" method="post" action="${DEAD_LETTERS}">${visit.proof}<input type="hidden" name="ids[]" value="${one.id}"><button type="submit" name="do" value="replay">Run again</button><button class="danger" type="submit" name="do" value="drop">Remove…</button></form><section class="card">${facts(
      [
        ['Consumer', html`<code>${one.consumer}</code>`],
        ['Subject', html`<code>${one.subject}</code>`],
        ['Message', html`<code>${one.message_id}</code>`],
        ['Reason', one.reason],
        ['Attempts', numberOf(one.tries)],
        ['Time', timeOf(one.at)],
      ],
    )}</section><section class="card"><h2>Content</h2>${
      one.hidden > 0 ? html`<p class="soft">${say('Texts that may be private are hidden.')}</p>` : ''
    }<pre class="data">${JSON.stringify(one.content, null, 2)}</pre></section>`,
  })
}

const idsIn = (form: Fields): string[] =>
  [form.ids ?? []]
    .flat()
    .flatMap((one) => (typeof one === 'string' && one.length <= 60 ? one : []))
    .slice(0, ROWS)

/** Asks before dead letters are removed, with a list of them. */
const confirmDrop = async (visit: StaffVisit, ids: string[]): Promise<void> => {
  const { dead_letters, unavailable } = await visit.ask(deadLetterDrop, { ids, dry_run: true })
  visit.show({
    title: 'Remove dead letters',
    above: html`<a href="${DEAD_LETTERS}">Back without a change</a>`,
    current: 'queues',
    body: html`${awayNote(unavailable)}<section class="card"><div class="preview" role="note"><p><b>${countOf(dead_letters.length, 'dead letter')}</b> ${say('would be removed. What it was about is never done.')}</p></div><ul class="plain-list">${dead_letters.map(
      (one) =>
        html`<li><span>${one.id} <code>${one.consumer}</code></span><span class="n">${agoOf(one.at, visit.now)}</span></li>`,
    )}</ul><form method="post" action="${DEAD_LETTERS}">${visit.proof}${dead_letters.map(
      ({ id }) => html`<input type="hidden" name="ids[]" value="${id}">`,
    )}<p class="acts"><button class="danger" type="submit" name="do" value="drop-confirmed">Remove</button><a class="button quiet" href="${DEAD_LETTERS}">Cancel</a></p></form></section>`,
  })
}

const told = (done: number, failed: number, verb: 'replayed' | 'removed'): string => {
  const text = verb === 'replayed' ? '%s run again.' : '%s removed.'
  const sum = sayOf(text, countOf(done, 'dead letter'))
  return failed === 0 ? sum : `${sum} ${sayOf('%s failed.', numberOf(failed))}`
}

const act = async (visit: StaffVisit, form: Fields): Promise<void> => {
  const ids = idsIn(form)
  if (ids.length === 0) return visit.done(DEAD_LETTERS, 'No dead letter was selected.')
  switch (form.do) {
    case 'replay': {
      const { done, failed } = await visit.ask(deadLetterReplay, { ids })
      return visit.done(DEAD_LETTERS, told(done.length, failed.length, 'replayed'))
    }
    case 'drop':
      return confirmDrop(visit, ids)
    case 'drop-confirmed': {
      const { done, failed } = await visit.ask(deadLetterDrop, { ids })
      return visit.done(DEAD_LETTERS, told(done.length, failed.length, 'removed'))
    }
    default:
      throw nothingHere()
  }
}

export const addDeadLetters = (admin: Admin): void => {
  admin.add('get', DEAD_LETTERS, 'view_devops', show)
  admin.add('post', DEAD_LETTERS, 'view_devops', act)
  admin.add('get', `${DEAD_LETTERS}/:id`, 'view_devops', showOne)
}
