// The fake push service against the standard's own example and against an independent sender.
import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webPush from 'web-push'
import { request } from './http-client.js'
import { decryptPush } from './push-decrypt.js'
import { type PushService, type PushSubscription, startPushService } from './push-service.js'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

const vapidKeys = webPush.generateVAPIDKeys()

const push = (to: PushSubscription, contentEncoding: 'aes128gcm' | 'aesgcm', change: Record<string, string> = {}) => {
  const details = webPush.generateRequestDetails(to, '{"title":"héllo"}', {
    contentEncoding,
    TTL: 172_800,
    vapidDetails: { subject: 'mailto:admin@local.example', ...vapidKeys },
  })
  const headers = Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)]))
  return request(details.endpoint, { method: 'POST', headers: { ...headers, ...change }, body: details.body! })
}

test('the example of RFC 8291 appendix A decrypts', () => {
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  )
  const text = decryptPush({ headers: { 'content-encoding': 'aes128gcm' }, body }, { keys, auth }).toString()
  expect(text).toBe('When I grow up, I want to be a watermelon')
})

test.each(['aes128gcm', 'aesgcm'] as const)('a real %s push is decrypted and its sender proved', async (encoding) => {
  const subscription = service.subscribe()
  const reply = await push(subscription, encoding)
  expect([reply.status, reply.text]).toEqual([201, ''])
  const received = await service.pushes.next((one) => one.subscription === subscription)
  expect(received.payload).toBe('{"title":"héllo"}')
  expect(received.encoding).toBe(encoding)
  expect(received.headers.ttl).toBe('172800')
  expect(received.vapid.publicKey).toBe(vapidKeys.publicKey)
  expect(received.vapid.claims).toMatchObject({ aud: service.origin, sub: 'mailto:admin@local.example' })
})

test('a push with a foreign token or without TTL is refused with the reason', async () => {
  const subscription = service.subscribe()
  const otherKey = webPush.generateVAPIDKeys().publicKey
  const token = /t=([^,]+)/.exec(
    webPush.generateRequestDetails(subscription, 'x', {
      vapidDetails: { subject: 'mailto:a@b.example', ...vapidKeys },
    }).headers.Authorization as string,
  )![1]
  const forged = await push(subscription, 'aes128gcm', { Authorization: `vapid t=${token}, k=${otherKey}` })
  expect([forged.status, forged.text]).toEqual([400, 'the token is not signed by the key beside it'])
  const endless = await push(subscription, 'aes128gcm', { TTL: 'soon' })
  expect([endless.status, endless.text]).toEqual([400, 'TTL is missing (RFC 8030 section 5.2)'])
})

test('it responds as configured: gone permanently, or too many requests for a while', async () => {
  const subscription = service.subscribe()
  service.respondWith(429, { times: 1, retryAfter: 7 })
  const asked = await push(subscription, 'aes128gcm')
  expect([asked.status, asked.headers['retry-after']]).toEqual([429, '7'])
  expect((await push(subscription, 'aes128gcm')).status).toBe(201)
  service.respondWith(410)
  expect((await push(subscription, 'aes128gcm')).status).toBe(410)
  expect((await push(subscription, 'aesgcm')).status).toBe(410)
  service.repair()
  expect((await push(subscription, 'aesgcm')).status).toBe(201)
})
