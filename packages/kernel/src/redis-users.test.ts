/** Redis users derived from manifests. */
import { sharedKey } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { type Manifest, service } from './manifest.js'
import { redisContradictions, redisRulesOf } from './redis-users.js'

const present = sharedKey('streaming', 'present')
const of = (name: string, redis: Manifest['redis'], needs: Manifest['roles'][string]['needs'] = ['redis']) =>
  service(name, { redis, roles: { api: { scales: '', needs } } })
const streaming = of('streaming', { state: ['zadd'], shares: [present] })

test('a user has the keys of its service, reads shared keys, and may use the listed commands only', () => {
  expect(redisRulesOf(of('statuses', { state: ['zmscore', 'eval'], reads: [present] }), 'state')).toBe(
    '~statuses:* %R~streaming:present resetchannels -@all +auth +hello +ping +select +client|setname ' +
      '+set +exists +eval +zmscore',
  )
  expect(redisRulesOf(streaming, 'cache')).toBeNull()
})

test('contradicting manifests are reported', () => {
  expect(redisContradictions([streaming, of('statuses', { state: [], reads: [present] })])).toEqual([])
  expect(redisContradictions([of('statuses', {})])).toEqual([
    'statuses: a role needs redis if redis.state has commands',
  ])
  expect(redisContradictions([of('statuses', { state: [], cache: [] })])).toHaveLength(1)
  expect(
    redisContradictions([of('statuses', { state: [], reads: [present] }), of('streaming', { state: [] })]),
  ).toEqual(['statuses reads present, which streaming does not share'])
})
