/**
 * Rules of webhooks: which permissions an event requires, which outcome a response means, and when a webhook is paused.
 */
import { WEBHOOK_PERMISSION } from '@murmuration/contracts/admin'
import { WebhookEvent } from '@murmuration/contracts/entities'
import { invalidField } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'

interface LoggedWebhook {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly template: string | null
  readonly enabled: boolean
  readonly paused_at: Date | null
}

/** The host of an address with its port. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

/** True if the viewer has the permissions that all these events require. */
export const maySee = (events: readonly WebhookEvent[], permissions: number): boolean =>
  events.every((event) => can(permissions, WEBHOOK_PERMISSION[event]))

/**
 * Events of a webhook without duplicates.
 * @throws unprocessable for an empty list, for unknown events, and for events that the role may not see
 */
export const eventsOf = (given: readonly string[], permissions: number): WebhookEvent[] => {
  if (given.length === 0) throw invalidField("Events can't be blank")
  const events = [...new Set(given)].map((name) => {
    const known = WebhookEvent.safeParse(name)
    if (!known.success) throw invalidField('Events is invalid')
    return known.data
  })
  if (!maySee(events, permissions)) throw invalidField("Events cannot include events you don't have the rights to")
  return events
}

/** `refused` is final; `failed` may succeed later, at the earliest after `retryAfter` seconds. */
export interface Outcome {
  state: 'delivered' | 'refused' | 'failed'
  status: number | null
  error: string | null
  retryAfter: number | null
}

const LATER = new Set([401, 408, 429])

/** The outcome of a webhook's response: a status 4xx is final, except 401, 408 and 429. */
export const outcomeOf = (status: number, retryAfter: string | undefined): Outcome => {
  if (status >= 200 && status < 300) return { state: 'delivered', status, error: null, retryAfter: null }
  const final = status >= 400 && status < 500 && !LATER.has(status)
  const seconds = Number(retryAfter)
  return {
    state: final ? 'refused' : 'failed',
    status,
    error: `HTTP ${status}`,
    retryAfter: Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 21_600) : null,
  }
}

/** Milliseconds without a success after which a webhook is paused. */
const PAUSED_AFTER_MS = 86_400_000

export const isPausedNow = (failingSince: Date | null, now: number): boolean =>
  failingSince !== null && now - failingSince.getTime() >= PAUSED_AFTER_MS

/** The part of a webhook in the audit log. The log contains only the host, because URLs and templates may contain secrets. */
export const loggedOf = ({ url, events, enabled, paused_at }: LoggedWebhook) => ({
  host: hostOf(url),
  events,
  enabled,
  paused_at,
})

/** Flags for changed values of a webhook that the audit log does not show, such as its URL. */
export const changesOf = (before: LoggedWebhook, after: LoggedWebhook) => ({
  ...(before.url === after.url ? {} : { url_changed: true }),
  ...(before.template === after.template ? {} : { template_changed: true }),
})

/** Values that the audit log stores only for undo, and never shows. The secret is encrypted. */
export const hiddenOf = ({ url, template, secret }: { url: string; template: string | null; secret: string }) => ({
  url,
  template,
  secret,
})
