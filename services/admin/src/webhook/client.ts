/** Sends signed requests to webhooks, through the guarded client. */

import { createHmac } from 'node:crypto'
import { userAgentOf } from '@murmuration/contracts/kit'
import { type BaseContext, logReasons, logRefusals, type SecretCipher, secretCipherFor } from '@murmuration/kernel'
import {
  addressGuard,
  createOutbound,
  guardUrl,
  type Outbound,
  OutboundError,
  type OutboundRequest,
} from '@murmuration/outbound'
import { type Outcome, outcomeOf } from './rules.js'
import { createSlots, type Slots } from './slots.js'

/** A webhook with its encrypted secret. */
export interface Receiver {
  readonly id: string
  readonly url: string
  readonly secret: string
}

export interface Webhooks {
  /** Limits simultaneous requests to one webhook. */
  readonly slots: Slots
  /** Encrypts the secrets of webhooks. The id of the webhook is part of the encryption, so that a secret is valid for one webhook only. */
  readonly secretCipher: SecretCipher
  /** True when requests may be sent to this address. */
  accepts(url: string): boolean
  /**
   * Sends a signed request with this body. If the secret of the webhook cannot be decrypted, nothing is sent, and the
   * delivery is retried. The time limit is 15 seconds by default.
   */
  send(webhook: Receiver, body: string, timeoutMs?: number): Promise<Outcome>
}

const TIMEOUT_MS = 15_000
/**
 * `max`: maximum number of concurrent requests to one webhook. `waitMs`: longest wait for a slot. Deliveries to a
 * webhook that has not responded for `silenceMs` do not wait for a slot.
 */
const SLOTS = { max: 4, silenceMs: 3_000, waitMs: 12_000 }

/** Signature of a request to a webhook: `sha256=` and the HMAC-SHA256 of the body in hex. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const failure = (error: OutboundError): Outcome => ({
  // An invalid URL and a forbidden IP address in a URL are final failures. A host name may get another address later,
  // so its delivery is retried.
  state: error.code === 'bad_url' || (error.code === 'forbidden_address' && !error.retryable) ? 'refused' : 'failed',
  status: null,
  error: error.code,
  retryAfter: null,
})

const UNREADABLE_SECRET: Outcome = { state: 'failed', status: null, error: 'unreadable_secret', retryAfter: null }

/** Creates the client for requests to webhooks. `allowAddresses`: private address ranges that tests may use. */
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
      userAgent: userAgentOf(base.site.origin),
      mode: base.common.mode,
      onRefused,
      allowPrivate: local,
      allowAddresses: [...allowAddresses],
      allowHttp: local,
      ports: local ? 'any' : [80, 443],
      clock: base.clock,
    })
  // The client is created at the first request, because most servers have no webhook and the client needs some
  // megabytes for certificates.
  let opened: Outbound | null = null
  const outbound = base.needs.grant('internet', () => ({
    request: (request: OutboundRequest) => {
      opened ??= open()
      return opened.request(request)
    },
    close: async () => opened?.close(),
  }))
  base.onClose('outbound', () => outbound.close())
  const secretCipher = secretCipherFor(base.common, 'admin:webhook-secrets', logReasons(base))
  return {
    slots: createSlots(SLOTS),
    secretCipher,
    accepts(url) {
      try {
        guardUrl(url, policy)
        return true
      } catch {
        return false
      }
    },
    async send({ id, url, secret: encrypted }, body, timeoutMs = TIMEOUT_MS) {
      const secret = secretCipher.decryptOrNull(encrypted, id)
      if (secret === null) return UNREADABLE_SECRET
      try {
        const response = await outbound.request({
          method: 'POST',
          url,
          headers: { 'Content-Type': 'application/json', 'X-Hub-Signature': signatureOf(secret, body) },
          body,
          maxBytes: 0,
          // The body of the response is skipped, because only the status is needed.
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
