/** Sends push messages: encrypted for one client, signed with our key, through the guarded client. */
import { limits } from '@murmuration/contracts/limits'
import {
  addressGuard,
  guardUrl,
  type Outbound,
  OutboundError,
  type OutboundResponse,
  type Refusal,
  refusalOf,
} from '@murmuration/outbound'

export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
  standard: boolean
}

/** `gone` will never take messages again; `later` may, after so many seconds when the service said so. */
export type PushOutcome = { kind: 'delivered' } | { kind: 'gone' } | { kind: 'later'; seconds: number | null }

export interface PushClient {
  /** Public key that clients subscribe with; empty when nothing is pushed here. */
  readonly publicKey: string
  /** True when messages may be sent to this address. */
  accepts(endpoint: string): boolean
  send(target: PushTarget, payload: string, unsubscribeUrl: string): Promise<PushOutcome>
}

export interface PushOptions {
  outbound: Pick<Outbound, 'request'>
  /** Hears of addresses that clients named and nobody may be sent to. */
  onRefused(refusal: Refusal): void
  publicKey: string
  privateKey: string
  /** `mailto:` or `https:` address of who runs this server. */
  contact(): string
  /** Private address blocks that may be reached in tests. */
  allowAddresses: readonly string[]
}

const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 16_384
/** A little below a day, the most that RFC 8292 section 2 allows, because the library rounds. */
const TOKEN_SECONDS = limits.delivery.vapidSeconds - 30

/** The address itself is at fault, so that no later try can help. A name may have another address later. */
const isUnreachable = ({ code, retryable }: OutboundError): boolean =>
  code === 'bad_url' || (code === 'forbidden_address' && !retryable)

const retryAfter = ({ headers }: OutboundResponse): number | null => {
  const seconds = Number(headers['retry-after'])
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 3_600) : null
}

const outcomeOf = (response: OutboundResponse): PushOutcome => {
  const { status } = response
  if (status >= 200 && status < 300) return { kind: 'delivered' }
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

  const requestFor = async (target: PushTarget, payload: string, unsubscribeUrl: string) => {
    // Wanted only where something is pushed.
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
    async send(target, payload, unsubscribeUrl) {
      const { headers, body } = await requestFor(target, payload, unsubscribeUrl)
      try {
        const response = await options.outbound.request({
          method: 'POST',
          url: target.endpoint,
          headers,
          body,
          maxBytes: MOST_ANSWER_BYTES,
          timeoutMs: TIMEOUT_MS,
        })
        return outcomeOf(response)
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        return isUnreachable(error) ? { kind: 'gone' } : { kind: 'later', seconds: null }
      }
    },
  }
}
