/** A fake web push service. It creates subscriptions, authenticates the sender of each push message, and decrypts it. */
import { createECDH, randomBytes } from 'node:crypto'
import { decryptPush, type PushSecrets } from './push-decrypt.js'
import { checkVapid, type Vapid } from './push-vapid.js'
import { type Recorder, recorder } from './recorder.js'
import { type ListenOptions, type Received, type StubResponse, serve } from './web-server.js'

/** A push subscription as the browser's Push API returns it. */
export interface PushSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface Push {
  subscription: PushSubscription
  headers: Received['headers']
  encoding: 'aes128gcm' | 'aesgcm'
  vapid: Vapid
  /** Decrypted payload of the push message. */
  payload: string
}

export interface PushService {
  origin: string
  host: string
  port: number
  /** Creates a subscription with new keys. */
  subscribe(): PushSubscription
  /** Accepted push messages. */
  pushes: Recorder<Push>
  /** Push messages that were refused as malformed, with the reason. A correct sender causes none. */
  refused: Recorder<{ reason: string; headers: Received['headers'] }>
  /**
   * Responds with this status to the next `times` push messages, without reading them. If `times` is absent, responds
   * so to all push messages.
   */
  respondWith(status: number, options?: { times?: number; retryAfter?: number }): void
  /** Accepts push messages again. */
  repair(): void
  close(): Promise<void>
}

/** Starts the service. With `tls`, its endpoints are https URLs. */
export const startPushService = async (options: ListenOptions = {}): Promise<PushService> => {
  const subscriptions = new Map<string, { subscription: PushSubscription; secrets: PushSecrets }>()
  const pushes = recorder<Push>('pushes', (one) => one.payload)
  const refused = recorder<{ reason: string; headers: Received['headers'] }>('refused pushes', (one) => one.reason)
  let planned: { status: number; times: number; retryAfter: number | undefined } | undefined

  const server = await serve((request): StubResponse => {
    const known = subscriptions.get(request.path)
    if (!known) return { status: 404 }
    if (planned && planned.times > 0) {
      planned.times--
      const headers: Record<string, string> = {}
      if (planned.retryAfter !== undefined) headers['retry-after'] = String(planned.retryAfter)
      return { status: planned.status, headers }
    }
    if (request.body.length > MAX_BODY) {
      refused.push({ reason: 'the body is too large', headers: request.headers })
      return { status: 413 }
    }
    try {
      pushes.push({ ...known, ...read(request, known.secrets, server.origin) })
      return { status: 201, headers: { location: `${server.origin}/message/${randomBytes(8).toString('hex')}` } }
    } catch (error) {
      const reason = (error as Error).message
      refused.push({ reason, headers: request.headers })
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: reason }
    }
  }, options)

  return {
    origin: server.origin,
    host: server.host,
    port: server.port,
    pushes,
    refused,
    subscribe: () => {
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(24).toString('base64url')}`
      const subscription = { endpoint: server.origin + path, keys: { p256dh, auth: auth.toString('base64url') } }
      subscriptions.set(path, { subscription, secrets: { keys, auth } })
      return subscription
    },
    respondWith: (status, { times = Number.POSITIVE_INFINITY, retryAfter } = {}) => {
      planned = { status, times, retryAfter }
    },
    repair: () => {
      planned = undefined
    },
    close: server.close,
  }
}

/** Largest message that a push service must accept (RFC 8030, 7.2). */
const MAX_BODY = 4_096

const read = ({ method, headers, body }: Received, secrets: PushSecrets, origin: string) => {
  if (method !== 'POST') throw new Error(`a push is a POST, not ${method}`)
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) throw new Error('TTL is missing (RFC 8030 section 5.2)')
  const vapid = checkVapid(headers, origin)
  const payload = decryptPush({ headers, body }, secrets).toString('utf8')
  return { headers, vapid, payload, encoding: headers['content-encoding'] as Push['encoding'] }
}
