/** Sends signed requests to webhooks, through the guarded client. */
import { createHmac } from 'node:crypto'
import { createKeyedLimiter, type Release } from '@murmuration/flow'
import { type BaseContext, createSeal, derive, logRefusals, type Seal } from '@murmuration/kernel'
import {
  addressGuard,
  createOutbound,
  guardUrl,
  type Outbound,
  OutboundError,
  type OutboundRequest,
} from '@murmuration/outbound'
import { type Outcome, outcomeOf } from './rules.js'

export interface Webhooks {
  /** Takes a slot of a webhook, and returns the function that releases it. Null if none became free for two seconds. */
  takeSlot(webhook: string): Promise<Release | null>
  /** Encrypts secrets, each bound to its webhook by the id. */
  readonly seal: Seal
  /** True when requests may be sent to this address. */
  accepts(url: string): boolean
  /** Sends a body with its signature. `secret` is the plain text. The time limit is 15 seconds by default. */
  send(url: string, secret: string, body: string, timeoutMs?: number): Promise<Outcome>
}

const TIMEOUT_MS = 15_000
/** Most requests of a process to one webhook at the same time, so that a slow one leaves most of the job's concurrency to others. */
const MOST_AT_ONCE = 4
/** Most deliveries that wait for them, and milliseconds that they wait. */
const MOST_WAITING = 12
const WAIT_MS = 2_000

/** `sha256=` and the HMAC-SHA256 of the body in hex. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const failure = (error: OutboundError): Outcome => ({
  // Invalid URLs and forbidden IP addresses are final. A name may get another address later.
  state: error.code === 'bad_url' || (error.code === 'forbidden_address' && !error.retryable) ? 'refused' : 'failed',
  status: null,
  error: error.code,
  retryAfter: null,
})

/** Creates the client. `allowAddresses`: private address ranges that tests may use. */
export const openWebhooks = (
  base: Pick<BaseContext, 'needs' | 'common' | 'site' | 'log' | 'clock' | 'onClose'>,
  allowAddresses: readonly string[],
): Webhooks => {
  const local = allowAddresses.length > 0
  const onRefused = logRefusals(base)
  const policy = {
    allowed: addressGuard([...allowAddresses]),
    allowHttp: local,
    allowLocalNames: local,
    ports: local ? ('any' as const) : new Set([80, 443]),
  }
  const open = () =>
    createOutbound({
      userAgent: `Murmuration/4.6.0 (+${base.site.origin}/)`,
      mode: base.common.mode,
      onRefused,
      allowPrivate: local,
      allowAddresses: [...allowAddresses],
      allowHttp: local,
      ports: local ? 'any' : [80, 443],
      clock: base.clock,
    })
  // Created at the first request, because most servers have no webhook and the client needs some megabytes for certificates.
  let opened: Outbound | null = null
  const outbound = base.needs.grant('internet', () => ({
    request: (request: OutboundRequest) => {
      opened ??= open()
      return opened.request(request)
    },
    close: async () => opened?.close(),
  }))
  base.onClose('outbound', () => outbound.close())
  const slots = createKeyedLimiter({ concurrency: MOST_AT_ONCE, queue: MOST_WAITING })
  return {
    takeSlot: async (webhook) => {
      try {
        return await slots.enter(webhook, AbortSignal.timeout(WAIT_MS))
      } catch {
        return null
      }
    },
    seal: createSeal(derive(base.common, 'admin:webhook-secrets')),
    accepts(url) {
      try {
        guardUrl(url, policy)
        return true
      } catch {
        return false
      }
    },
    async send(url, secret, body, timeoutMs = TIMEOUT_MS) {
      try {
        const response = await outbound.request({
          method: 'POST',
          url,
          headers: { 'Content-Type': 'application/json', 'X-Hub-Signature': signatureOf(secret, body) },
          body,
          maxBytes: 0,
          // The status is the whole response, however large or slow the body is.
          skipsBody: true,
          timeoutMs,
        })
        return outcomeOf(response.status, response.headers['retry-after'])
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        return failure(error)
      }
    },
  }
}
