/** A process that serves one write, as services do: `write-responder.ts NATS_URL SERVICE`. Prints the word of each write that it does. */
import { connectBus, registerService } from '@murmuration/bus'
import { createFaults, createLog, handlersFor, serveOperation } from '../src/index.js'
import { watchStalls } from '../src/stalls.js'
import { writeOf } from './write.js'

const [url = '', service = ''] = process.argv.slice(2)
const nc = await connectBus({ url, service, name: service, password: null })
const { waitedMs } = watchStalls(() => nc.flush())
const entry = handlersFor<object>().handle(writeOf(service), async (_ctx, _viewer, { word }) => {
  process.stdout.write(`${word}\n`)
  return {}
})
serveOperation(await registerService(nc, service, '1.0.0'), entry, {
  service,
  ctx: {},
  log: createLog({ service, level: 'silent' }),
  faults: createFaults(''),
  checkOutputs: true,
  inHand: new Set(),
  waitedMs,
})
await nc.flush()
process.stdout.write('ready\n')
