/** Worker slots of delivery: deletions and deliveries to failing hosts do not take the slots of ordinary deliveries. */
import { expect, test, vi } from 'vitest'
import { createSlots } from './slots.js'

test('actor deletions and deliveries to failing hosts cannot exceed their quota', () => {
  const slots = createSlots(16)
  const none = () => undefined
  expect([1, 2, 3].map(() => slots.take('deletion', none))).toEqual([true, true, false])
  expect([slots.take('failing', none), slots.take('failing', none), slots.take('failing', none)]).toEqual([
    true,
    true,
    false,
  ])
  expect(Array.from({ length: 13 }, () => slots.take('usual', none)).filter(Boolean)).toHaveLength(12)
})

test('a released slot goes to ordinary deliveries first, and to each waiting caller once', () => {
  const slots = createSlots(8)
  for (let n = 0; n < 8; n++) slots.take('usual', () => undefined)
  const granted: string[] = []
  const waiter = (kind: 'usual' | 'deletion') => () => {
    granted.push(kind)
    slots.take(kind, () => undefined)
  }
  slots.take('deletion', waiter('deletion'))
  const usual = waiter('usual')
  slots.take('usual', usual)
  slots.take('usual', usual)
  slots.give('usual')
  expect(granted).toEqual(['usual'])
  slots.give('usual')
  expect(granted).toEqual(['usual', 'deletion'])
})

test('a slot that a caller no longer needs goes to the next caller', () => {
  const slots = createSlots(1)
  slots.take('usual', () => undefined)
  const granted: string[] = []
  slots.take('usual', () => granted.push('lost'))
  slots.take('usual', () => granted.push('next'))
  slots.give('usual')
  expect(granted).toEqual(['lost', 'next'])
})

test('hosts that may not respond wait while many ordinary deliveries are in flight, at most two seconds', () => {
  vi.useFakeTimers()
  const slots = createSlots(32)
  const granted: string[] = []
  expect(slots.take('usual', () => undefined)).toBe(true)
  expect(slots.take('unproven', () => undefined)).toBe(true)
  expect(slots.take('usual', () => undefined)).toBe(true)
  expect(slots.take('unproven', () => granted.push('unproven'))).toBe(false)
  expect(slots.take('failing', () => granted.push('failing'))).toBe(false)
  expect(slots.take('deletion', () => undefined)).toBe(true)
  vi.advanceTimersByTime(1_999)
  expect(granted).toEqual([])
  slots.give('usual')
  expect(granted).toEqual(['unproven', 'failing'])
  slots.take('usual', () => undefined)
  slots.take('failing', () => granted.push('impatient'))
  vi.advanceTimersByTime(1_999)
  expect(granted).toEqual(['unproven', 'failing'])
  vi.advanceTimersByTime(1)
  expect(granted).toEqual(['unproven', 'failing', 'impatient'])
  vi.useRealTimers()
})

test('a delivery that waited for two seconds gets a slot, however many ordinary deliveries wait', () => {
  vi.useFakeTimers()
  const slots = createSlots(32)
  const granted: string[] = []
  const wait = (kind: 'usual' | 'unproven', name: string) => {
    const again = () => {
      granted.push(name)
      slots.take(kind, again)
    }
    slots.take(kind, again)
  }
  for (let n = 0; n < 32; n++) slots.take('usual', () => undefined)
  for (const name of ['a', 'b', 'c']) wait('unproven', name)
  for (const name of ['u', 'v', 'w', 'x']) wait('usual', name)
  slots.give('usual')
  expect(granted).toEqual(['u'])
  vi.advanceTimersByTime(2_000)
  expect(granted).toEqual(['u'])
  for (let n = 0; n < 5; n++) slots.give('usual')
  expect(granted).toEqual(['u', 'a', 'b', 'v', 'w', 'x'])
  slots.give('usual')
  expect(granted).toEqual(['u', 'a', 'b', 'v', 'w', 'x', 'c'])
  vi.useRealTimers()
})

test('unproven hosts never use all slots', () => {
  const slots = createSlots(32)
  const taken = Array.from({ length: 40 }, () => slots.take('unproven', () => undefined))
  expect(taken.filter(Boolean)).toHaveLength(30)
  expect(slots.take('usual', () => undefined)).toBe(true)
})
