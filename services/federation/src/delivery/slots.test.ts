// Places on the way out: everyday deliveries always find one, whatever farewells and probes do.
import { expect, test } from 'vitest'
import { createSlots } from './slots.js'

test('farewells and probes have a share of their own that they cannot exceed', () => {
  const slots = createSlots(8)
  const none = () => undefined
  expect([slots.take('farewell', none), slots.take('farewell', none)]).toEqual([true, false])
  expect([slots.take('probe', none), slots.take('probe', none), slots.take('probe', none)]).toEqual([true, true, false])
  expect(Array.from({ length: 6 }, () => slots.take('usual', none))).toEqual([true, true, true, true, true, false])
})

test('a place that becomes free goes to everyday deliveries first, and to each waiter once', () => {
  const slots = createSlots(8)
  for (let n = 0; n < 8; n++) slots.take('usual', () => undefined)
  const told: string[] = []
  const farewell = () => told.push('farewell')
  const usual = () => told.push('usual')
  slots.take('farewell', farewell)
  slots.take('usual', usual)
  slots.take('usual', usual)
  slots.give('usual')
  slots.give('usual')
  slots.give('usual')
  expect(told).toEqual(['usual', 'farewell'])
})
