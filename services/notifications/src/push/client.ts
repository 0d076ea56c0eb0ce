/** Client for push services: encrypts messages for one subscription (RFC 8291), signs requests with VAPID (RFC 8292). */
import { limits } from '@murmuration/contracts/limits'
import { createRespondingHostLimit } from '@murmuration/flow'
import {
  addressGuard,
  guardUrl,
  type Outbound,
  OutboundError,
  type OutboundResponse,
  type Refusal,
  refusalOf,
} from '@murmuration/outbound'

/**
 * Address and keys of a push subscription. `standard`: true for the encoding `aes128gcm` (RFC 8188), false for the
 * older draft encoding `aesgcm`.
 */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
  standard: boolean
}

/**
 * Result of sending a message.
 *
 * | Kind | Response | Effect |
 * |---|---|---|
 * | `delivered` | 2xx | none |
 * | `gone` | 4xx except 408, 413 and 429, or an address that may not be reached | the subscription is deleted |
 * | `too_large` | 413 | the message is dropped |
 * | `later` | other, or none | retry after `seconds` (`Retry-After`, at most 3,600); null if the service sent none |
 *
 * Nothing is sent, and the result is `later`, while the service has no slot because it does not respond.
 */
export type PushOutcome =
  | { kind: 'delivered' }
  | { kind: 'gone' }
  | { kind: 'too_large' }
  | { kind: 'later'; seconds: number | null }

export interface PushClient {
  /** VAPID public key with which clients subscribe; empty if push messages are not set up. */
  readonly publicKey: string
  /** True if messages may be sent to this URL: HTTPS on port 443 and no private address. */
  accepts(endpoint: string): boolean
  /** `free`: called if the service does not respond soon, so that messages to other services are sent meanwhile. */
  send(target: PushTarget, payload: string, unsubscribeUrl: string, free?: () => void): Promise<PushOutcome>
}

export interface PushOptions {
  outbound: Pick<Outbound, 'request'>
  /** Called with each endpoint whose IP address must not be reached, such as a private one. */
  onRefused(refusal: Refusal): void
  /** Logs for the operator why push services refuse messages. */
  report(reason: string, fields: { host: string }): void
  publicKey: string
  privateKey: string
  /** `mailto:` or `https:` URL of the operator, for the VAPID claim `sub`. */
  contact(): string
  /** Private address blocks that may be reached in tests. */
  allowAddresses: readonly string[]
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 16_384
/** Slots of one push service. They are fewer than the concurrency of the job, so that no service can use all of it. */
const SLOTS = { max: 24, unproven: 4, silenceMs: 3_000, failures: 4, pauseMs: 60_000 }
/** Milliseconds after which a message without a response no longer uses a slot of the job. */
const SLOW_MS = 1_000
/** Maximum number of messages without a slot of the job. It limits the memory and connections of this process. */
const MAX_FREED = 512
/**
 * Lifetime of a VAPID token. RFC 8292, 2 allows at most 24 hours. The token lifetime is 30 seconds shorter, because
 * `web-push` rounds.
 */
const TOKEN_SECONDS = limits.delivery.vapidSeconds - 30

/**
 * Whether no retry can succeed, because the URL is invalid or its IP address forbidden. Other errors may end, for
 * example when a host name gets another address.
 */
const isUnreachable = ({ code, retryable }: OutboundError): boolean =>
  code === 'bad_url' || (code === 'forbidden_address' && !retryable)

/** Seconds in the header `Retry-After` of a push service, at most one hour. Null if the header is absent or contains a date. */
const retryAfter = ({ headers }: OutboundResponse): number | null => {
  const seconds = Number(headers['retry-after'])
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 3_600) : null
}

const MAX_HOST = 100

/** Reason for the operator if a push service refuses the VAPID signature or the size of a message; null for other responses. */
const refusalReason = ({ status }: OutboundResponse): string | null => {
  if (status === 413) return 'a push service refuses a message with 413, because the message is too large'
  return status === 401 || status === 403
    ? `a push service refuses messages with ${status}: see VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, and compare the clock of this machine with the time`
    : null
}

