/** The process that replays a dead letter. */
import { type AnyJob, job } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { handlersFor } from './handlers.js'
import { rerunOrQueue, type WorkContext } from './reactions.js'

const { work } = handlersFor<object>()
const send = job('media.send', { data: z.object({ to: z.string() }), about: 'Sends something to the internet.' })
const letter = { consumer: 'media_send', message_id: 'x', data: '{"to":"a.example"}' }

const redoIn = async (jobs: readonly AnyJob[]) => {
  const ran: string[] = []
  const queued: unknown[] = []
  const handlers = { reactions: [], jobs: [work(send, async (_ctx, { to }) => void ran.push(to))] }
  const context = { service: 'media', ctx: {} } as unknown as WorkContext
  await rerunOrQueue(context, handlers, [['api', { jobs }]], letter, async (one, data) => {
    queued.push([one.name, data])
  })
  return { ran, queued }
}

test('a job is replayed in a process that handles its queue', async () => {
  expect(await redoIn([send])).toEqual({ ran: ['a.example'], queued: [] })
})

test('a job is queued again by a process that does not handle its queue', async () => {
  expect(await redoIn([])).toEqual({ ran: [], queued: [['media.send', { to: 'a.example' }]] })
})
