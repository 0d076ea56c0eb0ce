/** A burst of activities from another server while the federation process is killed or restarted: none is refused or lost. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '@murmuration/testkit'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses', 'notifications', 'admin', 'media'],
  federation: ['federation'],
}
/** Milliseconds for which the gateway holds a request: nine seconds, with some tolerance. */
const HELD_MS = 8_500
/** Milliseconds between two activities of the burst. Long enough that a gateway on a busy machine sheds none. */
const EVERY_MS = 150
/** The most activities of one burst. A restart on an idle machine ends after 50; on a slow one, endless bursts would prevent it. */
const MAX_BURST = 150

let product: Product
let remote: RemoteServer
let rita: RemoteActor
let ann: TestUser
let actorUri = ''
let noteUri = ''

interface Outcome {
  text: string
  ms: number
}
const timed = async (response: Promise<string>): Promise<Outcome> => {
  const began = performance.now()
  const text = await response
  return { text, ms: performance.now() - began }
}
/** Requests that were refused before the gateway had held them for HELD_MS. */
const refusedEarly = (outcomes: readonly Outcome[], success: string): Outcome[] =>
  outcomes.filter(({ text, ms }) => !text.endsWith(success) && ms < HELD_MS)

const sendNote = (text: string) => {
  const tag = [{ type: 'Mention', href: actorUri, name: `@ann@localhost:${product.port}` }]
  const note = remote.addNote(rita, `<p>${text}</p>`, { cc: [rita.followers, actorUri], tag })
  const sent = remote.send(makeActivity(rita, 'Create', note), `${product.origin}/inbox`, { as: rita })
  return { id: note.id, sent: timed(sent.then(({ status, text }) => `${status} ${text}`)) }
}
const read = async (url: string): Promise<number> => {
  const response = await fetch(url, { headers: { accept: 'application/activity+json' } })
  await response.arrayBuffer()
  return response.status
}

const mentions = async (): Promise<string[]> => {
  const uris: string[] = []
  for (let max = ''; ; ) {
    const response = await requestAs(product, ann, `/api/v1/notifications?types[]=mention&limit=80${max}`)
    const page = (await response.json()) as { id: string; status: { uri: string } }[]
    if (page.length === 0) return uris
    uris.push(...page.map((one) => one.status.uri))
    max = `&max_id=${page.at(-1)?.id}`
  }
}

beforeAll(async () => {
  product = await startWhole({ table: TABLE, env: { OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' } })
  remote = await startRemoteServer()
  rita = await remote.addActor('rita')
  ann = await createUser(product, 'ann')
  const finger = await fetch(`${product.origin}/.well-known/webfinger?resource=acct:ann@localhost:${product.port}`)
  const { links } = (await finger.json()) as { links: { rel: string; href: string }[] }
  actorUri = links.find((link) => link.rel === 'self')?.href ?? ''
  noteUri = ((await (await postAs(product, ann, { status: 'read me' })).json()) as { uri: string }).uri
  expect((await sendNote('before').sent).text).toBe('202 ')
  await product.waitForIdle()
})
afterAll(async () => {
  await product?.stop()
  await remote?.close()
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'no request of another server is refused while federation ends by %s and starts again',
  async (signal) => {
    const posts: ReturnType<typeof sendNote>[] = []
    const reads: Promise<Outcome>[] = []
    let isOver = false
    const burst = async () => {
      for (let n = 0; !isOver && n < MAX_BURST; n++) {
        posts.push(sendNote(`${signal} ${n}`))
        const finger = `${product.origin}/.well-known/webfinger?resource=acct:ann@localhost:${product.port}&n=${n}`
        for (const [kind, url] of Object.entries({ actor: actorUri, note: noteUri, finger }))
          reads.push(timed(read(url).then((status) => `${kind} ${status}`)))
        await pause(EVERY_MS)
      }
    }
    const sending = burst()
    await pause(10 * EVERY_MS)
    const began = performance.now()
    await product.restart('federation', {}, signal)
    console.log(`${signal}: ready again after ${Math.round(performance.now() - began)} ms, ${posts.length} activities`)
    await pause(10 * EVERY_MS)
    isOver = true
    await sending

    const answers = await Promise.all(posts.map(({ sent }) => sent))
    expect(refusedEarly(answers, '202 ')).toEqual([])
    expect(refusedEarly(await Promise.all(reads), ' 200')).toEqual([])
    const accepted = posts.filter((_, n) => answers[n]?.text === '202 ').map(({ id }) => id)
    expect(accepted).not.toEqual([])
    await product.waitForIdle()
    const notified = await mentions()
    expect(notified.filter((uri) => accepted.includes(uri)).toSorted()).toEqual(accepted.toSorted())
  },
)
