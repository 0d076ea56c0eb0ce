/** Waiting for responders of operations, with a time limit. */
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitEndpoints, connectBus, type NatsConnection, registerService, serveEndpoint } from '../src/index.js'

let nats: TestNats
let nc: NatsConnection
beforeAll(async () => {
  nats = await startNats()
  nc = await connectBus({ url: nats.url, service: 'edge', name: 'edge', password: null })
})
afterAll(async () => {
  await nc.close()
  await nats.stop()
})

const wanted = ['show', 'hide'].map((verb) => ({ service: 'words', subject: `rpc.words.word.${verb}` }))

test('the wait ends when every operation has a responder, and lists those without one after its time limit', async () => {
  expect(await awaitEndpoints(nc, wanted, 1)).toEqual(wanted.map((one) => one.subject))
  const service = await registerService(nc, 'words', '1.0.0')
  const serve = ({ subject }: { subject: string }) =>
    serveEndpoint(service, {
      name: subject.slice('rpc.words.'.length),
      subject,
      about: '',
      large: false,
      handle: async () => null,
      unsent: () => undefined,
    })
  serve(wanted[0]!)
  expect(await awaitEndpoints(nc, wanted, 1)).toEqual([wanted[1]!.subject])
  const waiting = awaitEndpoints(nc, wanted, 60_000)
  serve(wanted[1]!)
  expect(await waiting).toEqual([])
  await service.stop()
})
