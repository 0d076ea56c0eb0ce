/** Streaming one public status to 2,000 WebSocket listeners. */
import { freePort } from '@murmuration/testkit'
import { WebSocket } from 'ws'
import type { Pids } from '../lib/cpu.js'
import { addSignedIn } from '../lib/crowd.js'
import { startLimit } from '../lib/limit-process.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const LISTENERS = 2_000
/** Statuses of one turn, each heard by all before the next. */
const STATUSES = 5

const connect = async (url: string): Promise<WebSocket> => {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return socket
}

/** Opens many, a hundred at a time. */
const crowd = async (urls: readonly string[]): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = []
  for (let at = 0; at < urls.length; at += 100)
    sockets.push(...(await Promise.all(urls.slice(at, at + 100).map(connect))))
  return sockets
}

/** Waits until everybody had a message with the mark. */
const ears = (sockets: readonly WebSocket[], mark: () => string) => {
  let heard = 0
  let done: (() => void) | undefined
  for (const socket of sockets)
    socket.on('message', (data: Buffer) => {
      if (data.includes(mark()) && ++heard === sockets.length) done?.()
    })
  return () =>
    new Promise<void>((resolve) => {
      heard = 0
      done = resolve
    })
}

export const stream: Scenario = {
  name: 'stream',
  about: 'stream one public status to 2,000 people, each at a WebSocket',
  limitIs: 'raw WebSocket send of the same bytes',
  target: { kind: 'ratio', value: 0.4 },
  async run({ start }) {
    const { product, people, path, analyze } = await start()
    const author = await people.make('speaker')
    const tokens = await addSignedIn(product.databaseUrl, LISTENERS, 'listener')
    const base = `ws://127.0.0.1:${product.port}/api/v1/streaming?stream=public&access_token=`
    const ours = await crowd(tokens.map((token) => base + token))
    const port = await freePort()
    const server = await startLimit('ws-server.ts', String(port))
    const theirs = await crowd(Array.from({ length: LISTENERS }, () => `ws://127.0.0.1:${port}/`))
    let n = 0
    let mark = ''
    const ourEars = ears(ours, () => mark)
    const theirEars = ears(theirs, () => mark)
    let sample = ''
    ours[0]?.on('message', (data) => {
      sample = data.toString()
    })
    const tellOurs = () => people.as(author, 'POST', '/api/v1/statuses', { status: `To all listeners ${mark}` })
    const turn = (pids: Pids, hear: () => Promise<void>, tell: () => unknown) =>
      figureOf(pids, () =>
        timed(LISTENERS * STATUSES, async () => {
          for (let i = 0; i < STATUSES; i++) {
            mark = `mark-${n++}-`
            const all = hear()
            await tell()
            await all
          }
        }),
      )
    try {
      await turn(path(), ourEars, tellOurs)
      await analyze()
      return await alternate(
        5,
        () => turn(path(), ourEars, tellOurs),
        () => turn({ server: server.pid }, theirEars, () => server.send(sample.replace(/mark-\d+-/, mark))),
      )
    } finally {
      for (const socket of [...ours, ...theirs]) socket.terminate()
      await server.stop()
    }
  },
}