const outcomeOf = (response: OutboundResponse): PushOutcome => {
  const { status } = response
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  // The content of a message comes from other accounts, so that its size says nothing about the subscription.
  if (status === 413) return { kind: 'too_large' }
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { kind: 'gone' }
  return { kind: 'later', seconds: retryAfter(response) }
}

export const createPushClient = (options: PushOptions): PushClient => {
  const open = options.allowAddresses.length > 0
  const urlPolicy = {
    allowed: addressGuard(options.allowAddresses),
    allowHttp: open,
    allowLocalNames: open,
    ports: open ? ('any' as const) : new Set([443]),
  }

  const slots = createRespondingHostLimit({ ...SLOTS, now: () => performance.now() })

  let freed = 0
  /** Calls `free` after SLOW_MS. Returns a function for the end of the message. */
  const freeWhenSlow = (free: () => void): (() => void) => {
    let isFreed = false
    const timer = setTimeout(() => {
      if (freed >= MAX_FREED) return
      freed++
      isFreed = true
      free()
    }, SLOW_MS)
    return () => {
      clearTimeout(timer)
      if (isFreed) freed--
    }
  }

  const requestFor = async (target: PushTarget, payload: string, unsubscribeUrl: string) => {
    // The library `web-push` is loaded on first use, because only the role `push` needs it.
    const { default: webPush } = await import('web-push')
    const contentEncoding = target.standard ? ('aes128gcm' as const) : ('aesgcm' as const)
    const details = webPush.generateRequestDetails(
      { endpoint: target.endpoint, keys: { p256dh: target.p256dh, auth: target.auth } },
      payload,
      { contentEncoding, TTL: limits.delivery.pushTtlSeconds, urgency: 'normal' },
    )
    const vapid = webPush.getVapidHeaders(
      new URL(target.endpoint).origin,
      options.contact(),
      options.publicKey,
      options.privateKey,
      contentEncoding,
      Math.floor(Date.now() / 1000) + TOKEN_SECONDS,
    )
    const cryptoKey = [details.headers['Crypto-Key'], vapid['Crypto-Key']].filter(Boolean).join(';')
    const {
      'Content-Length': _length,
      'Crypto-Key': _key,
      ...headers
    } = details.headers as Record<string, string | number>
    return {
      body: details.body as Buffer,
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(cryptoKey ? { 'Crypto-Key': cryptoKey } : {}),
        Authorization: vapid.Authorization,
        'Unsubscribe-URL': unsubscribeUrl,
      },
    }
  }

  const sendNow = async (
    { endpoint }: PushTarget,
    { headers, body }: Awaited<ReturnType<typeof requestFor>>,
  ): Promise<PushOutcome> => {
    const { origin, hostname } = new URL(endpoint)
    const leave = await slots.enter(origin)
    if (leave === null) return { kind: 'later', seconds: null }
    let responded = false
    try {
      const response = await options.outbound.request({
        method: 'POST',
        url: endpoint,
        headers,
        body,
        maxBytes: MAX_RESPONSE_BYTES,
        timeoutMs: TIMEOUT_MS,
      })
      responded = true
      const reason = refusalReason(response)
      if (reason !== null) options.report(reason, { host: hostname.slice(0, MAX_HOST) })
      return outcomeOf(response)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return isUnreachable(error) ? { kind: 'gone' } : { kind: 'later', seconds: null }
    } finally {
      leave(responded)
    }
  }

  return {
    publicKey: options.publicKey,
    accepts(endpoint) {
      try {
        guardUrl(endpoint, urlPolicy)
        return true
      } catch (error) {
        const refusal = refusalOf(error, endpoint)
        if (refusal) options.onRefused(refusal)
        return false
      }
    },
    async send(target, payload, unsubscribeUrl, free = () => undefined) {
      const end = freeWhenSlow(free)
      try {
        return await sendNow(target, await requestFor(target, payload, unsubscribeUrl))
      } finally {
        end()
      }
    },
  }
}
