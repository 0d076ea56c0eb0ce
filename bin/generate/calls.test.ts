/** The generated lists of the operations that each service calls. */
import { expect, test } from 'vitest'
import { callLists } from './calls.js'

const lists = callLists()
const has = (service: string, constant: string): boolean =>
  new RegExp(`\\b${constant}\\b`).test(lists[`services/${service}/src/calls.ts`] ?? '')

test('operations of other services are listed, also those that are called in a line of their own', () => {
  expect(has('streaming', 'renderForListeners')).toBe(true)
  expect(has('federation', 'fetchFollowers')).toBe(true)
})

test('own operations are listed if the code calls them, and not if they only have a handler', () => {
  expect(has('federation', 'fetchObject')).toBe(true)
  expect(has('federation', 'receiveActivity')).toBe(false)
})

test('operations with a route are listed if the code calls them, and not for their permissions only', () => {
  expect(has('federation', 'accountTimeline')).toBe(true)
  expect(has('admin', 'updateRole')).toBe(false)
})

test('admin may also call all kernels, and the gateway all operations with a route', () => {
  expect(has('admin', 'KERNEL')).toBe(true)
  expect(has('gateway', 'routedOperations')).toBe(true)
  expect(has('gateway', 'showStatus')).toBe(false)
})
