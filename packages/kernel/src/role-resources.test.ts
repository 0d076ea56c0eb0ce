/** Resources of a role: those in its `needs`, and no others. */
import { expect, test } from 'vitest'
import { createNeeds } from './role-resources.js'
import { ConfigError } from './settings.js'

const needs = createNeeds('media', [
  ['api', { needs: ['postgres', 'blob'] }],
  ['worker', { needs: ['postgres', 'internet'] }],
])

test('a need of any role of the process is opened', () => {
  expect(needs.grant('blob', () => ({ get: () => 1 })).get()).toBe(1)
  expect(needs.grant('internet', () => ({ get: () => 2 })).get()).toBe(2)
  expect([needs.has('postgres'), needs.has('redis')]).toEqual([true, false])
})

test('a need of no role is not opened, and its use is refused in one line', async () => {
  let opened = 0
  const open = async () => {
    opened++
    return { get: () => 1, close: () => {} }
  }
  const closed = await needs.grant('redis', open)
  expect(opened).toBe(0)
  expect(() => closed.get()).toThrow(ConfigError)
  expect(() => closed.get()).toThrow('media:api,worker uses redis, which its manifest does not name in needs.')
  await closed.close()
})
