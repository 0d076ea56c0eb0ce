/** Moderation steps for the accounts of a domain after a change of its blocks. */
import { expect, test } from 'vitest'
import { blockStamp } from './domain-name.rules.js'
import { allowStamp, stepsOf, undoingSteps } from './domain-policy.rules.js'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const stamp = (minute: number) => at(minute).toISOString()
const block = (domain: string, severity: 'noop' | 'silence' | 'suspend', minute: number) => ({
  domain,
  severity,
  reject_media: false,
  reject_reports: false,
  created_at: at(minute),
})
const domain = 'bad.example'
const change = { domain, stamp: stamp(1) }

test('a suspension first removes an earlier limit of the same block', () => {
  expect(stepsOf(change, { blocks: [block(domain, 'suspend', 1)], allowed: false }, false)).toEqual([
    { domain, action: 'unsilence', stamp: stamp(1) },
    { domain, action: 'suspend', stamp: stamp(1) },
  ])
})

test('a block without effect on accounts, or a removed one, undoes limit and suspension', () => {
  const undone = [
    { domain, action: 'unsuspend', stamp: stamp(1) },
    { domain, action: 'unsilence', stamp: stamp(1) },
  ]
  expect(stepsOf(change, { blocks: [block(domain, 'noop', 1)], allowed: false }, false)).toEqual(undone)
  expect(stepsOf(change, { blocks: [], allowed: false }, false)).toEqual(undone)
})

test('a block with a severity of a newer release changes no accounts', () => {
  const newer = { ...block('example', 'noop', 1), severity: 'quarantine' as 'noop' }
  expect(stepsOf(change, { blocks: [newer], allowed: false }, false)).toEqual(
    stepsOf(change, { blocks: [], allowed: false }, false),
  )
  expect(undoingSteps(domain, { blocks: [newer], allowed: false }, { blocks: [], allowed: false })).toEqual([])
})

test('accounts of a removed block stay covered by the block of the parent domain', () => {
  expect(stepsOf(change, { blocks: [block('example', 'suspend', 0)], allowed: false }, false).at(-1)).toEqual({
    domain,
    action: 'suspend',
    stamp: stamp(0),
  })
})

test('a recreated block does not keep the effects of the earlier one', () => {
  expect(stepsOf(change, { blocks: [block(domain, 'suspend', 9)], allowed: false }, false)).toEqual([
    { domain, action: 'unsuspend', stamp: stamp(1) },
    { domain, action: 'unsilence', stamp: stamp(1) },
    { domain, action: 'suspend', stamp: stamp(9) },
  ])
})

test('moderation 4: in limited federation mode accounts of domains that are not allowed are suspended, otherwise not', () => {
  const own = { domain, stamp: allowStamp(domain) }
  const exact = { ...own, exact: true }
  expect(stepsOf(own, { blocks: [], allowed: false }, false)).toEqual([{ ...exact, action: 'unsuspend' }])
  expect(stepsOf(own, { blocks: [], allowed: false }, true)).toEqual([{ ...exact, action: 'suspend' }])
  expect(stepsOf(own, { blocks: [block(domain, 'silence', 1)], allowed: true }, true)).toEqual([
    { ...exact, action: 'unsuspend' },
    { domain, action: 'silence', stamp: stamp(1) },
  ])
})

test('blocks that were removed or changed while they were applied are undone, and others stay', () => {
  const policy = (...blocks: ReturnType<typeof block>[]) => ({ blocks, allowed: false })
  const [parent, own] = [block('example', 'suspend', 1), block(domain, 'silence', 2)]
  expect(undoingSteps(domain, policy(parent, own), policy(own))).toEqual([
    { domain, action: 'unsuspend', stamp: blockStamp(parent) },
  ])
  expect(undoingSteps(domain, policy(own), policy({ ...own, severity: 'suspend' }))).toEqual([
    { domain, action: 'unsilence', stamp: blockStamp(own) },
  ])
  expect(undoingSteps(domain, policy(parent, own), policy(parent, own))).toEqual([])
})
