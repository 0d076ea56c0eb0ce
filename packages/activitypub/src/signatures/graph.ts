/** Computes the graph of a document in a worker thread, with limits of size, number and time. */
import { Worker } from 'node:worker_threads'
import { createMemoryCache } from '@murmuration/flow'

export type GraphRefusal = 'too-large' | 'too-busy' | 'too-slow' | 'unknown-context' | 'no-graph'

export type Graph =
  | {
      ok: true
      /** SHA-256 of the canonical N-Quads, hexadecimal. */
      hash: string
      /** The document compacted with our context, as JSON. Properties without a term are left out. Null unless requested. */
      compacted: string | null
    }
  | { ok: false; reason: GraphRefusal }

export interface Graphs {
  /** The graph of a document given as JSON text. */
  read(
    text: string,
    options?: {
      compact?: boolean
      /** Owner of the document. Slow documents of one owner reduce the time for its further ones. */
      of?: string | null
    },
  ): Promise<Graph>
  close(): Promise<void>
}

/** Largest document in characters. A status with all properties at their limits is much smaller. */
const LARGEST = 131_072
const MOST_WAITING = 200
const SLOWEST_MS = 5_000
/** A document that takes this long counts as slow. After several slow ones within ten minutes, the owner's documents are refused. */
const SLOW_MS = 1_000
const MOST_SLOW = 5
const REMEMBER_MS = 600_000
const MOST_REMEMBERED = 1_000
const STARTING_MS = 10_000

type Answer = { id: number; hash?: string; compacted?: string | null; refused?: GraphRefusal }
type Task = { id: number; text: string; wantsCompact: boolean; of: string | null; answer(graph: Graph): void }

const file = new URL(import.meta.url.endsWith('.ts') ? './graph-worker.ts' : './graph-worker.js', import.meta.url)
const folder = new URL('../../contexts/', import.meta.url).href

/** `context` is what documents are compacted with. The thread starts with the first question. */
export const createGraphs = (
  context: readonly unknown[],
  { slowestMs = SLOWEST_MS, mostWaiting = MOST_WAITING, slowMs = SLOW_MS } = {},
): Graphs => {
  let thread: Worker | null = null
  /** True once the thread answered: before that, starting takes its time, which is not the document’s fault. */
  let isWarm = false
  /** Number of recent slow documents per owner. */
  const slow = createMemoryCache<number>({ most: MOST_REMEMBERED, ttlMs: REMEMBER_MS, now: () => performance.now() })
  let current: { task: Task; timer: NodeJS.Timeout; since: number } | null = null
  let queue: Task[] = []
  let lastId = 0
  let closed = false

  const isTooMuch = (of: string | null): boolean => of !== null && (slow.get(of) ?? 0) >= MOST_SLOW

  const finish = (graph: Graph, wasWarm = isWarm): void => {
    if (current === null) return
    clearTimeout(current.timer)
    const { task, since } = current
    current = null
    const took = performance.now() - since - (wasWarm ? 0 : STARTING_MS)
    if (task.of !== null && took >= slowMs) slow.set(task.of, (slow.get(task.of) ?? 0) + 1)
    task.answer(graph)
    next()
  }

  /** Stops the worker, whatever it is doing. */
  const drop = (reason: GraphRefusal): void => {
    const [dropped, wasWarm] = [thread, isWarm]
    thread = null
    isWarm = false
    dropped?.removeAllListeners()
    dropped?.on('error', () => {})
    dropped?.terminate()
    finish({ ok: false, reason }, wasWarm)
  }

  const start = (): Worker => {
    const worker = new Worker(file, {
      workerData: { folder, context },
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      const wasWarm = isWarm
      isWarm = true
      if (answer.id !== current?.task.id) return
      const { hash, compacted = null, refused = 'no-graph' } = answer
      finish(hash === undefined ? { ok: false, reason: refused } : { ok: true, hash, compacted }, wasWarm)
    })
    // Such as out of memory.
    worker.on('error', () => worker === thread && drop('no-graph'))
    worker.on('exit', () => worker === thread && drop('no-graph'))
    return worker
  }

  const next = (): void => {
    if (current !== null) return
    const refused = queue.filter((it) => isTooMuch(it.of))
    if (refused.length) queue = queue.filter((it) => !isTooMuch(it.of))
    for (const it of refused) it.answer({ ok: false, reason: 'too-busy' })
    const task = queue.shift()
    if (task === undefined) return
    thread ??= start()
    const timer = setTimeout(() => drop('too-slow'), isWarm ? slowestMs : slowestMs + STARTING_MS)
    current = { task, timer, since: performance.now() }
    thread.postMessage({ id: task.id, text: task.text, wantsCompact: task.wantsCompact })
  }

  return {
    read(text, { compact = false, of = null } = {}) {
      if (text.length > LARGEST) return Promise.resolve({ ok: false, reason: 'too-large' })
      if (closed || isTooMuch(of) || queue.length >= mostWaiting)
        return Promise.resolve({ ok: false, reason: 'too-busy' })
      return new Promise((answer) => {
        queue.push({ id: ++lastId, text, wantsCompact: compact, of, answer })
        next()
      })
    },
    async close() {
      closed = true
      const waiting = queue
      queue = []
      for (const task of waiting) task.answer({ ok: false, reason: 'too-busy' })
      drop('too-busy')
    },
  }
}
