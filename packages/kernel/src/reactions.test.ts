/** The job that a replay of a dead letter queues. */
import { job } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { handlersFor } from './handlers.js'
import { restoredJob } from './reactions.js'

const { work } = handlersFor<object>()
const send = job('media.send', {
  data: z.object({ to: z.string(), again: z.boolean().optional() }),
  about: 'Sends something to the internet.',
})
const letter = { consumer: 'media_send', data: '{"to":"a.example"}' }
const jobOf = (more: Parameters<typeof work<typeof send>>[2] = {}, given = letter) =>
  restoredJob({ jobs: [work(send, async () => undefined, more)] }, given)

test('a job is queued with the data of its dead letter', () => {
  expect(jobOf()).toEqual({ job: send, data: { to: 'a.example' } })
})

test('a restored job has the data that its handler chose for it', () => {
  const restored = <T>(data: T) => ({ ...data, again: true })
  expect(jobOf({ restored })).toEqual({ job: send, data: { to: 'a.example', again: true } })
})

test('the dead letter of another consumer has no job, and unreadable data are refused', () => {
  expect(jobOf({}, { ...letter, consumer: 'media_other' })).toBe(null)
  expect(() => jobOf({}, { ...letter, data: '{"to":1}' })).toThrow()
})
