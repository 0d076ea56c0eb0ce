/** The process that replays a dead letter. */
import { type AnyJob, job } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { handlersFor } from './handlers.js'
import { rerunOrQueue, type WorkContext } from './reactions.js'

const { work } = handlersFor<object>()
const send = job('media.send', {
  data: z.object({ to: z.string(), again: z.boolean().optional() }),
  about: 'Sends something to the internet.',
})
const letter = { consumer: 'media_send', message_id: 'x', data: '{"to":"a.example"}' }

const redoIn = async (jobs: readonly AnyJob[], more: Parameters<typeof work<typeof send>>[2] = {}) => {
  const ran: unknown[] = []
  const queued: unknown[] = []
  const handlers = { reactions: [], jobs: [work(send, async (_ctx, data) => void ran.push(data), more)] }
  const context = { service: 'media', ctx: {} } as unknown as WorkContext
  await rerunOrQueue(context, handlers, [['api', { jobs }]], letter, async (one, data) => {
    queued.push([one.name, data])
  })
  return { ran, queued }
}

test('a job is replayed in a process that handles its queue', async () => {
  expect(await redoIn([send])).toEqual({ ran: [{ to: 'a.example' }], queued: [] })
})

test('a job is queued again by a process that does not handle its queue', async () => {
  expect(await redoIn([])).toEqual({ ran: [], queued: [['media.send', { to: 'a.example' }]] })
})

test('a dead letter that is queued again counts as processed, so that its message does not run beside it', async () => {
  const processed: unknown[] = []
  const context = { service: 'media', ctx: {}, markProcessed: async (one: unknown) => void processed.push(one) }
  const handlers = { reactions: [], jobs: [work(send, async () => undefined)] }
  const numbered = { ...letter, message_id: '7' }
  await rerunOrQueue(
    context as unknown as WorkContext,
    handlers,
    [['api', { jobs: [] }]],
    numbered,
    async () => undefined,
  )
  expect(processed).toEqual([{ consumer: 'media_send', eventId: '7' }])
})

test('a restored job has the data that its handler chose for it', async () => {
  const restored = <T>(data: T) => ({ ...data, again: true })
  const data = { to: 'a.example', again: true }
  expect(await redoIn([send], { restored })).toEqual({ ran: [data], queued: [] })
  expect(await redoIn([], { restored })).toEqual({ ran: [], queued: [['media.send', data]] })
})
