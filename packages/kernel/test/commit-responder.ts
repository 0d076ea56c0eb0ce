/**
 * A process that serves one write in a transaction: `commit-responder.ts NATS_URL SERVICE DATABASE_URL`. Prints each stored word
 * before the commit. A word that begins with `twice` is committed before in another transaction.
 */
import { connectBus, registerService } from '@murmuration/bus'
import { openDatabase, sql } from '@murmuration/db'
import { createFaults, createLog, handlersFor, remainingMs, serveOperation } from '../src/index.js'
import { guardCommits } from '../src/late-commits.js'
import { watchStalls } from '../src/stalls.js'
import { writeOf } from './write.js'

const [url = '', service = '', databaseUrl = ''] = process.argv.slice(2)
const nc = await connectBus({ url, service, name: service, password: null })
const { waitedMs, longestSince } = watchStalls(() => nc.flush())
const guard = guardCommits(longestSince)
const db = openDatabase({ url: databaseUrl, schema: 'public', connections: 4, remainingMs, guard })
const entry = handlersFor<object>().handle(writeOf(service), async (_ctx, _viewer, { word }) => {
  if (word.startsWith('twice')) await db.tx((tx) => tx.run(sql`insert into words (word) values (${`first ${word}`})`))
  await db.tx(async (tx) => {
    await tx.run(sql`insert into words (word) values (${word})`)
    process.stdout.write(`${word}\n`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
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
