/** A process that serves one operation: `responder.ts NATS_URL SERVICE OPERATION`. Prints its id when it is ready. SIGTERM stops it in order. */
import { setTimeout as pause } from 'node:timers/promises'
import { connectBus, registerService, serveEndpoint } from '../src/index.js'

const [url = '', name = '', operation = ''] = process.argv.slice(2)
const nc = await connectBus({ url, service: name, name, password: null })
const served = await registerService(nc, name, '1.0.0')
const { id } = served.service.info()
const inWork = new Set<Promise<unknown>>()
serveEndpoint(served, {
  name: operation,
  subject: `rpc.${name}.${operation}`,
  about: 'Says which process answers.',
  large: false,
  handle(question) {
    const text = typeof question.data === 'string' ? question.data : new TextDecoder().decode(question.data)
    const work = pause(Number(text)).then(() => ({
      bytes: new TextEncoder().encode(id),
      meta: { status: 200, headers: {}, next: null, prev: null, code: null },
    }))
    inWork.add(work)
    return work
  },
  unsent: () => undefined,
})
await nc.flush()
process.stdout.write(`${id}\n`)
process.once('SIGTERM', async () => {
  await served.stop()
  await Promise.all(inWork)
  await nc.drain()
})
