/** Parsing of push subscriptions: keys, alerts and policy. */
import { createECDH, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readAlerts, readKeys, readSettings } from './subscription.rules.js'

const point = createECDH('prime256v1').generateKeys()
const auth = randomBytes(16)
const REFUSAL = 'Validation failed: is not a valid Ed25519 or Curve25519 key'

describe('keys', () => {
  const wanted = { p256dh: point.toString('base64url'), auth: auth.toString('base64url') }

  test('base64url and base64 are equivalent', () => {
    expect(readKeys(wanted)).toEqual(wanted)
    expect(readKeys({ p256dh: point.toString('base64'), auth: auth.toString('base64') })).toEqual(wanted)
  })

  const off = Buffer.from(point)
  off[40] = (off[40] ?? 0) ^ 1
  test.each([
    ['no keys', undefined],
    ['empty', {}],
    ['a short point', { ...wanted, p256dh: point.subarray(0, 64).toString('base64url') }],
    [
      'a compressed point',
      { ...wanted, p256dh: Buffer.concat([Buffer.from([2]), point.subarray(1)]).toString('base64url') },
    ],
    ['a point off the curve', { ...wanted, p256dh: off.toString('base64url') }],
    ['no base64', { ...wanted, p256dh: 'ä'.repeat(87) }],
    ['a long secret', { ...wanted, auth: randomBytes(17).toString('base64url') }],
    ['a short secret', { ...wanted, auth: randomBytes(15).toString('base64url') }],
  ])('%s is refused in the words clients know', (_what, keys) => {
    expect(() => readKeys(keys)).toThrow(REFUSAL)
  })
})

test('alerts are converted to booleans, stored only when sent, and unknown types are ignored', () => {
  const alerts = {
    mention: '1',
    follow: 'false',
    favourite: true,
    poll: 'true',
    reblog: 0,
    'admin.report': 'on',
    wave: true,
  }
  expect(readAlerts(alerts)).toEqual({
    mention: true,
    follow: false,
    favourite: true,
    poll: true,
    reblog: false,
    'admin.report': true,
  })
})

test('S-055 S-102 the policy is in data or at the top level, data takes precedence, and all is the default', () => {
  expect(readSettings({})).toEqual({ alerts: {}, policy: 'all' })
  expect(readSettings({ data: '', policy: 'followed' }).policy).toBe('followed')
  expect(readSettings({ data: { policy: 'none' }, policy: 'followed' }).policy).toBe('none')
  expect(() => readSettings({ policy: 'some' })).toThrow('Validation failed: Policy is not included in the list')
})
