/** Queues of all services below `/admin`: outboxes, and NATS consumers with their waiting messages. */
import { listQueues } from '@murmuration/contracts/admin'
import type { ConsumerState, QueueState } from '@murmuration/contracts/kernel'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { numberOf } from '../core/parts/time.js'
import type { Admin, StaffRequest } from './frame.js'
import { badge, table, tabs } from './table.js'

const QUEUES = '/admin/queues'
export const DEAD_LETTERS = '/admin/dead_letters'

/** Age in seconds from which the oldest message is marked as late. */
const LATE_SECONDS = 600

export const queueTabs = (current: string): Html =>
  tabs(
    t('Queues'),
    [
      [QUEUES, t('Queues')],
      [DEAD_LETTERS, t('Dead letters')],
    ],
    current,
  )

/** Warning that names the services that did not respond; empty if all responded. */
export const unavailableNote = (unavailable: readonly string[]): Html | '' =>
  unavailable.length === 0
    ? ''
    : html`<p class="flash wrong" role="alert">${t('No response from: {services}', { services: unavailable.join(', ') })}</p>`

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** A duration such as `4 min`, in its largest unit. */
export const spanOf = (seconds: number): string => {
  const [size, unit] = UNITS.find(([one]) => seconds >= one) ?? [1, 's']
  return `${numberOf(Math.floor(seconds / size))} ${unit}`
}

/** Age in seconds of the oldest waiting message or event in these services; 0 if none waits. */
export const oldestOf = (services: readonly QueueState[]): number =>
  Math.max(
    0,
    ...services.flatMap(({ outbox, consumers }) => [
      outbox.oldestSeconds,
      ...consumers.map((one) => one.oldestSeconds ?? 0),
    ]),
  )

export const isLate = (seconds: number): boolean => seconds >= LATE_SECONDS

const ageCell = (seconds: number | null): Html | string =>
  seconds === null
    ? t('unknown')
    : seconds === 0
      ? html`<span class="muted">–</span>`
      : isLate(seconds)
        ? html`<span class="badge bad">${spanOf(seconds)}</span>`
        : spanOf(seconds)

const byAge = (a: ConsumerState, b: ConsumerState): number =>
  (b.oldestSeconds ?? 0) - (a.oldestSeconds ?? 0) || b.pending - a.pending || a.consumer.localeCompare(b.consumer)

const show = async ({ callApi, show: respond }: StaffRequest): Promise<void> => {
  const { services, unavailable } = await callApi(listQueues, {})
  const consumers = services.flatMap((one) => one.consumers).toSorted(byAge)
  const busy = consumers.filter((one) => one.pending + one.ackPending > 0)
  respond({
    title: t('Queues'),
    current: 'queues',
    body: html`${queueTabs(QUEUES)}${unavailableNote(unavailable)}${table(
      t('Services'),
      [t('Service'), t('Events to publish'), t('Oldest'), t('Dead letters')],
      services.map((one) => [
        html`<b>${one.service}</b>`,
        numberOf(one.outbox.unsent),
        ageCell(one.outbox.oldestSeconds),
        one.deadLetters > 0
          ? html`<a href="${DEAD_LETTERS}?service=${one.service}"><span class="badge bad">${numberOf(one.deadLetters)}</span></a>`
          : html`<span class="muted">0</span>`,
      ]),
      t('No service responded.'),
    )}<h2>${t('Consumers with messages')}</h2>${table(
      t('Consumers with messages'),
      [t('Consumer'), t('Waiting'), t('In progress'), t('Oldest'), t('Redelivered')],
      busy.map((one) => [
        html`<code>${one.consumer}</code>`,
        numberOf(one.pending),
        numberOf(one.ackPending),
        ageCell(one.oldestSeconds),
        numberOf(one.redelivered),
      ]),
      t('Nothing waits.'),
    )}<p class="muted">${badge('OK', 'ok')} ${t('{count, plural, one {# other consumer has no messages.} other {# other consumers have no messages.}}', { count: consumers.length - busy.length })}</p>`,
  })
}

export const addQueues = (admin: Admin): void => admin.add('get', QUEUES, 'view_devops', show)
